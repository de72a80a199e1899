"""A finished game as a file that can be taken along; it names nobody."""

from __future__ import annotations

from bot.table.table import Table
from engine.files import json_text
from engine.files import text as plain_text
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


def as_text(table: Table) -> str:
    """A finished game for people."""
    return plain_text.written(record(table))


def as_json(table: Table) -> str:
    """A finished game for programs."""
    return json_text.written(record(table))
