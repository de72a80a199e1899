"""Tic-tac-toe on square boards of three to five: `line` marks of one seat in a row win.

A move is the index of its cell, counted row by row from the top left. A cell's name is its column's
letter and its row's number from below, so that on 3x3 names and numeric keypad agree:

    0 1 2        a3 b3 c3        7 8 9
    3 4 5        a2 b2 c2        4 5 6
    6 7 8        a1 b1 c1        1 2 3

A position keeps the cells of each seat as the bits of an integer: bit `n` is cell `n`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from engine.game import Move, Seat

CROSSES: Final = Seat(0)
NOUGHTS: Final = Seat(1)
MARKS: Final = "XO"

X_WON: Final = (1.0, -1.0)
O_WON: Final = (-1.0, 1.0)
DRAWN: Final = (0.0, 0.0)

KEPT: Final = 1 << 12
"""The most cached results of functions of cells, about 2 MB, which searches call repeatedly."""


@cache
def lines(size: int, line: int) -> tuple[int, ...]:
    """Every row of `line` cells on a board of `size`, as bits: across, down and both slants."""

    def rows() -> Iterator[int]:
        for top in range(size):
            for left in range(size):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    cells = [(top + down * n, left + right * n) for n in range(line)]
                    if all(0 <= r < size and 0 <= c < size for r, c in cells):
                        yield sum(1 << r * size + c for r, c in cells)

    return tuple(rows())


@cache
def cells(size: int) -> tuple[tuple[Move, int], ...]:
    """Every cell of a board with its bit, from the top left."""
    return tuple((Move(cell), 1 << cell) for cell in range(size * size))


@lru_cache(KEPT)
def has_line(stones: int, size: int, line: int) -> bool:
    """Whether the cells of a seat complete a line."""
    for row in lines(size, line):
        if stones & row == row:
            break
    else:
        return False
    return True


@lru_cache(KEPT)
def free(taken: int, size: int) -> tuple[Move, ...]:
    """The cells that are not taken, ascending."""
    return tuple([cell for cell, bit in cells(size) if not taken & bit])


class TicTacToePosition(NamedTuple):
    """The cells of X, who moves first, and of O, on a board of `size` with `line` to win.

    `turn` is the seat whose mark comes next.
    """

    crosses: int
    noughts: int
    turn: Seat
    size: int
    line: int

    @property
    def last(self) -> int:
        """The cells of the seat that moved last: the only one that may have won."""
        return self.noughts if self.turn == CROSSES else self.crosses

    @property
    def won(self) -> bool:
        """Whether the last mark completed a line."""
        return has_line(self.last, self.size, self.line)

    def moves(self) -> Sequence[Move]:
        """The free cells, ascending; none when the game is over."""
        crosses, noughts, turn, size, line = self
        if has_line(noughts if turn == CROSSES else crosses, size, line):
            return ()
        return free(crosses | noughts, size)

    def odds(self) -> Sequence[float]:
        """Nothing: chance has no move in this game."""
        return ()

    def play(self, move: Move) -> TicTacToePosition:
        """The position after a mark on the cell `move`, which is not checked to be free."""
        crosses, noughts, turn, size, line = self
        if turn == CROSSES:
            after = crosses | 1 << move, noughts, NOUGHTS, size, line
        else:
            after = crosses, noughts | 1 << move, CROSSES, size, line
        # As TicTacToePosition(*after) does, in half of the time: a search does little else.
        return tuple.__new__(TicTacToePosition, after)

    def payoff(self) -> Sequence[float] | None:
        """1 to the seat with a line and -1 to the other, 0 to both on a full board."""
        crosses, noughts, turn, size, line = self
        if has_line(noughts if turn == CROSSES else crosses, size, line):
            return O_WON if turn == CROSSES else X_WON
        return DRAWN if (crosses | noughts).bit_count() == size * size else None

    def __str__(self) -> str:
        """The board, drawn with X, O and dots."""
        marks = [self.mark(cell) or "." for cell, _ in cells(self.size)]
        rows = (marks[at : at + self.size] for at in range(0, len(marks), self.size))
        return "\n".join(map(" ".join, rows))

    def mark(self, cell: Move) -> str:
        """The mark on `cell`: "X", "O" or nothing."""
        if self.crosses >> cell & 1:
            return MARKS[CROSSES]
        return MARKS[NOUGHTS] if self.noughts >> cell & 1 else ""


def stones(position: TicTacToePosition) -> tuple[int, int]:
    """The cells of the seat to move, and those of the other."""
    if position.turn == NOUGHTS:
        return position.noughts, position.crosses
    return position.crosses, position.noughts


def winning_line(position: TicTacToePosition) -> tuple[Move, ...]:
    """The cells of the line, or lines, that won, ascending; empty while nobody has."""
    stones = position.last
    won = 0
    for row in lines(position.size, position.line):
        if stones & row == row:
            won |= row
    return tuple(cell for cell, bit in cells(position.size) if won & bit)


def wins(own: int, other: int, position: TicTacToePosition) -> int:
    """The free cells, as bits, that complete a line for the seat whose cells are `own`."""
    found = 0
    for row in lines(position.size, position.line):
        missing = row & ~own
        if missing & (missing - 1) == 0 and not missing & other:
            found |= missing
    return found


@cache
def cell_name(cell: Move, size: int) -> str:
    """The name of a cell, such as "b2" in the middle of a 3x3 board."""
    row, column = divmod(cell, size)
    return f"{'abcde'[column]}{size - row}"
