"""Whom a table waits for, and how long: its reader, its time limits and its reminders.

The reader is the person whom a board addresses. `bot.service.updates` has the times of reminders,
which are needed as the edit of a board notifies nobody.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

from bot.table.seats import Human, Pace, PersonId
from bot.table.session import Phase, Session
from engine.game import Seat

CHALLENGE_LASTS: Final = timedelta(minutes=15)
LOBBY_LASTS: Final = timedelta(minutes=30)
SILENCE_LASTS: Final = timedelta(days=30)
SOLO_SILENCE_LASTS: Final = timedelta(hours=3)
"""The time after the last move when a game against computers is closed, unless it is relaxed."""


PATIENCE: Final = {
    Pace.BLITZ: timedelta(minutes=1),
    Pace.LIVE: timedelta(minutes=10),
    Pace.CORRESPONDENCE: timedelta(days=1),
}
"""How long to wait in a match for a player's first move; for other moves, beyond the time limit.

At blitz other moves have just their time limit.
"""


def turn_limit(session: Session) -> timedelta | None:
    """The time for this turn; None if no person waits for another.

    A player's first move of a match has the time named in its call.
    """
    limit, mover = session.pace.turn, session.turn
    if len(session.people) < 2 or mover is None or not isinstance(session.mover, Human):
        return None
    if limit is not None and session.match and not session.seat_logs[mover].plies:
        return PATIENCE[session.pace]
    return limit


def time_limit(session: Session) -> timedelta | None:
    """The time from a change until `ending.time_out`; None once the table has ended."""
    match session.phase:
        case Phase.LOBBY:
            return LOBBY_LASTS if session.has_lobby else CHALLENGE_LASTS
        case Phase.RUNNING if not session.lapsed and (limit := turn_limit(session)) is not None:
            return limit
        case Phase.RUNNING:
            return silence_limit(session)
        case _:
            return None


def silence_limit(session: Session) -> timedelta:
    """The time without a move after which a game is closed that has no limit or is out of time."""
    alone = session.solo and session.pace is not Pace.RELAXED
    return SOLO_SILENCE_LASTS if alone else SILENCE_LASTS


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
    """The reminder for the present state: of the turn, or if time is up, of the right to claim."""
    mover = session.mover
    if not isinstance(mover, Human):
        return None
    if not session.lapsed:
        return None if turn_limit(session) is None else Reminder(mover.person, Occasion.TURN)
    others = (person for person in session.people if person != mover.person)
    return next((Reminder(person, Occasion.CLAIM) for person in others), None)


def reader(session: Session) -> Seat | None:
    """The seat of the person to move, or of the only person; None if a board is for all."""
    if session.phase is Phase.RUNNING and isinstance(session.mover, Human):
        return session.turn
    return session.seat_of(session.people[0]) if session.solo else None


def unread(session: Session, seat: Seat | None) -> int:
    """The first ply after the last decision of a seat.

    On a board for all (None) it is that after the last decision of any person while the game runs;
    once it is over, of the one who decided last the longest ago: with Ann's last decision at ply 30
    and Ben's at 34, it is 31.
    """
    if seat is not None:
        return session.seat_logs[seat].unread
    logs = zip(session.seats, session.seat_logs, strict=True)
    found = [log.unread for occupant, log in logs if isinstance(occupant, Human)] or [0]
    return max(found) if session.phase is Phase.RUNNING else min(found)
