"""A finished game as a record that can be taken along; it names nobody."""

from __future__ import annotations

from bot.table.table import Table
from engine.files.record import Record, exact


def record(table: Table) -> Record:
    """The record of a finished game."""
    session = table.session
    assert session.payoff is not None, "a finished game has a result"
    assert session.ending is not None, "a finished game has an ending"
    return Record(
        game=session.game,
        seats=len(session.seats),
        options=session.options,
        moves=session.moves,
        ending=session.ending.value,
        result=exact(session.payoff),
        number=table.id,
    )
