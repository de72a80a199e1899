"""Rounds of reminders: sent once when they are due, and taken away when they are done with.

A table has one at a time: the next takes the place of the one before. A reminder counts as sent
before it is: one that cannot be delivered, or that a crash interrupts, is not tried again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from itertools import chain
from typing import Final

from bot.clock import Clock
from bot.service.errands import Errand, Errands
from bot.service.ports import Messenger, OutOfReach, Unreachable
from bot.service.turns import reminder_time
from bot.storage.people import People, Reminding
from bot.storage.reminders import Posted, Reminders, StandingReminder
from bot.table.reminders import Occasion, Reminder, reminder_of
from bot.table.seats import Human, PersonId
from bot.table.session import Phase, SessionId
from bot.table.table import Table

REFUSED_FOR: Final = timedelta(hours=1)
"""The time after which a reminder is taken away again that Discord would not let go."""

MOST_A_ROUND: Final = 100
"""The most reminders of a round, well below the 50 requests a second that Discord takes."""


class ReminderRounds:
    """Rounds that send due reminders and take away those that are done with.

    `reminded` has the reminders that stand by their tables, as of the last round and since, without
    those being taken away.
    """

    def __init__(
        self, stored: Reminders, people: People, messenger: Messenger, clock: Clock
    ) -> None:
        self._stored = stored
        self._people = people
        self._messenger = messenger
        self._clock = clock
        self.reminded: defaultdict[SessionId, list[StandingReminder]] = defaultdict(list)
        self._refused: dict[Posted, datetime] = {}
        self._errands = Errands(MOST_A_ROUND)

    async def moved(self, session: SessionId) -> None:
        """Take away the reminder of a table that a change has done with."""
        standing = self.reminded.pop(session, ())
        with suppress(Unreachable):  # then a later round takes it away
            await self._finish(session, standing)

    async def run_due(self) -> None:
        """Carry out one round; an error at one table holds no other up.

        Raises:
            ExceptionGroup: What went wrong at some of them.
        """
        standing: defaultdict[SessionId, list[StandingReminder]] = defaultdict(list)
        for each in await self._stored.standing():
            standing[each.session].append(each)
        self.reminded.clear()
        now = self._clock.now()
        self._refused = {each: until for each, until in self._refused.items() if until > now}
        due = await self._stored.due(now)
        sending = [
            Errand(each, partial(self._remind, each, standing.pop(each, ()))) for each in due
        ]
        finishing = [Errand(each[0], partial(self._finish, *each)) for each in standing.items()]
        errands: Iterator[Errand] = chain(finishing, sending)
        await self._errands.carry_out(errands, "reminders")

    async def _remind(self, session: SessionId, standing: Sequence[StandingReminder]) -> bool:
        """Send the reminder of a table that is due, in place of one that stands."""
        table, now = await self._stored.table(session), self._clock.now()
        reminder, following = _due(table, now), table.remind_at
        if following is not None and following <= now:
            following = reminder_time(table.session, table.due, after=now)
        wanted = reminder and self._people.choices(reminder.person).reminders
        direct = wanted is Reminding.DIRECT
        sent = wanted not in {None, Reminding.OFF} and (direct or not table.place.unreachable)
        await self._clear(table, standing, replaced=sent)
        if not await self._stored.reminded(table, following) or reminder is None or not sent:
            return False
        posted = await self._messenger.remind(table, reminder, direct=direct)
        if posted is not None:
            kept = StandingReminder(session, reminder, posted, table.session.ply)
            await self._stored.keep(kept)
            self.reminded[session] = [kept]
        return True

    async def _finish(self, session: SessionId, standing: Sequence[StandingReminder]) -> bool:
        if standing:
            await self._clear(await self._stored.table(session), standing)
        return False

    async def _clear(
        self, table: Table, standing: Sequence[StandingReminder], *, replaced: bool = False
    ) -> None:
        """Take away the reminders of a table that are `replaced` or done with."""
        for each in standing:
            if not replaced and not _done(each, table):
                self.reminded[table.id].append(each)
            elif replaced or each.posted not in self._refused:
                try:
                    await self._messenger.take_away(each.posted)
                except OutOfReach:
                    self._refused[each.posted] = self._clock.now() + REFUSED_FOR
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
