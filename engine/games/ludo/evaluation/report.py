"""The evaluation of a student report: a sum of the events on the way.

A token that leaves the yard +7; a move, its pips; a token that comes home +25 instead of its pips;
a capture, half of the steps that the victim had walked, and for the victim minus those steps and 9
(the report's text says 2, its program 9). Positions as such are worth nothing, so the position that
is searched remembers the way. With two seats a seat is worth what it has gained over its rival, in
a game of teams what it and its partner have gained over theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from engine.game import CHANCE, Move, Seat
from engine.games.ludo.board import YARD
from engine.games.ludo.position import LudoPosition
from engine.search.expectiminimax import Worth

LEFT_YARD = 7
CAME_HOME = 25
CAPTURED = 9


class _Way(NamedTuple):
    """A position with the gains of each seat on the way to it."""

    position: LudoPosition
    gains: tuple[float, ...]

    @property
    def turn(self) -> Seat:
        return self.position.turn

    def moves(self) -> Sequence[Move]:
        return self.position.moves()

    def odds(self) -> Sequence[float]:
        return self.position.odds()

    def payoff(self) -> Sequence[float] | None:
        return self.position.payoff()

    def play(self, move: Move) -> _Way:
        position = self.position
        after = position.play(move)
        if position.turn == CHANCE:
            return _Way(after, self.gains)
        return _Way(after, _gained(self.gains, position, move))


class StudentReport:
    """The evaluation named `report`."""

    def begin(self, state: LudoPosition) -> tuple[_Way, Worth[_Way]]:
        """The position with nothing gained yet, and the sum of the gains."""
        two_sides = state.table.seats == 2 or state.table.rules.teams
        worth: Worth[_Way] = _lead if two_sides else attrgetter("gains")
        return _Way(state, (0.0,) * state.table.seats), worth


def _lead(way: _Way) -> tuple[float, ...]:
    """The lead of each of two sides, whose seats alternate, over the other."""
    lead = sum(way.gains[::2]) - sum(way.gains[1::2])
    return (lead, -lead) * (len(way.gains) // 2)


def _gained(gains: tuple[float, ...], position: LudoPosition, move: Move) -> tuple[float, ...]:
    sums = list(gains)
    owner = position.owner
    before, target = position.tokens[owner][move], position.target(move)
    if target >= position.table.home_from:
        sums[owner] += CAME_HOME
    else:
        sums[owner] += LEFT_YARD if before == YARD else position.die
    for rival, token in position.victims(move):
        steps = position.tokens[rival][token]
        sums[owner] += steps / 2
        sums[rival] -= steps + CAPTURED
    return tuple(sums)
