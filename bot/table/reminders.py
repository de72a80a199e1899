"""The reminders of a table; `bot.service.updates` has their times. Edits notify nobody."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.table.seats import Human, PersonId
from bot.table.session import Session
from bot.table.time_limits import turn_limit


class Occasion(StrEnum):
    """The subject of a reminder."""

    ACCEPTED = "accepted"
    TURN = "turn"
    CLAIM = "claim"


@dataclass(frozen=True, slots=True)
class Reminder:
    """A person to remind, and of what."""

    person: PersonId
    occasion: Occasion


def reminder_of(session: Session) -> Reminder | None:
    """The reminder that the present state leads to; when time is up, that of the opponent."""
    mover = session.mover
    if not isinstance(mover, Human):
        return None
    if not session.lapsed:
        return None if turn_limit(session) is None else Reminder(mover.person, Occasion.TURN)
    others = (person for person in session.people if person != mover.person)
    return next((Reminder(person, Occasion.CLAIM) for person in others), None)
