"""Messages of tables that fell behind, brought up to date now, soon, or after news of their guild.

While Discord has trouble, one message tries for all that wait until it is back. A message that
Discord refuses is left alone for longer and longer.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

import discord

from bot.backoff import Backoff
from bot.clock import Clock
from bot.storage.errors import Unavailable, UnknownTable
from bot.table.session import SessionId
from bot.table.table import Table
from bot.ui.errors import OUT_OF_REACH, UNDELIVERED, unavailable
from bot.ui.retries import failing_at_once

log = logging.getLogger(__name__)

FIRST_TRY_AFTER: Final = 0.25
LONGEST_TRY_AFTER: Final = 2.0
"""Seconds between two tries while Discord has trouble: they double from the one to the other."""

SHORTEST_PAUSE: Final = timedelta(seconds=10)
LONGEST_PAUSE: Final = timedelta(hours=1)
"""The time for which a message is left alone that Discord refused."""

LAST_DRAWN: Final = 1.0
"""Seconds for which messages that are being drawn are waited for at the end."""

TOGETHER: Final = 8
"""The number of messages drawn at once: one that waits for Discord holds no other up."""


@dataclass(frozen=True, slots=True)
class Pause:
    """The time in which the message of a table is left alone."""

    table: Table
    until: datetime
    backoff: Backoff


class Repairs:
    """The queue of messages to bring up to date by `draw`; a restart forgets it."""

    def __init__(self, draw: Callable[[Table], Awaitable[None]], clock: Clock) -> None:
        self._draw = draw
        self._clock = clock
        self._drawing = asyncio.Semaphore(TOGETHER)
        self._waiting: dict[SessionId, Table] = {}
        self._trying: asyncio.Task[None] | None = None
        self._pauses: dict[SessionId, Pause] = {}
        self._woken: dict[int, datetime] = {}
        self._closed = False

    def paused(self, session: SessionId) -> bool:
        """Return whether the message of a table is left alone now."""
        pause = self._pauses.get(session)
        return pause is not None and self._clock.now() < pause.until

    async def repair(self, table: Table) -> None:
        """Bring a message up to date, now or as soon as Discord takes it."""
        if self._closed:
            return
        if self._waiting or not await self._attempt(table):
            self.repair_soon(table)

    def repair_soon(self, table: Table) -> None:
        """Put a message into the queue."""
        if self._closed:
            return
        self._waiting[table.id] = table
        if self._trying is None or self._trying.done():
            trying = self._try()  # of all who wait, so that it is part of no answer
            self._trying = asyncio.create_task(trying, name="repair boards", context=Context())

    def wake(self, guild: int) -> None:
        """End the pauses of a guild, since there is news of it.

        Permissions are given back, threads opened again. However often news comes, a message is
        tried no more than once in the shortest pause.
        """
        now = self._clock.now()
        paused = [each for each in self._pauses.values() if each.table.place.guild == guild]
        if not paused:
            return
        again = self._woken.get(guild, now - SHORTEST_PAUSE) + SHORTEST_PAUSE
        if again <= now:
            self._woken[guild] = now
        for pause in paused:
            if again <= now:
                del self._pauses[pause.table.id]
                self.repair_soon(pause.table)
            else:
                shorter = replace(pause, until=min(pause.until, again))
                self._pauses[pause.table.id] = shorter

    def forget_past(self) -> None:
        """Forget pauses that ended long ago: those messages are gone, or nobody plays there."""
        now = self._clock.now()
        past = [each for each in self._pauses.values() if each.until <= now - LONGEST_PAUSE]
        for pause in past:
            del self._pauses[pause.table.id]
        for guild in [*self._woken]:
            if self._woken[guild] <= now - SHORTEST_PAUSE:
                del self._woken[guild]

    async def close(self) -> None:
        """Repair nothing any more, and return when no message is being drawn."""
        if self._closed:
            return
        self._closed = True
        if self._trying is not None:
            self._trying.cancel()
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_DRAWN):
                for _ in range(TOGETHER):
                    await self._drawing.acquire()

    async def _try(self) -> None:
        backoff = Backoff(FIRST_TRY_AFTER, LONGEST_TRY_AFTER)
        while self._waiting:
            await asyncio.sleep(backoff.uneven_pause())
            session, table = next(iter(self._waiting.items()))
            if await self._attempt(table):
                backoff.reset()
                del self._waiting[session]
                await self._catch_up()
            else:
                self._waiting[session] = self._waiting.pop(session)  # behind the others

    async def _catch_up(self) -> None:
        """Repair all that wait, since Discord is back; what still fails waits alone."""
        waiting, self._waiting = [*self._waiting.values()], {}
        taken = await asyncio.gather(*map(self._attempt, waiting))
        for table, success in zip(waiting, taken, strict=True):
            if not success:
                self._pause(table)
        if waiting:
            log.info("boards caught up count=%d taken=%d", len(waiting), sum(taken))

    async def _attempt(self, table: Table) -> bool:
        """Draw a message; return False if Discord or the database has trouble."""
        try:
            async with self._drawing:
                if self._closed:
                    return True
                with failing_at_once():
                    await self._draw(table)
        except UNDELIVERED as error:
            if unavailable(error):
                log.info("board not taken session=%s error=%r", table.id, error)
                return False
            self._pause(table, error)
        except Unavailable as error:
            log.info("table not read session=%s error=%r", table.id, error)
            return False
        except UnknownTable:
            log.debug("table that cannot be read left alone session=%s", table.id)
        except Exception as error:
            log.exception("board not repaired session=%s", table.id)
            self._pause(table, error)
        else:
            self._pauses.pop(table.id, None)
        return True

    def _pause(self, table: Table, error: Exception | None = None) -> None:
        shortest, longest = SHORTEST_PAUSE.total_seconds(), LONGEST_PAUSE.total_seconds()
        last = self._pauses.get(table.id)
        backoff = Backoff(shortest, longest) if last is None else last.backoff
        if isinstance(error, discord.HTTPException) and error.code in OUT_OF_REACH:
            backoff = Backoff(longest)  # or until there is news
        length = timedelta(seconds=backoff.pause())
        self._pauses[table.id] = Pause(table, self._clock.now() + length, backoff)
        log.info("board left alone session=%s pause=%s error=%r", table.id, length, error)
