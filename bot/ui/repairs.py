"""Messages of tables that fell behind, brought up to date: now, soon, or when there is news."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

import discord

from bot.service.ports import Clock, Unavailable, UnknownTable
from bot.table.session import SessionId
from bot.table.table import Table
from bot.ui.attempts import failing_at_once
from bot.ui.errors import OUT_OF_REACH, UNDELIVERED, unavailable
from bot.ui.outage import Outage
from bot.ui.pauses import Pauses

log = logging.getLogger(__name__)

TOGETHER: Final = 8
"""How many messages are mended at once: one that waits for Discord holds no other up."""


class Repairs:
    """Has tables drawn into their messages, by `draw`, and follows up what goes wrong with it.

    What Discord does not take for trouble of its own is tried again soon. What it refuses is left
    alone for longer and longer, or until there is news of the server.
    """

    def __init__(self, draw: Callable[[Table], Awaitable[None]], clock: Clock) -> None:
        self._draw = draw
        self._pauses = Pauses(clock)
        self._outage = Outage(self._attempt, self._refused)
        self._mending = asyncio.Semaphore(TOGETHER)
        self._woken: set[asyncio.Task[None]] = set()

    def hold(self, session: SessionId) -> bool:
        """Whether the message of a table is to be left alone now."""
        return self._pauses.hold(session)

    async def mend(self, table: Table) -> None:
        """Brings a message up to date, or sees to it that this is tried again."""
        if self._outage or not await self._attempt(table):
            self._outage.add(table)

    def mend_soon(self, table: Table) -> None:
        """Has a message brought up to date that Discord has just not taken."""
        self._outage.add(table)

    def wake(self, guild: int) -> None:
        """Tries messages again that were out of reach, since there is news of their server."""
        for table in self._pauses.wake(guild):
            task = asyncio.create_task(self._mend_apart(table), name=f"wake {table.id}")
            self._woken.add(task)
            task.add_done_callback(self._woken.discard)

    def close(self) -> None:
        """Tries nothing any more."""
        self._outage.close()

    async def _mend_apart(self, table: Table) -> None:
        try:
            await self.mend(table)
        except Exception:
            log.exception("board not mended session=%s", table.id)

    async def _attempt(self, table: Table) -> bool:
        """Brings a message up to date, and says whether Discord had an answer to that."""
        try:
            async with self._mending:
                with failing_at_once():
                    await self._draw(table)
        except UNDELIVERED as error:
            if unavailable(error):
                log.info("board not taken session=%s error=%r", table.id, error)
                return False
            self._refused(table, error)
        except Unavailable as error:  # the database: it may be back with Discord
            log.info("table not read session=%s error=%r", table.id, error)
            return False
        except UnknownTable:
            log.debug("table of an unknown game left alone session=%s", table.id)
        else:
            self._pauses.end(table.id)
        return True

    def _refused(self, table: Table, error: Exception | None = None) -> None:
        if isinstance(error, discord.HTTPException) and error.code in OUT_OF_REACH:
            length = self._pauses.await_news(table)
            log.info("board out of reach session=%s pause=%s error=%r", table.id, length, error)
        else:
            length = self._pauses.lengthen(table)
            log.warning("board not mended session=%s pause=%s error=%r", table.id, length, error)
