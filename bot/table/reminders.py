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


def reminders(session: Session) -> tuple[Reminder, ...]:
    """The reminders that the present state leads to."""
    mover = session.mover
    if not isinstance(mover, Human):
        return ()
    if not session.lapsed:
        return () if turn_limit(session) is None else (Reminder(mover.person, Occasion.TURN),)
    others = (person for person in session.people if person != mover.person)
    return tuple(Reminder(person, Occasion.CLAIM) for person in others)
