"""Tic-tac-toe in a terminal: a grid with the names of the free cells in it.

On 3x3 the names are the digits of a numeric keypad, and a1 to c3 are understood as well; players
used to other names may have them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.game import Move, Reason, Seat
from engine.games import Plane
from engine.games.tictactoe.position import CROSSES, MARKS, TicTacToePosition, cell_name
from engine.games.tictactoe.review import MarkReason

KEYPAD: Final = "789456123"
"""The digits of a numeric keypad, from the top left."""

HABITS: Final = {
    "first": ("the mark that begins", ("X", "O")),
    "cells": ("numbers of a keypad, or from 0", ("keypad", "zero")),
    "a1": ("where a1 is", ("bottom", "top")),
}
"""Other names that players may be used to: a description and the values, the usual one first."""

REASONS: Final[Mapping[StrEnum, str]] = {
    MarkReason.FORKS: "two threats at once, on {cells}",
    MarkReason.BLOCKS_FORK: "stops two threats at once",
    MarkReason.THREATENS: "threatens {cells}",
    MarkReason.CENTRE: "the centre",
    MarkReason.OPPOSITE_CORNER: "the opposite corner",
    MarkReason.CORNER: "a corner",
    MarkReason.EDGE: "an edge",
    MarkReason.MISSES_WIN: "misses the win on {cells}",
    MarkReason.LETS_WIN: "lets the other win on {cells}",
    MarkReason.LETS_FORK: "lets the other make two threats on {cells}",
}
"""The English of each reason that is more than its name."""


@dataclass(frozen=True, slots=True)
class TicTacToeNotation:
    """The drawing of the grid, and the names of its cells.

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

    def reason(self, state: TicTacToePosition, reason: Reason) -> str:
        """The reason in English, with the names of its cells."""
        cells = " and ".join(self.names(state, Move(cell))[0] for cell in reason.about)
        return REASONS.get(reason.kind, reason.kind.value).format(cells=cells)

    def with_habits(
        self, *, first: str = "X", cells: str = "keypad", a1: str = "bottom"
    ) -> TicTacToeNotation:
        """The notation for players of these `HABITS`."""
        marks = MARKS[::-1] if first == "O" else MARKS
        return TicTacToeNotation(marks, zero=cells == "zero", top=a1 == "top")

    def _shown(self, state: TicTacToePosition, cell: Move) -> str:
        mark = state.mark(cell)
        return self.marks[MARKS.index(mark)] if mark else self.names(state, cell)[0]


NOTATION: Final = TicTacToeNotation()


def actions(first: TicTacToePosition) -> int:
    """The number of moves that there may be at a table: one for each cell."""
    return first.size**2


def observed(position: TicTacToePosition, seat: Seat) -> list[float]:
    """1 for each cell of the seat and 0 for others, then the same for the cells of the other."""
    both = (position.crosses, position.noughts)
    sides = both if seat == CROSSES else reversed(both)
    cells = range(position.size**2)
    return [float(side >> cell & 1) for side in sides for cell in cells]


def planes(position: TicTacToePosition, seat: Seat) -> list[Plane]:
    """The board three times, rows from the top: the seat's cells, the other's, whose turn it is.

    The last is 1 everywhere where the seat is to move, and 0 where it is not.
    """
    size, cells = position.size, observed(position, seat)
    rows = [cells[first : first + size] for first in range(0, len(cells), size)]
    turn = [[float(position.turn == seat)] * size] * size
    return [rows[:size], rows[size:], turn]
