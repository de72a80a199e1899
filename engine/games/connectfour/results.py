"""Results of positions: won, drawn or lost when both seats play best.

A result is 1, 0 or -1 for the seat to move. To prove one costs a small part of what it costs to
prove how soon the end comes (`scores`): two null windows at most, with alpha-beta on negamax, safe
moves alone and a table of bounds by Pascal Pons's key ("Solving Connect Four: how to build a
perfect AI", 2016). Two things are seen without a search:

- A seat whose discs and all free cells together make no four cannot win.
- With an even number of free cells, the seat that is not to move may answer each disc with one on
  top of it, and the lowest cell of a column with an odd number of free cells with that of another
  such column. So the other never gets the upper cell of a pair, nor both of two lowest cells that
  are paired, and wins only if what is left makes a four for it (Victor Allis, "A Knowledge-Based
  Approach of Connect-Four", 1988, calls the rules Claimeven and Baseinverse).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from engine.games.connectfour.position import EmptyBoard, has_four
from engine.games.connectfour.safe_moves import ordered, safe_cells
from engine.search.budget import Effort

MOST_KNOWN: Final = 400_000
LOSS, DRAW, WIN = -1, 0, 1
UNKNOWN: Final = (LOSS, WIN)
BELOW: Final = -2


class Results:
    """The results of positions of one board, with a memory of what it has found.

    The seat to move cannot win with its next disc in any of them. `own` and `other` are the cells
    of that seat and of the other, `dangers` those that complete a four for the other, and `left`
    counts free cells.
    """

    def __init__(self, empty: EmptyBoard) -> None:
        self.empty = empty
        self.effort = Effort()
        self.known: dict[int, tuple[int, int]] = {}
        self._lower = lower_cells(empty)

    def bound(self, own: int, other: int, dangers: int, left: int, alpha: int) -> int:
        """A lower bound of the result if it is above `alpha`, an upper bound if it is not.

        Raises:
            OutOfBudget: The budget of `effort` is spent.
        """
        self.effort.visit()
        taken = own | other
        cells = safe_cells(self.empty, taken, dangers)
        if not cells:
            return LOSS
        if left <= 2:
            return DRAW
        key = own + taken
        low, high = self.known.get(key, UNKNOWN)
        if low > alpha or low == high:
            return low
        if high <= alpha:
            return high
        seen = self._seen(own, other, left, alpha)
        if seen is not None:
            return seen
        best = BELOW
        for _, _, cell, threats in ordered(self.empty, own, taken, cells):
            result = -self.bound(other, own | cell, threats, left - 1, -alpha - 1)
            if result > best:
                best = result
                if best > alpha:
                    self.effort.cutoffs += 1
                    break
        if len(self.known) >= MOST_KNOWN:
            self.known.clear()
        self.known[key] = (best, high) if best > alpha else (low, best)
        return best

    def _seen(self, own: int, other: int, left: int, alpha: int) -> int | None:
        """What is seen without a search, if it answers the question of `alpha`."""
        _, high, every, bottom, _, _ = self.empty
        taken = own | other
        free = every ^ taken
        if not has_four((other if alpha else own) | free, high):
            return DRAW
        if left % 2:
            return None
        lower = free & self._lower
        alone = taken + bottom & free & ~lower
        if has_four(own | lower, high):
            return None
        if alone:
            one = alone & -alone
            two = alone ^ one
            ways = (alone,) if two & (two - 1) else (one, two)
            if any(has_four(own | lower | way, high) for way in ways):
                return None
        if has_four(other | free & ~lower & ~alone, high):
            return LOSS
        return None if alpha else DRAW


@cache
def lower_cells(empty: EmptyBoard) -> int:
    """The cells, as bits, above which an odd number of cells lies in their column."""
    rows = empty.high - 1
    return sum(empty.bottom << row for row in range(rows) if (rows - row) % 2 == 0)
