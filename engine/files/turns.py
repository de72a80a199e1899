"""The turns of a game: the plies that one seat plays, or rolls, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from engine.game import CHANCE, Game, Move, Options, Seat, State, seat_at
from engine.notation import Notation, move_names


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
