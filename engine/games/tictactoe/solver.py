"""The exact value of a position: won, drawn or lost for the seat to move, when both play best.

Alpha-beta on negamax over the values 1, 0 and -1, with four things that make it fast enough for
five by five in pure Python:

- a mark that completes a line, or stops one, is played without looking at any other;
- a potential (`potential`) shows early that a seat can no longer win;
- marks that threaten come first, then those on the lines that matter most to either seat;
- positions already solved are looked up, early ones as their rotations and reflections too.

How soon a position is won, when the winner hurries and the loser delays, is found by asking for a
win in one ply, in three, five and so on. Each is a small search: the winner's last mark but one has
to make two threats, and most answers are forced. This is the idea of threat-space search: Victor
Allis, "Searching for Solutions in Games and Artificial Intelligence", 1994.

The lines of a board are one integer: how many marks each seat has on them, and which are live.
Every line has a field of three bits. A seat's field holds its marks on that line plus 5 - `line`,
so on every board 4 means that one mark is missing and 5 that the line is complete. A line is live
for a seat as long as the other has no mark on it; the set of live lines has the lowest bit of each
field. A mark is one addition for its seat and one mask for the other, over all lines at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from engine.games.tictactoe.position import TicTacToePosition, cells, lines, stones
from engine.search.agent import Effort

FIELD: Final = 3
EMPTY_BEFORE_A_WIN: Final = 5
THREATENING: Final = 64


class Sides(NamedTuple):
    """A position as the seat to move sees it: both seats' cells, marks on lines, live lines."""

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
    """The lines of a board of one size; each is named by the lowest bit of its field."""

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
        """The position after the only mark that stops the lines `dangers`; None if none can."""
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

    It is for positions where no line lacks only one mark. The other seat can stop all the lines if
    this is below 16 and it is not to move, or below 32 and it is (Erdős and Selfridge, "On a
    combinatorial game", 1973).
    """
    low, high = marks & live, marks >> 1 & live
    return live.bit_count() + low.bit_count() + 3 * (high.bit_count() + (low & high).bit_count())


def ordered(board: Board, sides: Sides) -> list[tuple[int, int, int]]:
    """The free cells on live lines, the most important for either seat first.

    Each is a tuple of minus its weight, the cell as a bit, and the lines through it. The weight is
    what the cell adds to the seat's potential and takes from the other's, and more for a threat.
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


Image: TypeAlias = Callable[[int, int, int], tuple[int, int]]

IMAGES: Final[tuple[Image, ...]] = (
    lambda row, column, last: (row, last - column),
    lambda row, column, last: (last - row, column),
    lambda row, column, last: (last - row, last - column),
    lambda row, column, _: (column, row),
    lambda row, column, last: (column, last - row),
    lambda row, column, last: (last - column, row),
    lambda row, column, last: (last - column, last - row),
)


class Symmetry(NamedTuple):
    """The images of every half board: `halves` has a table for the low cells and one for the high.

    An image of a set of cells is then two look-ups, however many cells there are.
    """

    cells: int
    low: int
    halves: tuple[tuple[Sequence[int], Sequence[int]], ...]

    def canonical(self, own: int, other: int) -> int:
        """The smallest of the eight images of a position, as one number."""
        count, low, halves = self
        mask = (1 << low) - 1
        own_low, own_high = own & mask, own >> low
        other_low, other_high = other & mask, other >> low
        best = own | other << count
        for lows, highs in halves:
            image = lows[own_low] | highs[own_high] | (lows[other_low] | highs[other_high]) << count
            best = min(best, image)
        return best


@cache
def symmetry(size: int) -> Symmetry:
    """The symmetry of a square board."""
    count = size * size
    low = (count + 1) // 2

    def images(image: Image, cells: range) -> list[int]:
        table = [0]
        for cell in cells:
            row, column = image(*divmod(cell, size), size - 1)
            table += [taken | 1 << row * size + column for taken in table]
        return table

    halves = ((images(image, range(low)), images(image, range(low, count))) for image in IMAGES)
    return Symmetry(count, low, tuple((lows, highs) for lows, highs in halves))


STOPPED_IF_THEY_MOVE: Final = 16
STOPPED_IF_WE_MOVE: Final = 32
MARKS_WITH_IMAGES: Final = 8
MOST_KNOWN: Final = 1_000_000

LOST: Final = -1
DRAWN: Final = 0
WON: Final = 1


class Solver:
    """A solver for boards of one size and line, with a memory of what it has found."""

    def __init__(self, size: int, line: int) -> None:
        self.board: Board = board(size, line)
        self.symmetry = symmetry(size)
        self.known: dict[int, tuple[int, int]] = {}

    def value(self, sides: Sides, effort: Effort, alpha: int = LOST, beta: int = WON) -> int:
        """The value of an unfinished position for the seat to move.

        It is exact between `alpha` and `beta`; at or below `alpha` it is an upper bound, at or
        above `beta` a lower bound.

        Raises:
            OutOfBudget: The budget is spent before the value is known.
        """
        effort.visit()
        own, other, own_marks, other_marks, own_live, other_live = sides
        if threats(own_marks, own_live):
            return WON
        if dangers := threats(other_marks, other_live):
            forced = self.board.forced(sides, dangers)
            return LOST if forced is None else -self.value(forced, effort, -beta, -alpha)
        high = DRAWN if potential(own_marks, own_live) < STOPPED_IF_THEY_MOVE else WON
        low = DRAWN if potential(other_marks, other_live) < STOPPED_IF_WE_MOVE else LOST
        if max(alpha, low) < min(beta, high):
            key = self._key(own, other)
            if entry := self.known.get(key):
                low, high = max(low, entry[0]), min(high, entry[1])
            if max(alpha, low) < min(beta, high):
                return self._searched(sides, effort, key, max(alpha, low), min(beta, high))
        return low if low >= beta else high

    def _searched(self, sides: Sides, effort: Effort, key: int, alpha: int, beta: int) -> int:
        best = LOST
        for _, cell, through in ordered(self.board, sides):
            value = -self.value(sides.after(cell, through), effort, -beta, -max(alpha, best))
            if value > best:
                best = value
                if best >= beta:
                    effort.cutoffs += 1
                    break
        self._learn(key, best, alpha, beta)
        return best

    def _learn(self, key: int, value: int, alpha: int, beta: int) -> None:
        low, high = self.known.get(key, (LOST, WON))
        if value > alpha:
            low = value
        if value < beta:
            high = value
        if len(self.known) >= MOST_KNOWN:
            self.known.clear()
        self.known[key] = low, high

    def _key(self, own: int, other: int) -> int:
        if (own | other).bit_count() <= MARKS_WITH_IMAGES:
            return self.symmetry.canonical(own, other)
        return own | other << self.symmetry.cells


class Distance:
    """A search for how soon a position is won, with a memory of its answers.

    Its methods raise `OutOfBudget` when the budget is spent before the answer is known.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.known: dict[tuple[int, int, int], bool] = {}

    def won_within(self, sides: Sides, plies: int, effort: Effort) -> bool:
        """Whether the seat to move can win within `plies`, an odd number."""
        effort.visit()
        own, other, own_marks, other_marks, own_live, other_live = sides
        if plies < 1 or threats(own_marks, own_live):
            return plies >= 1
        if dangers := threats(other_marks, other_live):
            forced = self.board.forced(sides, dangers)
            return forced is not None and self.lost_within(forced, plies - 1, effort)
        if plies < 3 or potential(own_marks, own_live) < STOPPED_IF_THEY_MOVE:
            return False
        key = (own, other, plies)
        if key not in self.known:
            self.known[key] = any(
                self.lost_within(sides.after(cell, through), plies - 1, effort)
                for _, cell, through in ordered(self.board, sides)
            )
        return self.known[key]

    def lost_within(self, sides: Sides, plies: int, effort: Effort) -> bool:
        """Whether the seat to move loses within `plies`, an even number, whatever it does."""
        effort.visit()
        _, _, own_marks, other_marks, own_live, other_live = sides
        if plies < 2 or threats(own_marks, own_live):
            return False
        if dangers := threats(other_marks, other_live):
            forced = self.board.forced(sides, dangers)
            return forced is None or self.won_within(forced, plies - 1, effort)
        if plies < 4 or potential(other_marks, other_live) < STOPPED_IF_WE_MOVE:
            return False
        return all(
            self.won_within(sides.after(cell, through), plies - 1, effort)
            for _, cell, through in ordered(self.board, sides)
        )
