"""A board of connect four as a value: the columns, the discs that lie in them, the fours.

Columns are numbered from 0 at the left and rows from 0 at the bottom; a move is a column. A cell
is the number of a bit: a column has a bit for each row and one more that stays empty, so that no
four goes on in the next column. Seven columns and six rows:

    5 12 19 26 33 40 47
    4 11 18 25 32 39 46
    3 10 17 24 31 38 45
    2  9 16 23 30 37 44
    1  8 15 22 29 36 43
    0  7 14 21 28 35 42

Shifting a set of cells moves all of them at once. The layout, and how fours and the cells that
complete one are found in it, are John Tromp's ("Fhourstones", 1996) and Pascal Pons's ("Solving
Connect Four: how to build a perfect AI", 2016).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from engine.game import Move, Seat

FIRST: Final = Seat(0)
SECOND: Final = Seat(1)
MARKS: Final = "XO"

FIRST_WON: Final = (1.0, -1.0)
SECOND_WON: Final = (-1.0, 1.0)
DRAWN: Final = (0.0, 0.0)


class EmptyBoard(NamedTuple):
    """The cells of an empty board, as bits; `high` is the bits of a column."""

    cells: int
    high: int
    every: int
    bottom: int
    inside_out: tuple[int, ...]
    """The cells of every column, those in the middle first."""
    tops: tuple[tuple[Move, int], ...]
    """The highest cell of every column, by the column."""


@cache
def board(columns: int, rows: int) -> EmptyBoard:
    """The cells of a board of this size."""
    high = rows + 1
    bottom = sum(1 << column * high for column in range(columns))
    column = (1 << rows) - 1
    middle_first = sorted(range(columns), key=lambda n: abs(2 * n - columns + 1))
    return EmptyBoard(
        cells=columns * rows,
        high=high,
        every=bottom * column,
        bottom=bottom,
        inside_out=tuple(column << n * high for n in middle_first),
        tops=tuple((Move(n), 1 << n * high + rows - 1) for n in range(columns)),
    )


class ConnectFourPosition(NamedTuple):
    """The cells of the seat that moves first, and of the other, on a board of this size.

    `turn` is the seat whose disc comes next.
    """

    first: int
    second: int
    turn: Seat
    columns: int
    rows: int

    @property
    def won(self) -> bool:
        """Whether the last disc completed a four."""
        return has_four(self.second if self.turn == FIRST else self.first, self.rows + 1)

    def moves(self) -> Sequence[Move]:
        """The columns with a free cell, ascending; none when the game is over."""
        first, second, turn, columns, rows = self
        if has_four(second if turn == FIRST else first, rows + 1):
            return ()
        taken = first | second
        return [column for column, top in board(columns, rows).tops if not taken & top]

    def odds(self) -> Sequence[float]:
        """Nothing: chance has no move in this game."""
        return ()

    def play(self, move: Move) -> ConnectFourPosition:
        """The position after a disc in the column `move`, which is not checked to have room."""
        first, second, turn, columns, rows = self
        taken = first | second
        disc = taken + (1 << move * (rows + 1)) & ~taken
        if turn == FIRST:
            after = first | disc, second, SECOND, columns, rows
        else:
            after = first, second | disc, FIRST, columns, rows
        # As ConnectFourPosition(*after) does, in half of the time: a search does little else.
        return tuple.__new__(ConnectFourPosition, after)

    def payoff(self) -> Sequence[float] | None:
        """1 to the seat with a four and -1 to the other, 0 to both on a full board."""
        first, second, turn, columns, rows = self
        if has_four(second if turn == FIRST else first, rows + 1):
            return SECOND_WON if turn == FIRST else FIRST_WON
        return DRAWN if first | second == board(columns, rows).every else None

    @property
    def board(self) -> EmptyBoard:
        """The empty board."""
        return board(self.columns, self.rows)

    def cell(self, column: int, row: int) -> int:
        """The number of a cell."""
        return column * (self.rows + 1) + row

    def place(self, cell: int) -> tuple[int, int]:
        """The column and the row of a cell."""
        return divmod(cell, self.rows + 1)

    def at(self, column: int, row: int) -> Seat | None:
        """The seat whose disc lies there, if any does."""
        cell = self.cell(column, row)
        if self.first >> cell & 1:
            return FIRST
        return SECOND if self.second >> cell & 1 else None

    def height(self, column: int) -> int:
        """The number of discs in a column: the row in which its next one lies."""
        high = self.rows + 1
        return ((self.first | self.second) >> column * high & (1 << high) - 1).bit_count()

    def __str__(self) -> str:
        """The board, drawn with X, O and dots."""
        return "\n".join(
            " ".join(self.mark(column, row) or "." for column in range(self.columns))
            for row in reversed(range(self.rows))
        )

    def mark(self, column: int, row: int) -> str:
        """The mark of the disc that lies there: "X" for the first seat, "O", or nothing."""
        seat = self.at(column, row)
        return "" if seat is None else MARKS[seat]


def discs(position: ConnectFourPosition) -> tuple[int, int]:
    """The cells of the seat to move, and those of the other."""
    first, second = position.first, position.second
    return (second, first) if position.turn == SECOND else (first, second)


def directions(high: int) -> tuple[int, int, int, int]:
    """The steps to the next cell of a four: up, slanting down, to the right, slanting up."""
    return 1, high - 1, high, high + 1


def has_four(own: int, high: int) -> bool:
    """Whether four of the cells lie in a row."""
    for step in directions(high):
        pairs = own & own >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def wins(own: int, taken: int, empty: EmptyBoard) -> int:
    """The free cells, as bits, that complete a four, whether a disc can reach them now or not."""
    found = own << 1 & own << 2 & own << 3
    for step in directions(empty.high)[1:]:
        pairs = own << step & own << 2 * step
        found |= pairs & (own << 3 * step | own >> step)
        pairs = own >> step & own >> 2 * step
        found |= pairs & (own >> 3 * step | own << step)
    return found & (empty.every ^ taken)


def next_cells(taken: int, empty: EmptyBoard) -> int:
    """The cells, as bits, in which the next disc may lie."""
    return taken + empty.bottom & empty.every


def winning_cells(position: ConnectFourPosition) -> int:
    """The cells, as bits, in which the seat to move wins at once."""
    own, other = discs(position)
    taken, empty = own | other, position.board
    return wins(own, taken, empty) & next_cells(taken, empty)


def columns_of(cells: int, position: ConnectFourPosition) -> list[Move]:
    """The columns, ascending, of a set of cells."""
    return sorted({Move(position.place(cell)[0]) for cell in numbers(cells)})


def numbers(cells: int) -> Iterator[int]:
    """Yield the number of each cell of a set, ascending."""
    while cells:
        yield (cells & -cells).bit_length() - 1
        cells &= cells - 1


def winning_line(position: ConnectFourPosition) -> tuple[int, ...]:
    """The cells of the four, or fours, that won, ascending; empty while nobody has."""
    own, high = discs(position)[1], position.rows + 1
    won = 0
    for step in directions(high):
        pairs = own & own >> step
        begins = pairs & pairs >> 2 * step
        for n in range(4):
            won |= begins << n * step
    return tuple(numbers(won))


def cell_name(position: ConnectFourPosition, cell: int) -> str:
    """The name of a cell, such as "d1" at the bottom of the middle column of seven."""
    column, row = position.place(cell)
    return f"{'abcdefghi'[column]}{row + 1}"
