"""Rounds of reminders: sent once when they are due, and taken away when they are done with.

A reminder counts as sent before it is: one that cannot be delivered, or that a crash interrupts,
is not tried again. While Discord has trouble a round ends with the reminders under way, and the
next begins with one alone; all others wait until it is delivered.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias

from bot.clock import Clock
from bot.service.ports import Messenger, Unreachable
from bot.service.turns import reminder_time
from bot.storage.errors import Unavailable, UnknownTable
from bot.storage.people import People, Reminding
from bot.storage.reminders import Reminders, StandingReminder
from bot.table.reminders import Occasion, Reminder, reminders
from bot.table.seats import Human, PersonId
from bot.table.session import Phase, SessionId
from bot.table.table import Table

log = logging.getLogger(__name__)

Errand: TypeAlias = Callable[[], Awaitable[None]]

TOGETHER: Final = 4
"""The most reminders that are sent or taken away at once."""

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
        self._trouble = False
        self._left = 0

    async def moved(self, session: SessionId) -> None:
        """Take away the reminders of a table that a change has done with."""
        for standing in self.reminded.pop(session, ()):
            with suppress(Unreachable):  # then a later round takes it away
                await self._finish(standing)

    async def run_due(self) -> None:
        """Carry out one round; an error at one table holds no other up."""
        standing = list(await self._stored.standing())
        self.reminded.clear()
        due = await self._stored.due(self._clock.now())
        errands: list[Errand] = [
            *(partial(self._finish, each) for each in standing),
            *(partial(self._remind, session, standing) for session in due),
        ]
        at_once = 1 if self._trouble else TOGETHER
        self._trouble, self._left = False, MOST_A_ROUND
        left = iter(errands)
        await asyncio.gather(*(self._carry_out(left) for _ in range(at_once)))
        if self._trouble:
            log.warning("reminders put off, since Discord has trouble")

    async def _carry_out(self, errands: Iterator[Errand]) -> None:
        """Carry out errands until Discord has trouble or enough were sent."""
        for errand in errands:
            try:
                await errand()
            except Unreachable:
                self._trouble = True
            except (UnknownTable, Unavailable):
                log.debug("reminder left for the next round", exc_info=True)
            except Exception:
                log.exception("reminder failed")
            if self._trouble or self._left <= 0:
                return

    async def _remind(self, session: SessionId, standing: Sequence[StandingReminder]) -> None:
        table = await self._stored.table(session)
        for reminder in [each async for each in self._due(table)]:
            wanted = self._people.choices(reminder.person).reminders
            direct = wanted is Reminding.DIRECT
            if wanted is Reminding.OFF or (table.place.unreachable and not direct):
                continue
            for earlier in standing:
                if (earlier.session, earlier.reminder) == (session, reminder):
                    await self._messenger.take_away(earlier.posted)
            self._left -= 1
            posted = await self._messenger.remind(table, reminder, direct=direct)
            if posted is not None:
                kept = StandingReminder(session, reminder, posted, table.session.ply)
                await self._stored.keep(kept)
                others = [each for each in self.reminded[session] if each.reminder != reminder]
                self.reminded[session] = [*others, kept]

    async def _due(self, table: Table) -> AsyncIterator[Reminder]:
        now = self._clock.now()
        if table.notice is not None and await self._stored.take_notice(table):
            waited_for = _waits_for(table, table.notice)
            if waited_for or not table.session.ply:  # else the challenger has moved already
                yield Reminder(table.notice, Occasion.ACCEPTED)
        if table.remind_at is not None and table.remind_at <= now:
            following = reminder_time(table.session, table.due, after=now)
            if await self._stored.put_off(table, following):
                for reminder in reminders(table.session):
                    yield reminder

    async def _finish(self, standing: StandingReminder) -> None:
        """Take a reminder away if it is done with."""
        if _done(standing, await self._stored.table(standing.session)):
            await self._messenger.take_away(standing.posted)
            await self._stored.drop(standing)
        else:
            self.reminded[standing.session].append(standing)


def _done(standing: StandingReminder, table: Table) -> bool:
    if table.session.phase is not Phase.RUNNING:
        return True
    waited_for = _waits_for(table, standing.reminder.person)
    unread = standing.reminder.occasion is Occasion.ACCEPTED and waited_for
    return table.session.ply != standing.ply and not unread


def _waits_for(table: Table, person: PersonId) -> bool:
    mover = table.session.mover
    return isinstance(mover, Human) and mover.person == person
