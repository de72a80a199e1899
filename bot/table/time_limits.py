"""The time that a table may stay as it is."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from bot.table.seats import Human, Pace
from bot.table.session import Phase, Session

CHALLENGE_LASTS: Final = timedelta(minutes=15)
LOBBY_LASTS: Final = timedelta(minutes=30)
SILENCE_LASTS: Final = timedelta(days=30)
SOLO_SILENCE_LASTS: Final = timedelta(hours=3)
"""For how long a game against computers alone outlives its last move, unless it is relaxed."""


def turn_limit(session: Session) -> timedelta | None:
    """The time for this turn; None where no person waits for another."""
    waited_for = len(session.people) > 1 and isinstance(session.mover, Human)
    return session.pace.turn if waited_for else None


def time_limit(session: Session) -> timedelta | None:
    """The time from a change to `ending.time_out`; None once the table has ended."""
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
    """The time without a move after which a game without limit, or out of time, is closed."""
    alone = session.solo and session.pace is not Pace.RELAXED
    return SOLO_SILENCE_LASTS if alone else SILENCE_LASTS
