"""Reminders of games: sent once when they are due, and taken away when they are done with.

A reminder is taken for sent before it is: one that cannot be delivered, or that a crash interrupts,
is not tried again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence

from bot.service.people import Reminding
from bot.service.ports import (
    Clock,
    Messenger,
    People,
    Reminders,
    StandingReminder,
    Unavailable,
    UnknownTable,
)
from bot.service.turns import reminder_time
from bot.table.reminders import Occasion, Reminder, reminders
from bot.table.seats import Human
from bot.table.session import Phase, SessionId
from bot.table.table import Table

log = logging.getLogger(__name__)


class ReminderRounds:
    """Sends what is due and takes away what is done with, a round at a time."""

    def __init__(
        self, store: Reminders, people: People, messenger: Messenger, clock: Clock
    ) -> None:
        self._store = store
        self._people = people
        self._messenger = messenger
        self._clock = clock
        self._posted: set[SessionId] = set()

    async def moved(self, session: SessionId) -> None:
        """Takes away at once what a change of a table has done with."""
        if session not in self._posted:
            return
        for standing in await self._store.standing():
            if standing.session == session:
                await self._finish(standing)

    async def tend(self) -> None:
        """One round; what goes wrong at one table holds no other up."""
        standing = list(await self._store.standing())
        self._posted = {each.session for each in standing}
        due = await self._store.to_remind(self._clock.now())
        done = await asyncio.gather(
            *(self._finish(each) for each in standing),
            *(self._remind(session, standing) for session in due),
            return_exceptions=True,
        )
        for error in done:
            if isinstance(error, Exception) and not isinstance(error, UnknownTable | Unavailable):
                log.error("reminder failed", exc_info=error)

    async def _remind(self, session: SessionId, standing: Sequence[StandingReminder]) -> None:
        table = await self._store.table(session)
        for reminder in [each async for each in self._due(table)]:
            wanted = self._people.choices(reminder.person).reminders
            if wanted is Reminding.OFF:
                continue
            for earlier in standing:
                if (earlier.session, earlier.reminder) == (session, reminder):
                    await self._messenger.take_away(earlier.posted)
            direct = wanted is Reminding.DIRECT
            posted = await self._messenger.remind(table, reminder, direct=direct)
            if posted is not None:
                kept = StandingReminder(session, reminder, posted, table.session.ply)
                await self._store.keep_reminder(kept)
                self._posted.add(session)

    async def _due(self, table: Table) -> AsyncIterator[Reminder]:
        """The reminders of a table that this round is to send."""
        now = self._clock.now()
        if table.nudge is not None and await self._store.nudged(table):
            waited_for = table.session.mover == Human(table.nudge)
            if waited_for or not table.session.ply:  # else the challenger has moved already
                yield Reminder(table.nudge, Occasion.ACCEPTED)
        if table.remind_at is not None and table.remind_at <= now:
            following = reminder_time(table.session, table.due, after=now)
            if await self._store.put_off(table, following):
                for reminder in reminders(table.session):
                    yield reminder

    async def _finish(self, standing: StandingReminder) -> None:
        if _done(standing, await self._store.table(standing.session)):
            await self._store.drop_reminder(standing)
            await self._messenger.take_away(standing.posted)


def _done(standing: StandingReminder, table: Table) -> bool:
    """Whether a person need not be reminded any more."""
    if table.session.phase is not Phase.RUNNING:
        return True
    waited_for = table.session.mover == Human(standing.reminder.person)
    unread = standing.reminder.occasion is Occasion.ACCEPTED and waited_for
    return table.session.ply != standing.ply and not unread
