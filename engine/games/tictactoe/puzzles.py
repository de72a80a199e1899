"""The puzzles of tic-tac-toe: a proven win, or a proven draw where all else loses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.game import Options
from engine.games.tictactoe.position import TicTacToePosition, stones
from engine.games.tictactoe.solver.symmetry import symmetry

DAYS: Final[Mapping[int, tuple[tuple[str, Options], ...]]] = {
    0: (("win", {"size": 4, "line": 3}),),
    1: (("win", {"size": 4, "line": 4}),),
    3: (("win", {"size": 4, "line": 4}),),
    4: (("win", {"size": 5, "line": 4}),),
    5: (("win", {"size": 4, "line": 4}), ("win", {"size": 5, "line": 4})),
    6: (("hold", {"size": 5, "line": 4}),),
}
"""The tasks and boards of each day of the week, Monday is 0."""

CARELESS: Final = "rules-corner"
"""The agent that plays to a puzzle, with random moves in between."""

LEVELS: Final = ("rules-corner", "alphabeta:2")
"""The computers of Parlour between one that is random and one that knows, as agents."""


def fits(position: TicTacToePosition) -> bool:
    """Whether enough marks stand on the board to look it over."""
    return len(position.moves()) <= position.size * (position.size - 1) - 2


def canonical(position: TicTacToePosition) -> object:
    """The position, the same for all that turn or mirror into each other."""
    return position.size, position.line, symmetry(position.size).canonical(*stones(position))
