"""Compares the stored servers, channels and some messages with what Discord has.

An event that comes while the database is away changes nothing there. So all is compared once the
database is back, and every hour; events only bring that forward.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final, ParamSpec

import discord

from bot.service.jobs import apart
from bot.service.ports import Unreachable
from bot.service.use_cases import UseCases
from bot.storage.errors import Unavailable
from bot.ui.boards import Boards
from bot.ui.postman import Postman
from bot.ui.presence import Presence
from bot.ui.reach import Reach

log = logging.getLogger(__name__)

P = ParamSpec("P")

COMPARED_EVERY: Final = timedelta(hours=1)


class Comparison:
    """Keeps what is stored of guilds and channels in step with what Discord lists."""

    def __init__(
        self,
        client: discord.Client,
        use_cases: UseCases,
        presence: Presence,
        postman: Postman,
        boards: Boards,
    ) -> None:
        self.reach = Reach(
            client,
            use_cases.guilds,
            use_cases.messages,
            use_cases.tables,
            postman,
            tournaments=use_cases.tournaments.stored,
        )
        self._presence = presence
        self._clock = clock = use_cases.clock
        self._boards = boards
        self._next = self._channels_next = self._boards_next = clock.now() + COMPARED_EVERY

    def channels_soon(self) -> None:
        """Let the next round compare channels: a server that is seen was compared as such."""
        self._channels_next = self._clock.now()

    def soon(self) -> None:
        """Let the next round compare everything: something may have been missed."""
        self._next = self._channels_next = self._clock.now()

    def following(self, follow: Callable[P, Awaitable[None]]) -> Callable[P, Awaitable[None]]:
        """A handler of events after whose failure the next round compares."""

        async def followed(*event: P.args, **named: P.kwargs) -> None:
            try:
                await follow(*event, **named)
            except (Unavailable, Unreachable) as error:
                self.soon()
                log.info("event left to the comparison error=%r", error)
            except Exception:
                self.soon()
                raise

        return followed

    async def run_due(self) -> None:
        """Compare what it is time for, and follow what was found then.

        Raises:
            ExceptionGroup: What went wrong with some servers and channels.
        """
        now = self._clock.now()
        with apart() as items:
            if now >= self._next:
                self._next = now + COMPARED_EVERY
                await items.do(self._presence.compare(), "servers")
            if now >= self._channels_next and not items.away:
                self._channels_next = now + COMPARED_EVERY
                await items.do(self.reach.compare(), "channels")
            if now >= self._boards_next and not items.away:
                self._boards_next = now + COMPARED_EVERY
                await items.do(self._boards.compare(), "messages of tables")
            if not items.away:
                await items.do(self.reach.run_due(), "channels and messages that are gone")
            if items.away:
                self.soon()
