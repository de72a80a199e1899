"""Records as text that people read; the package's docstring has the format."""

from __future__ import annotations

from engine.files.record import FORMAT, VERSION, Record
from engine.files.turns import Turn, turns
from engine.game import CHANCE
from engine.notation import Notation, notation


def written(record: Record) -> str:
    """The text of a record."""
    chosen = ", ".join(f"{key}={value}" for key, value in record.chosen.items())
    values = {
        "number": "" if record.number is None else str(record.number),
        "game": record.game.key,
        "seats": str(record.seats),
        "options": chosen,
        "ending": record.ending,
        "result": " ".join(map(str, record.result)),
    }
    headers = (f"{key}: {value}" for key, value in values.items() if value)
    notes = notation(record.game)
    played = turns(record.game, record.seats, record.options, record.moves)
    lines = (
        f"{number}. {notes.seat(turn.seat)} {turn_name(turn, notes)}"
        for number, turn in enumerate(played, 1)
    )
    return "\n".join((f"{FORMAT} {VERSION}", *headers, "", *lines, ""))


def turn_name(turn: Turn, notes: Notation) -> str:
    """The moves of a turn by their names, what dice show in brackets."""
    names = []
    state = turn.before
    for move in turn.moves:
        name = notes.names(state, move)[-1]
        names.append(f"({name})" if state.turn == CHANCE else name)
        state = state.play(move)
    return " ".join(names)
