"""Records as text that people read, turn by turn; the package's docstring has the format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from engine.files.record import FORMAT, VERSION, Record
from engine.game import CHANCE, Game, Move, Options, Seat, State, seat_at
from engine.notation import Notation, move_names, notation


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: its seat, its first ply counted from 0, and the positions around it.

    `rolls` are those in it: the ply of each, and the pips. A roll for who begins, an `opening`, is
    a turn of its own.
    """

    seat: Seat
    opening: bool
    ply: int
    moves: tuple[Move, ...]
    rolls: tuple[tuple[int, Move], ...]
    before: State
    after: State

    @property
    def end(self) -> int:
        """The number of plies until its end, from the game's start."""
        return self.ply + len(self.moves)

    def named(self, notes: Notation) -> str:
        """The names of its moves, with rolls in brackets."""
        return move_names(self.moves, self.before, notes, recorded=True)


def turns(game: Game[Any], seats: int, options: Options, moves: Sequence[Move]) -> Iterator[Turn]:
    """The turns of a game, of moves that are not checked for legality."""

    def whose(state: Any) -> tuple[Seat, bool]:  # noqa: ANN401 - any game's position
        return seat_at(state), game.dice and bool(state.opening)

    path = game.path(seats, options, moves)
    ply = 0
    for (seat, opening), befores in groupby(path[:-1], key=whose):
        end = ply + len(list(befores))
        rolls = tuple((at, moves[at]) for at in range(ply, end) if path[at].turn == CHANCE)
        yield Turn(seat, opening, ply, tuple(moves[ply:end]), rolls, path[ply], path[end])
        ply = end


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
