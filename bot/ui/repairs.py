"""Messages of tables that fell behind, brought up to date: now, soon, or when there is news.

While Discord has trouble, one message tries for all that wait until it is back. One that Discord
refuses is left alone for a while.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

import discord

from bot.clock import Clock
from bot.storage.errors import Unavailable, UnknownTable
from bot.table.session import SessionId
from bot.table.table import Table
from bot.ui.errors import OUT_OF_REACH, UNDELIVERED, unavailable
from bot.ui.retries import failing_at_once, uneven

log = logging.getLogger(__name__)

FIRST_TRY_AFTER: Final = 0.25
LONGEST_TRY_AFTER: Final = 2.0
"""Seconds between two tries while Discord has trouble: they double from the one to the other."""

MOST_TRIES: Final = 3
"""How often a message may fail that others do not fail beside."""

SHORTEST_PAUSE: Final = timedelta(seconds=10)
LONGEST_PAUSE: Final = timedelta(hours=1)
"""For how long a message is left alone that Discord refused."""

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


class Outage:
    """The tables whose messages Discord did not take for trouble of its own.

    `attempt` brings a message up to date and says whether Discord had an answer to that; `give_up`
    is told of a table where it alone has none.
    """

    def __init__(
        self,
        attempt: Callable[[Table], Awaitable[bool]],
        give_up: Callable[[Table], None],
    ) -> None:
        self._attempt = attempt
        self._give_up = give_up
        self._waiting: dict[SessionId, Table] = {}
        self._failed: Counter[SessionId] = Counter()
        self._trying: asyncio.Task[None] | None = None

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, table: Table) -> None:
        """Has a message tried again soon."""
        self._waiting[table.id] = table
        if self._trying is None or self._trying.done():
            self._trying = asyncio.create_task(self._try(), name="try what Discord did not take")

    def close(self) -> None:
        """Tries nothing any more."""
        self._waiting.clear()
        if self._trying is not None:
            self._trying.cancel()

    async def _try(self) -> None:
        pause = FIRST_TRY_AFTER
        while self._waiting:
            await asyncio.sleep(uneven(pause))
            first = next(iter(self._waiting.values()))
            if not await self._attempt(first):
                self._waiting[first.id] = self._waiting.pop(first.id)  # behind the others
                pause = min(2 * pause, LONGEST_TRY_AFTER)
                continue
            pause = FIRST_TRY_AFTER
            del self._waiting[first.id], self._failed[first.id]
            await self._catch_up()

    async def _catch_up(self) -> None:
        """Tries all that wait, since Discord has an answer again."""
        waiting, self._waiting = [*self._waiting.values()], {}
        answered = await asyncio.gather(*map(self._attempt, waiting))
        for table, success in zip(waiting, answered, strict=True):
            self._failed[table.id] += 1
            if success:
                del self._failed[table.id]
            elif self._failed[table.id] >= MOST_TRIES:
                del self._failed[table.id]
                self._give_up(table)
            else:
                self._waiting[table.id] = table
        if waiting:
            log.info("boards caught up count=%d taken=%d", len(waiting), sum(answered))


@dataclass(frozen=True, slots=True)
class Pause:
    """After a failure: until when the message of a table is left alone, and how long that is.

    News of its server end it: permissions are given back, threads opened again.
    """

    table: Table
    until: datetime
    length: timedelta


class Pauses:
    """The pauses of messages, by their tables; a restart ends all."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._pauses: dict[SessionId, Pause] = {}
        self._woken: dict[int, datetime] = {}

    def hold(self, session: SessionId) -> bool:
        """Whether the message of a table is to be left alone now."""
        pause = self._pauses.get(session)
        return pause is not None and self._clock.now() < pause.until

    def lengthen(self, table: Table) -> timedelta:
        """Leaves a message alone for longer than the last time, and says for how long."""
        last = self._pauses.get(table.id)
        length = SHORTEST_PAUSE if last is None else min(2 * last.length, LONGEST_PAUSE)
        return self._begin(table, length)

    def await_news(self, table: Table) -> timedelta:
        """Leaves a message alone for long, or until there is news of its server."""
        return self._begin(table, LONGEST_PAUSE)

    def end(self, session: SessionId) -> None:
        """Takes what went wrong at a table for mended."""
        self._pauses.pop(session, None)

    def wake(self, guild: int) -> Sequence[Table]:
        """The tables of a server that need not wait any more, since there is news of it.

        Where there was news a moment ago already they wait a little, however often it comes.
        """
        now = self._clock.now()
        waiting = [each for each in self._pauses.values() if each.table.place.guild == guild]
        if not waiting:
            return []
        last = self._woken.get(guild)
        if last is not None and now - last < SHORTEST_PAUSE:
            for each in waiting:
                soon = min(each.until, now + SHORTEST_PAUSE)
                self._pauses[each.table.id] = replace(each, until=soon)
            return []
        self._woken[guild] = now
        for each in waiting:
            del self._pauses[each.table.id]
        return [each.table for each in waiting]

    def _begin(self, table: Table, length: timedelta) -> timedelta:
        self._pauses[table.id] = Pause(table, self._clock.now() + length, length)
        return length
