"""The agents for connect four alone, and the evaluations of its unfinished games.

The player by rules looks at most one ply ahead: it completes a four, stops one, does not play below
a cell that wins for the other, makes two threats at once, and prefers the centre.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from engine.game import Move
from engine.games.connectfour.expert import Expert
from engine.games.connectfour.position import (
    ConnectFourPosition,
    EmptyBoard,
    columns_of,
    discs,
    next_cells,
    numbers,
    wins,
)
from engine.games.connectfour.threat_search import threats
from engine.search.agent import UNLIMITED, Budget, Thought
from engine.search.depth_first import Heuristic, unknown
from engine.search.players import Player


@dataclass(frozen=True, slots=True)
class ConnectFourRules:
    """A player by the first of its rules that applies: any of the moves which that rule allows."""

    rng: Random

    def think(self, state: ConnectFourPosition, budget: Budget = UNLIMITED) -> Thought:  # noqa: ARG002 - it needs none
        """Choose a move by the first rule that applies."""
        return Thought(self.rng.choice(self.choices(state)))

    def choices(self, position: ConnectFourPosition) -> Sequence[Move]:
        """The moves that the rule allows, among which chance decides."""
        return columns_of(next(cells for cells in allowed(position) if cells), position)


def allowed(position: ConnectFourPosition) -> Iterator[int]:
    """Yield the cells that each rule allows, as bits; a rule that does not apply allows none."""
    own, other = discs(position)
    empty, taken = position.board, own | other
    playable = next_cells(taken, empty)
    yield playable & wins(own, taken, empty)
    dangers = wins(other, taken, empty)
    yield playable & dangers
    safe = playable & ~(dangers >> 1) or playable
    yield forks(own, other, safe, empty)
    yield most_central(position, safe)


def forks(own: int, other: int, cells: int, empty: EmptyBoard) -> int:
    """The cells among `cells` after which one answer does not stop all fours of the next move."""
    found = 0
    for cell in numbers(cells):
        disc = 1 << cell
        taken = own | other | disc
        threats = wins(own | disc, taken, empty)
        near = threats & next_cells(taken, empty)
        if near & (near - 1) or near << 1 & threats:
            found |= disc
    return found


def most_central(position: ConnectFourPosition, cells: int) -> int:
    """The cells among `cells` that are nearest to the middle column, or columns."""
    distance = {
        cell: abs(2 * position.place(cell)[0] - position.columns + 1) for cell in numbers(cells)
    }
    return sum(1 << cell for cell, far in distance.items() if far == min(distance.values()))


PLAYERS: Final = (
    Player("rules", lambda rng, _: ConnectFourRules(rng), searching=False),
    Player("expert", lambda rng, setting: Expert(rng, setting.weigh_all), endless=True),
)

EVALUATIONS: Final[Mapping[str, Heuristic]] = {"threats": threats, "none": unknown}

USUAL: Final = "rules"

REVIEWER: Final = "expert"

LOOK: Final = 12_000
"""The positions that the reviewer may visit to weigh the moves of one."""
