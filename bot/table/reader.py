"""The reader of a board: whom it speaks to, and from which ply on it has news for them."""

from __future__ import annotations

from bot.table.seats import Human
from bot.table.session import Phase, Session
from engine.game import Seat


def reader(session: Session) -> Seat | None:
    """The seat of the person to move, or the only one; None where a board is for all."""
    if session.phase is not Phase.RUNNING:
        return None
    if isinstance(session.mover, Human):
        return session.turn
    return session.seat_of(session.people[0]) if session.solo else None


def unread(session: Session, seat: Seat | None) -> int:
    """The first ply after the last decision of a seat.

    For all it is the last decision of anybody while the game runs, and once it is over the first
    of everybody's last ones.
    """
    if seat is not None:
        return session.seat_logs[seat].unread
    logs = zip(session.seats, session.seat_logs, strict=True)
    found = [log.unread for occupant, log in logs if isinstance(occupant, Human)] or [0]
    return max(found) if session.phase is Phase.RUNNING else min(found)
