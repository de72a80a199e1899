"""Reminders: which are due, and which have served their purpose.

A table has one at a time: the next replaces it. A reminder is marked as sent before it is sent, so
that one which fails, or which a crash interrupts, is not tried again. If its message cannot be
saved at once, a later round saves it.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeAlias

from bot.clock import Clock, lately
from bot.service.jobs import AWAY
from bot.service.ports import OutOfReach
from bot.service.updates import reminder_time
from bot.storage.choices import People, Reminding
from bot.storage.messages import Posted, Reminders, StandingReminder
from bot.table.seats import Human, PersonId
from bot.table.session import Phase, SessionId
from bot.table.table import Table
from bot.table.waiting import Occasion, Reminder, reminder_of

APART: Final = timedelta(hours=1)
"""The time for which no other reminder of a turn follows a late one."""

REFUSED_FOR: Final = timedelta(hours=1)
"""The time before the deletion of a reminder that is out of reach is tried again."""

FullTime: TypeAlias = Callable[[Table], Awaitable[Table]]
"""Gives a table with its time limit corrected, so that nobody is reminded too early."""

TakeAway: TypeAlias = Callable[[Posted], Awaitable[None]]
"""Deletes the message of a reminder, if it is still there.

Raises:
    Unreachable: Discord accepts no requests for now.
    OutOfReach: The bot may not delete it.
"""


class DueReminder(NamedTuple):
    """A reminder to send for a table: as a `direct` message, or in the table's channel."""

    table: Table
    reminder: Reminder
    direct: bool


class ReminderRounds:
    """Finds the reminders that are due, and deletes the ones no longer needed.

    `reminded` are the reminders in channels, by table: those known since the last round, except
    while they are being deleted.
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
        """Delete the reminders of a changed table that have served their purpose."""
        standing = self.reminded.pop(session, ())
        if standing:
            with suppress(*AWAY):  # then a later round deletes it
                await self._clear(await self._stored.table(session), standing)

    async def begin(self) -> Sequence[SessionId]:
        """The tables to look at: first with nothing but reminders to delete, then with one due."""
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
        """The reminder to send for a table now, if any; it is marked as sent already.

        Reminders that it replaces, or that have served their purpose, are deleted first.

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
            following = reminder_time(table.session, table.due, after=now + APART)
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
        """Save all messages of reminders that are not saved yet, in one transaction."""
        async with self._saving:
            if unsaved := [*self._unsaved]:
                await self._stored.keep(*unsaved)
            for each in unsaved:
                del self._unsaved[each]

    async def _clear(
        self, table: Table, standing: Sequence[StandingReminder], *, replaced: bool = False
    ) -> None:
        """Delete those `standing` reminders that are `replaced` or no longer needed."""
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
    """The reminder to send now: of the turn, or else that a challenge was accepted."""
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
