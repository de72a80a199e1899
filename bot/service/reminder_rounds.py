"""Reminders: which are due, and which are done with.

A table has one at a time: the next takes the place of the one before. A reminder counts as sent
before it is: one that cannot be delivered, or that a crash interrupts, is not tried again. The
message of one that was sent is saved by a later round if the disk does not take it at once.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeAlias

from bot.clock import Clock, lately
from bot.service.ports import OutOfReach, Unreachable
from bot.service.updates import reminder_time
from bot.storage.choices import People, Reminding
from bot.storage.messages import Posted, Reminders, StandingReminder
from bot.table.seats import Human, PersonId
from bot.table.session import Phase, SessionId
from bot.table.table import Table
from bot.table.waiting import Occasion, Reminder, reminder_of

REFUSED_FOR: Final = timedelta(hours=1)
"""The time for which a reminder out of reach is left there, or looked for if it may be there."""

FullTime: TypeAlias = Callable[[Table], Awaitable[Table]]
"""The table of a match with the whole time for its turn, so that nobody is reminded too early."""

TakeAway: TypeAlias = Callable[[Posted], Awaitable[None]]
"""Deletes the message of a reminder, if it is still there.

Raises:
    Unreachable: Discord takes nothing just now.
    OutOfReach: The bot may not.
"""


class DueReminder(NamedTuple):
    """A reminder of a table that is to be sent, by `direct` message if its person wants that."""

    table: Table
    reminder: Reminder
    direct: bool


class ReminderRounds:
    """Finds the reminders that are due, and takes away those that are done with.

    `reminded` has the reminders that stand by their tables, as of the last round and since, without
    those being taken away.
    """

    def __init__(
        self,
        stored: Reminders,
        people: People,
        take_away: TakeAway,
        full_time: FullTime,
        clock: Clock,
    ) -> None:
        self._stored = stored
        self._people = people
        self._take_away = take_away
        self._full_time = full_time
        self._clock = clock
        self.reminded: defaultdict[SessionId, list[StandingReminder]] = defaultdict(list)
        self._refused: dict[Posted, datetime] = {}
        self._unsaved: dict[StandingReminder, None] = {}
        self._saving = asyncio.Lock()

    async def moved(self, session: SessionId) -> None:
        """Take away the reminder of a table that a change has done with."""
        standing = self.reminded.pop(session, ())
        if standing:
            with suppress(Unreachable):  # then a later round takes it away
                await self._clear(await self._stored.table(session), standing)

    async def begin(self) -> Sequence[SessionId]:
        """The tables where something is to be done: those where reminders stand come first."""
        await self._save()
        self.reminded.clear()
        for each in await self._stored.standing():
            self.reminded[each.session].append(each)
        now = self._clock.now()
        self._refused = {
            each: at for each, at in self._refused.items() if lately(at, now, REFUSED_FOR)
        }
        due = dict.fromkeys(await self._stored.due(now))
        return [*(each for each in self.reminded if each not in due), *due]

    async def next(self, session: SessionId) -> DueReminder | None:
        """The reminder of a table that is to be sent now, which counts as sent from then on.

        Those that it replaces, or that are done with, are taken away first.

        Raises:
            Unreachable: Discord has trouble.
            UnknownTable: There is no such table.
        """
        standing = self.reminded.pop(session, ())
        table, now = await self._stored.table(session), self._clock.now()
        if table.remind_at is not None and table.remind_at <= now:
            table = await self._full_time(table)
        reminder, following = _due(table, now), table.remind_at
        if following is not None and following <= now:
            following = reminder_time(table.session, table.due, after=now)
        wanted = reminder and self._people.of(reminder.person).reminders
        direct = wanted is Reminding.DIRECT
        sent = wanted not in {None, Reminding.OFF} and (direct or not table.place.unreachable)
        await self._clear(table, standing, replaced=sent)
        if following == table.remind_at and table.notice is None:
            return None
        if not await self._stored.reminded(table, following) or reminder is None or not sent:
            return None
        return DueReminder(table, reminder, direct)

    async def sent(self, due: DueReminder, posted: Posted) -> None:
        """Save the message of a reminder."""
        kept = StandingReminder(due.table.id, due.reminder, posted, due.table.session.ply)
        self.reminded[due.table.id] = [kept]
        self._unsaved[kept] = None
        await self._save()

    async def _save(self) -> None:
        """Save what was sent: all that came while the last was being saved, at once."""
        async with self._saving:
            if unsaved := [*self._unsaved]:
                await self._stored.keep(*unsaved)
            for each in unsaved:
                del self._unsaved[each]

    async def _clear(
        self, table: Table, standing: Sequence[StandingReminder], *, replaced: bool = False
    ) -> None:
        """Take away the reminders of a table that are `replaced` or done with."""
        for each in standing:
            if not replaced and not _done(each, table):
                self.reminded[table.id].append(each)
            elif replaced or each.posted not in self._refused:
                try:
                    await self._take_away(each.posted)
                except OutOfReach:
                    self._refused[each.posted] = self._clock.now()
                else:
                    await self._stored.drop(each)


def _due(table: Table, now: datetime) -> Reminder | None:
    """The reminder to send now: that of the turn rather than the news that the game has begun."""
    if table.remind_at is not None and table.remind_at <= now:
        return reminder_of(table.session)
    told = table.notice
    if told is None or (table.session.ply and not _waits_for(table, told)):
        return None  # the challenger has moved already
    return Reminder(told, Occasion.ACCEPTED)


def _done(standing: StandingReminder, table: Table) -> bool:
    if table.session.phase is not Phase.RUNNING:
        return True
    waited_for = _waits_for(table, standing.reminder.person)
    unread = standing.reminder.occasion is Occasion.ACCEPTED and waited_for
    return table.session.ply != standing.ply and not unread


def _waits_for(table: Table, person: PersonId) -> bool:
    mover = table.session.mover
    return isinstance(mover, Human) and mover.person == person
