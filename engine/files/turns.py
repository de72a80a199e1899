"""The turns of a game: the plies that one seat plays, or rolls, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from engine.game import CHANCE, Game, Move, Options, Seat, State, seat_at
from engine.notation import Notation, move_names


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: whose, its first ply counted from 0, and the positions around it.

    A roll for who begins, an `opening`, is a turn of its own.
    """

    seat: Seat
    opening: bool
    ply: int
    moves: tuple[Move, ...]
    before: State
    after: State

    @property
    def end(self) -> int:
        """How many plies have been played after it."""
        return self.ply + len(self.moves)

    def named(self, notes: Notation) -> str:
        """Its moves by their names, what dice show in brackets."""
        return move_names(self.moves, self.before, notes, recorded=True)

    @property
    def rolls(self) -> Iterator[tuple[int, Move]]:
        """Each roll in it: its ply, and what the dice showed."""
        state: State = self.before
        for ply, move in enumerate(self.moves, self.ply):
            if state.turn == CHANCE:
                yield ply, move
            state = state.play(move)


class _Ply(NamedTuple):
    before: Any
    move: Move
    after: Any


def turns(game: Game[Any], seats: int, options: Options, moves: Iterable[Move]) -> Iterator[Turn]:
    """The turns of a game, of moves that are not checked for legality."""

    def whose(ply: _Ply) -> tuple[Seat, bool]:
        return seat_at(ply.before), game.dice and bool(ply.before.opening)

    played = 0
    for (seat, opening), group in groupby(_plies(game.start(seats, options), moves), key=whose):
        plies = list(group)
        made = tuple(ply.move for ply in plies)
        yield Turn(seat, opening, played, made, plies[0].before, plies[-1].after)
        played += len(made)


def _plies(state: State, moves: Iterable[Move]) -> Iterator[_Ply]:
    for move in moves:
        after = state.play(move)
        yield _Ply(state, move, after)
        state = after
