"""Whom a table reminds of what, and when; edits of a board notify nobody.

The person to move is reminded with a minute left in a live game; in a correspondence game after an
hour, and once more 12 hours before the end. When time is up the people who may claim are told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from bot.table.seats import Human, Pace, PersonId
from bot.table.session import Session

LAST_MINUTE: Final = timedelta(minutes=1)
WAITED_LONG: Final = timedelta(hours=1)
LAST_HOURS: Final = timedelta(hours=12)


class Occasion(StrEnum):
    """What a person is reminded of."""

    ACCEPTED = "accepted"
    TURN = "turn"
    CLAIM = "claim"


@dataclass(frozen=True, slots=True)
class Reminder:
    """A person to remind, and of what."""

    person: PersonId
    occasion: Occasion


def reminder_time(
    session: Session, due: datetime | None, *, after: datetime | None = None
) -> datetime | None:
    """When the next reminder of the present state is due, if there is one after a time.

    `due` is when the session's patience runs out.
    """
    if due is None or session.patience is None:
        return None
    since = due - session.patience
    times = _times(session, since=since, due=due)
    return next((time for time in times if after is None or time > after), None)


def reminders(session: Session) -> tuple[Reminder, ...]:
    """Who is to be reminded in the present state once the time has come."""
    mover = session.mover
    if not isinstance(mover, Human):
        return ()
    if not session.lapsed:
        return () if session.turn_limit is None else (Reminder(mover.person, Occasion.TURN),)
    others = (person for person in session.people if person != mover.person)
    return tuple(Reminder(person, Occasion.CLAIM) for person in others)


def _times(session: Session, *, since: datetime, due: datetime) -> Iterator[datetime]:
    if session.lapsed:
        yield since
    elif session.turn_limit is None:
        return
    elif session.pace is Pace.LIVE:
        yield due - LAST_MINUTE
    else:
        yield since + WAITED_LONG
        yield due - LAST_HOURS
