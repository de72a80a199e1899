"""Tic-tac-toe in a terminal: a grid with the names of the free cells in it.

On 3x3 the names are the digits of a numeric keypad, and a1 to c3 are understood as well; players
used to other names may have them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.game import Move, Seat
from engine.games.tictactoe.position import MARKS, TicTacToePosition, cell_name

KEYPAD: Final = "789456123"
"""The digits of a numeric keypad, from the top left."""


@dataclass(frozen=True, slots=True)
class TicTacToeNotation:
    """Draws the grid and names the cells.

    `marks` are those of the seats in the order of play. Under `zero` cells have the numbers of
    records, from 0 at the top left, instead of a keypad's; under `top` a1 is at the top left.
    """

    marks: str = MARKS
    zero: bool = False
    top: bool = False

    def seat(self, seat: Seat) -> str:
        """X or O."""
        return self.marks[seat]

    def drawing(self, state: TicTacToePosition) -> str:
        """The grid; a free cell shows its name."""
        size = state.size
        shown = [self._shown(state, cell) for cell in map(Move, range(size * size))]
        width = max(map(len, shown)) + 2
        rows = [
            "|".join(name.center(width) for name in shown[first : first + size]).rstrip()
            for first in range(0, size * size, size)
        ]
        return ("\n" + "+".join(["-" * width] * size) + "\n").join(rows)

    def names(self, state: TicTacToePosition, move: Move) -> Sequence[str]:
        """The cell's number where it has one, and its letter and number."""
        row, _ = divmod(move, state.size)
        name = cell_name(move, state.size)
        if self.top:
            name = f"{name[0]}{row + 1}"
        if self.zero:
            return (str(move), name)
        return (KEYPAD[move], name) if state.size == 3 else (name,)

    def how_to_move(self, state: TicTacToePosition) -> str:
        """The range of names."""
        size = state.size
        numbers = f"0-{size * size - 1} or " if self.zero else "1-9 or " if size == 3 else ""
        return f"{numbers}a1-{'abcde'[size - 1]}{size}"

    def _shown(self, state: TicTacToePosition, cell: Move) -> str:
        mark = state.mark(cell)
        return self.marks[MARKS.index(mark)] if mark else self.names(state, cell)[0]


NOTATION: Final = TicTacToeNotation()
