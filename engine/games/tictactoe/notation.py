"""Tic-tac-toe in a terminal: a grid with the names of the free cells in it.

On 3x3 the names are the digits of a numeric keypad, and a1 to c3 are understood as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.game import Move, Seat
from engine.games.tictactoe.position import MARKS, TicTacToePosition, cell_name


class TicTacToeNotation:
    """Draws the grid and names the cells."""

    def seat(self, seat: Seat) -> str:
        """X or O."""
        return MARKS[seat]

    def drawing(self, state: TicTacToePosition) -> str:
        """The grid; a free cell shows its name."""
        size = state.size
        shown = [
            state.mark(cell) or self.names(state, cell)[0] for cell in map(Move, range(size * size))
        ]
        width = max(map(len, shown)) + 2
        rows = [
            "|".join(name.center(width) for name in shown[first : first + size]).rstrip()
            for first in range(0, size * size, size)
        ]
        return ("\n" + "+".join(["-" * width] * size) + "\n").join(rows)

    def names(self, state: TicTacToePosition, move: Move) -> Sequence[str]:
        """The cell's digit on a keypad where there is one, and its letter and number."""
        name = cell_name(move, state.size)
        return (_digit(move), name) if state.size == 3 else (name,)

    def how_to_move(self, state: TicTacToePosition) -> str:
        """The range of names."""
        last = "abcde"[state.size - 1] + str(state.size)
        return "1-9 or a1-c3" if state.size == 3 else f"a1-{last}"


def _digit(cell: Move) -> str:
    """The digit of a 3x3 cell on a numeric keypad, which has 7 8 9 in its top row."""
    row, column = divmod(cell, 3)
    return str(3 * (2 - row) + column + 1)


NOTATION: Final = TicTacToeNotation()
