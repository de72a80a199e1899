"""Work that is due without a press: tables out of time, and computers that owe a move.

Time in which the bot is absent does not count as a player's thinking time. It is absent while no
process runs, the gateway is lost, Discord accepts no requests, or its machine sleeps.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from bot.clock import Clock
from bot.service.jobs import apart
from bot.service.tables import TableService
from bot.storage.processes import AbsenceStore
from bot.storage.tables import Tables
from bot.table.session import Phase, SessionId
from bot.table.table import Table
from bot.table.waiting import time_limit

NOTED_EVERY: Final = timedelta(seconds=15)
"""The time between two notes that the bot is there; an absence may seem longer by as much."""

ASLEEP_AFTER: Final = timedelta(minutes=1)
"""After so long without a note, the machine is taken to have slept or hung."""

Absence: TypeAlias = tuple[datetime, datetime]


class Absences:
    """Notes when the bot is there, and tells when it was absent."""

    def __init__(self, stored: AbsenceStore, clock: Clock) -> None:
        self._stored = stored
        self._clock = clock
        self.asleep_after = ASLEEP_AFTER
        self._noted: datetime | None = None
        """When it was last noted as there; None if it was noted as absent since, or never."""

    async def note(self, *, here: bool) -> None:
        """Note whether the bot is there just now."""
        now = self._clock.now()
        if here:
            await self._stored.be_here(now, since_last=self._here)
        self._noted = now if here else None

    @property
    def _here(self) -> bool:
        """Whether the bot is there, and the last note of that is recent enough."""
        return self._noted is not None and self._clock.now() - self._noted <= self.asleep_after

    async def since(self, time: datetime, guild: int | None) -> Sequence[Absence]:
        """The absences from a guild that ended after `time`, and the one that lasts, if any.

        If the bot was never there, an absence from `time` on. Another process may have the guild's
        shard, and be absent while this one is there.
        """
        past, last = await self._stored.of(guild or 0, time)
        now = self._clock.now()
        if self._here and (last is None or now - last <= self.asleep_after):
            return past
        return [*past, (last or time, now)]

    async def known(self, time: datetime) -> Sequence[Absence]:
        """The absences of the first shard, as in `since`, without one whose start is unknown."""
        past, last = await self._stored.of(0, time)
        return past if self._here or last is None else [*past, (last, self._clock.now())]


def overlap(absences: Sequence[Absence], since: datetime, until: datetime) -> timedelta:
    """How much of the time from `since` to `until` the bot was absent."""
    shared = (min(until, end) - max(since, begin) for begin, end in absences)
    return sum((max(each, timedelta()) for each in shared), timedelta())


REPEATS_END: Final = timedelta(hours=1)
"""The age from which on Discord no longer repeats an interaction."""

WAITED: Final = 5.0
"""Seconds that a round waits for the computers of a table, which go on thinking after that."""

Show: TypeAlias = Callable[[Table], Awaitable[None]]

Seen: TypeAlias = Callable[[Table], Awaitable[datetime | None]]
"""Gives the time from which on players can see a board's present state; None if not yet."""


async def at_once(table: Table) -> datetime:
    """The time of the last move, as if players saw each change of a board at once."""
    return table.moved_at


class DueWork:
    """The work of this process that is due without a press."""

    def __init__(
        self,
        tables: TableService,
        stored: Tables,
        absences: Absences,
        clock: Clock,
        seen: Seen = at_once,
    ) -> None:
        self._seen = seen
        self._tables = tables
        self._stored = stored
        self._absences = absences
        self._clock = clock

    async def run(self, show: Show) -> None:
        """Do what is due at tables, and show each as soon as it has changed.

        Tables whose computers think already are left to the press that started them.

        Raises:
            ExceptionGroup: The errors at single tables.
        """

        async def time_out(session: SessionId) -> None:
            await show(await self._timed_out(session))

        async def go_on(session: SessionId) -> None:
            if (table := await self._gone_on(session)) is not None:
                await show(table)

        due = await self._stored.due(self._clock.now())
        owed = [
            each
            for each in await self._stored.unattended()
            if not self._tables.updates.at_work(each)
        ]
        with apart() as items:
            work = [
                *((each, time_out(each)) for each in due),
                *((each, go_on(each)) for each in owed),
            ]
            await asyncio.gather(*(items.do(done, session) for session, done in work))

    async def _gone_on(self, session: SessionId) -> Table | None:
        """The table after its computers' turns; None if none are due, or they outlast `WAITED`.

        Then they go on by themselves, and the next round of boards draws the table.
        """
        table = await self._tables.table(session)
        if not table.session.unattended:
            await self._stored.attend(table)
            return None
        try:
            return await self._tables.updates.answered(table, owed=True, within=WAITED)
        except TimeoutError:
            return None

    async def _timed_out(self, session: SessionId) -> Table:
        """The table after its time limit has passed, or with a later one."""
        await self.full_time(await self._tables.table(session))
        return await self._tables.time_out(session)

    async def full_time(self, table: Table) -> Table:
        """The table, with a later time limit if its player has not had the whole time yet.

        The time of a turn begins when its board can be seen, and stops while the bot is absent.
        """
        session, limit = table.session, time_limit(table.session)
        runs = session.phase is Phase.RUNNING and not session.lapsed
        if not runs or limit is None or table.due is None:
            return table
        now, since = self._clock.now(), await self._seen(table)
        if since is None:
            due = now + limit
        else:
            away = overlap(await self._absences.since(since, table.place.guild), since, now)
            due = since + limit + away
        later = due - table.due
        come = (each for each in (table.remind_at, table.due) if each is not None and each <= now)
        early = any(each + later > now for each in come)
        return await self._tables.updates.postpone(table, due) if early else table

    async def forget_interactions(self) -> None:
        """Delete the ids of interactions that Discord no longer repeats."""
        await self._stored.forget_interactions(REPEATS_END)
