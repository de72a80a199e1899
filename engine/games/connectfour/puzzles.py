"""The puzzles of connect four: a proven win, or a proven draw where all else loses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.game import Options
from engine.games.connectfour.position import ConnectFourPosition

BOARD: Final = {"size": "7x6"}

DAYS: Final[Mapping[int, tuple[tuple[str, Options, int], ...]]] = {
    1: (("win", BOARD, 2),),
    5: (("win", BOARD, 3), ("win", BOARD, 4)),
    6: (("hold", BOARD, 0),),
}
"""The tasks, boards and own discs to a win of each day of the week, Monday is 0."""

CARELESS: Final = "rules"
"""The agent that plays to a puzzle, with random moves in between."""

LEVELS: Final = ("rules", "alphabeta:4")
"""The computers of Parlour between one that is random and one that knows, as agents."""

FEWEST, MOST = 8, 20
"""So many cells are left to fill: more would take too long to prove."""


def fits(position: ConnectFourPosition) -> bool:
    """Whether few enough cells are left, and enough for a plan."""
    taken = (position.first | position.second).bit_count()
    return FEWEST <= position.board.cells - taken <= MOST


def canonical(position: ConnectFourPosition) -> object:
    """The position, the same for one that mirrors into it."""
    lines = [line.split() for line in str(position).splitlines()]
    return min(lines, [line[::-1] for line in lines])
