"""All lines of a board in one integer: how many marks each seat has on them, and which are live.

Every line has a field of three bits. A seat's field holds its marks on that line plus 5 - `line`,
so on every board 4 means that one mark is missing and 5 that the line is complete. A line is live
for a seat as long as the other has no mark on it; the set of live lines has the lowest bit of each
field. A mark is one addition for its seat and one mask for the other, over all lines at once.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from engine.games.tictactoe.position import TicTacToePosition, cells, lines, stones

FIELD: Final = 3
EMPTY_BEFORE_A_WIN: Final = 5
THREATENING: Final = 64


class Sides(NamedTuple):
    """A position from the seat to move: cells, marks on every line, live lines, of both."""

    own: int
    other: int
    own_marks: int
    other_marks: int
    own_live: int
    other_live: int

    def after(self, cell: int, through: int) -> Sides:
        """The position when the seat to move marks `cell`, with the lines `through` it."""
        own, other, own_marks, other_marks, own_live, other_live = self
        return Sides(
            other, own | cell, other_marks, own_marks + through, other_live & ~through, own_live
        )


class Board(NamedTuple):
    """The lines of a board of one size, by their cells and by the cells they go through."""

    size: int
    every: int
    """The lowest bit of every field."""
    cells_of: dict[int, int]
    """The cells of a line, by the lowest bit of its field."""
    through: dict[int, int]
    """The lines through a cell, by the cell's bit; cells on most lines first."""

    def missing(self, lines: int, sides: Sides) -> int:
        """The free cells, as bits, of the given lines."""
        found = 0
        while lines:
            found |= self.cells_of[lines & -lines]
            lines &= lines - 1
        return found & ~(sides.own | sides.other)

    def forced(self, sides: Sides, dangers: int) -> Sides | None:
        """The position after the one mark that stops the lines `dangers`; None if none does."""
        cell = self.missing(dangers, sides)
        return None if cell & (cell - 1) else sides.after(cell, self.through[cell])

    def sides(self, position: TicTacToePosition) -> Sides:
        """The sides of `position`."""
        own, other = stones(position)
        before = self.every * (EMPTY_BEFORE_A_WIN - position.line)
        marks = [before, before]
        live = [self.every, self.every]
        for cell, through in self.through.items():
            for side, taken in enumerate((own, other)):
                if taken & cell:
                    marks[side] += through
                    live[1 - side] &= ~through
        return Sides(own, other, *marks, *live)


@cache
def board(size: int, line: int) -> Board:
    """The lines of a board of `size` with `line` in a row to win."""
    fields = {1 << FIELD * n: row for n, row in enumerate(lines(size, line))}
    through = {
        bit: sum(field for field, row in fields.items() if row & bit) for _, bit in cells(size)
    }
    most_first = sorted(through.items(), key=lambda item: -item[1].bit_count())
    return Board(size, sum(fields), fields, dict(most_first))


def threats(marks: int, live: int) -> int:
    """The live lines that lack one mark."""
    return marks >> 2 & live


def potential(marks: int, live: int) -> int:
    """The sum, over the live lines, of two to the power of a line's field.

    No line may lack one mark only. A player who has to stop all the lines can, if this is below 16
    with the other to move, or below 32 with the stopper to move (Erdős and Selfridge, "On a
    combinatorial game", 1973).
    """
    low, high = marks & live, marks >> 1 & live
    return live.bit_count() + low.bit_count() + 3 * (high.bit_count() + (low & high).bit_count())


def ordered(board: Board, sides: Sides) -> list[tuple[int, int, int]]:
    """The free cells on live lines, by how much they matter to either seat.

    Each comes with its weight, negated, and the lines through it. A cell weighs what it adds to
    the potential of its seat and takes from the other's; cells that make a threat come before all.
    """
    own, other, own_marks, other_marks, own_live, other_live = sides
    own_low, own_high = own_marks & own_live, own_marks >> 1 & own_live
    other_low, other_high = other_marks & other_live, other_marks >> 1 & other_live
    own_both, other_both = own_low & own_high, other_low & other_high  # never of the same line
    taken = own | other
    once = own_live | other_live << 1 | own_low << 2
    thrice = own_high | other_high << 1 | (own_both | other_both) << 2
    found = []
    for cell, through in board.through.items():
        if taken & cell:
            continue
        fields = 7 * through
        weight = (
            (once & fields).bit_count()
            + (other_low & through).bit_count()
            + 3 * (thrice & fields).bit_count()
        )
        if own_both & through:
            weight += THREATENING
        if weight:
            found.append((-weight, cell, through))
    found.sort()
    return found
