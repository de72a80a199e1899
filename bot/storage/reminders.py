"""Reminders: when tables remind of what, and the messages that stand for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection, RowMapping, bindparam, delete, insert, select, update

from bot.storage.schema.game_tables import NUDGES, REMINDS, sessions, standing_reminders
from bot.storage.tables import Tables
from bot.storage.values import Prepared, Values
from bot.table.reminders import Occasion, Reminder
from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.table.table import Table


@dataclass(frozen=True, slots=True)
class Posted:
    """A message that reminds a person."""

    channel: int
    message: int


@dataclass(frozen=True, slots=True)
class StandingReminder:
    """A reminder whose message stands, and the ply that it is about."""

    session: SessionId
    reminder: Reminder
    posted: Posted
    ply: int


_ROWS = standing_reminders.c
_ADD = Prepared(insert(standing_reminders))
_DROP = Prepared(
    delete(standing_reminders).where(
        *(_ROWS[name] == bindparam(name) for name in ("session", "person", "occasion"))
    )
)


class Reminders:
    """The reminders of this process's share of the tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._database = tables.database
        self._noticed = NUDGES & tables.own
        self._late = REMINDS & (sessions.c.remind_at <= bindparam("now")) & tables.own
        self._standing = (
            select(standing_reminders)
            .join(sessions, sessions.c.id == _ROWS.session)
            .where(tables.own)
        )

    async def table(self, session: SessionId) -> Table:
        """The table of a reminder.

        Raises:
            UnknownTable: There is none.
        """
        return await self._tables.table(session)

    async def due(self, now: datetime) -> Sequence[SessionId]:
        """The tables with a reminder that is due."""
        noticed = await self._tables.where(self._noticed)
        late = await self._tables.where(self._late, now=now)
        return [*noticed, *(session for session in late if session not in noticed)]

    async def reminded(self, table: Table, following: datetime | None) -> bool:
        """Save that what is due is sent, and the time of the `following` reminder.

        Return False if either has changed since the table was read: then it was done before.
        """
        same = (sessions.c.remind_at == table.remind_at, sessions.c.nudge == table.notice)
        saved = {"remind_at": following, "nudge": None}
        change = update(sessions).where(sessions.c.id == table.id, *same).values(saved)
        if not await self._database.run(lambda c: c.execute(change).rowcount):
            return False
        self._tables.cache.change(
            table.id, lambda known: replace(known, remind_at=following, notice=None)
        )
        return True

    async def standing(self) -> Sequence[StandingReminder]:
        """The reminders whose messages stand."""
        return await self._database.read(
            lambda reader: reader.rows(standing_reminders, self._standing, _standing)
        )

    async def keep(self, reminder: StandingReminder) -> None:
        """Save the message of a reminder, in place of an earlier one of the same occasion."""
        posted = {"channel": reminder.posted.channel, "message": reminder.posted.message}
        row = {**_key(reminder), **posted, "ply": reminder.ply}

        def replace_row(connection: Connection) -> None:
            _DROP.run(connection, _key(reminder))
            _ADD.run(connection, row)

        await self._database.run(replace_row)

    async def drop(self, reminder: StandingReminder) -> None:
        """Delete the message of a reminder from the database."""
        await self._database.run(lambda c: _DROP.run(c, _key(reminder)))


def _standing(row: RowMapping) -> StandingReminder:
    return StandingReminder(
        SessionId(row["session"]),
        Reminder(PersonId(row["person"]), Occasion(row["occasion"])),
        Posted(row["channel"], row["message"]),
        row["ply"],
    )


def _key(reminder: StandingReminder) -> Values:
    told = reminder.reminder
    return {"session": reminder.session, "person": told.person, "occasion": told.occasion}
