"""The messages of reminders that stand in channels, in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, bindparam, delete, insert, select

from bot.storage.schema import sessions, standing_reminders
from bot.storage.values import Prepared
from bot.table.reminders import Occasion, Reminder
from bot.table.seats import PersonId
from bot.table.session import SessionId


@dataclass(frozen=True, slots=True)
class Posted:
    """Where a message is that reminds a person."""

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


def standing(connection: Connection, which: ColumnElement[bool]) -> Sequence[StandingReminder]:
    """Those of the sessions for which something holds."""
    query = select(standing_reminders).join(sessions, sessions.c.id == _ROWS.session).where(which)
    return [
        StandingReminder(
            SessionId(row.session),
            Reminder(PersonId(row.person), Occasion(row.occasion)),
            Posted(row.channel, row.message),
            row.ply,
        )
        for row in connection.execute(query)
    ]


def keep(connection: Connection, reminder: StandingReminder) -> None:
    """Adds one, in place of an earlier one of the same occasion."""
    drop(connection, reminder)
    row = {
        "session": reminder.session,
        "person": reminder.reminder.person,
        "occasion": reminder.reminder.occasion,
        "channel": reminder.posted.channel,
        "message": reminder.posted.message,
        "ply": reminder.ply,
    }
    _ADD.run(connection, row)


def drop(connection: Connection, reminder: StandingReminder) -> None:
    """Removes one."""
    told = reminder.reminder
    key = {"session": reminder.session, "person": told.person, "occasion": told.occasion}
    _DROP.run(connection, key)
