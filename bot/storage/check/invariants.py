"""Invariants of a table's state, whatever was played there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.table.seats import Absent, Human, Invited, Vacant
from bot.table.session import Ending, Phase, Session
from bot.table.table import Table

RESULTS: Final = frozenset({Ending.PLAYED, Ending.RESIGNED, Ending.AGREED, Ending.TIME})
"""The endings that leave a result."""

_TOLERANCE: Final = 1e-9


def contradictions(table: Table, *, finish: int | None, shown: int) -> Iterator[str]:
    """Contradictions between the parts of a table, a sentence each."""
    session = table.session
    yield from _ending_faults(session, finish)
    yield from seat_faults(session)
    yield from _board_faults(session)
    if shown > table.revision:
        yield f"shown is {shown}, but the revision is {table.revision}."
    if table.rematch is not None and table.rematch <= table.id:
        yield f"rematch is {table.rematch}, but a rematch has a greater number."


def _ending_faults(session: Session, finish: int | None) -> Iterator[str]:
    phase, ending = session.phase, session.ending
    expected: frozenset[Ending | None] = {
        Phase.LOBBY: frozenset({None}),
        Phase.RUNNING: frozenset({None}),
        Phase.FINISHED: RESULTS,
        Phase.ABANDONED: frozenset(Ending) - RESULTS,
    }[phase]
    if ending not in expected:
        yield f"phase is {phase}, but ending is {ending or 'null'}."
    if (session.payoff is None) is (phase is Phase.FINISHED):
        yield f"phase is {phase}, but payoff is {session.payoff or 'null'}."
    if session.payoff is not None and abs(sum(session.payoff)) > _TOLERANCE:
        yield "payoff does not sum to 0."
    if finish is not None and phase is not Phase.FINISHED:
        yield f"phase is {phase}, but finish is {finish}."
    if session.lapsed and phase is not Phase.RUNNING:
        yield f"phase is {phase}, but lapsed is true."
    if session.offer is not None and (
        phase is not Phase.RUNNING or session.offer >= len(session.seats)
    ):
        yield f"phase is {phase} with {len(session.seats)} seats, but offer is {session.offer}."


def seat_faults(session: Session) -> Iterator[str]:
    """The faults of a session's seats, a sentence each."""
    people = [seat.person for seat in session.seats if isinstance(seat, Human | Absent)]
    if len(set(people)) < len(people):
        yield "somebody has two seats."
    if len(session.seats) > max(session.game.seats):
        yield f"there are {len(session.seats)} seats."
    if session.phase in {Phase.RUNNING, Phase.FINISHED} and any(
        isinstance(seat, Invited | Vacant) for seat in session.seats
    ):
        yield f"phase is {session.phase}, but not everybody has come."


def _board_faults(session: Session) -> Iterator[str]:
    settled = session.game.settled(session.options)
    if settled != session.options:
        missing = ", ".join(key for key in settled if key not in session.options)
        yield f"options lacks {missing}."
    if session.position is None:
        if session.moves:
            yield f"phase is {session.phase}, but there are moves."
        return
    over = session.position.payoff()
    if session.ending is Ending.PLAYED:
        if over is None or tuple(over) != session.payoff:
            reached = "no end" if over is None else f"payoff {list(over)}"
            yield f"the moves lead to {reached}."
    elif over is not None:
        yield f"the moves lead to the end, but ending is {session.ending or 'null'}."
