"""Records as text that people read; the package's docstring has the format."""

from __future__ import annotations

from engine.files.record import FORMAT, VERSION, Record
from engine.files.turns import turns
from engine.notation import notation


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
        f"{number}. {notes.seat(turn.seat)} {turn.named(notes)}"
        for number, turn in enumerate(played, 1)
    )
    return "\n".join((f"{FORMAT} {VERSION}", *headers, "", *lines, ""))
