"""Solves positions: their results (win, draw or loss) and scores (how soon); orders their moves.

A result is 1, 0 or -1 for the seat to move. The score of a win is 1 if the winner needs its last
disc, and 1 more for each disc sooner; the score of a loss is the other seat's, negated; a draw
is 0. A result is much cheaper to prove than a score: with two null windows at most, where a score
is narrowed down step by step.

Both are alpha-beta on negamax with safe moves alone and a table of bounds by Pascal Pons's key
("Solving Connect Four: how to build a perfect AI", 2016). Threats of both seats are passed down
here, not found again in every position. Two rules give a result without a search:

- A seat whose discs and all free cells together make no four cannot win.
- With an even number of free cells, the seat that is not to move may answer each disc with one on
  top of it, and the lowest cell of a column with an odd number of free cells with that of another
  such column. So the seat to move never gets the upper cell of a pair, nor both cells of a pair of
  lowest ones, and wins only if a four fits into the rest (Victor Allis, "A Knowledge-Based
  Approach of Connect-Four", 1988, calls the rules Claimeven and Baseinverse).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, TypeAlias

from engine.games.connectfour.position import EmptyBoard, has_four
from engine.search.agent import Effort

SafeMove: TypeAlias = tuple[int, int, int, int]
"""A move for sorting: minus the number of cells that then complete a four for its seat, the rank
of its column from the middle, its cell as a bit, and the cells counted first as bits."""


def safe_cells(empty: EmptyBoard, taken: int, dangers: int) -> int:
    """The cells, as bits, after which the other seat does not win with its next disc.

    `dangers` are the cells that complete a four for the other seat.
    """
    playable = taken + empty.bottom & empty.every
    if forced := playable & dangers:
        if forced & (forced - 1):
            return 0
        playable = forced
    return playable & ~(dangers >> 1)


def ordered(empty: EmptyBoard, own: int, taken: int, cells: int) -> Sequence[SafeMove]:
    """The moves to `cells` of the seat with the cells `own`, the most promising first.

    Moves that make more cells complete a four come first, then those nearer to the middle: Pascal
    Pons, "Solving Connect Four: how to build a perfect AI", 2016.
    """
    _, high, every, _, inside_out, _ = empty
    free = every & ~taken
    found = []
    for rank, column in enumerate(inside_out):
        if cell := cells & column:
            discs = own | cell
            wins = discs << 1 & discs << 2 & discs << 3
            for step in (high - 1, high, high + 1):  # as `wins` does, where a call would cost
                up, down = discs << step, discs >> step
                pairs = up & discs << 2 * step
                wins |= pairs & (discs << 3 * step | down)
                pairs = down & discs >> 2 * step
                wins |= pairs & (discs >> 3 * step | up)
            wins &= free ^ cell
            found.append((-wins.bit_count(), rank, cell, wins))
    found.sort()
    return found


def first_of(moves: Sequence[SafeMove], cell: int) -> Sequence[SafeMove]:
    """The moves, the one to `cell` first; as they are if `cell` is 0."""
    return sorted(moves, key=lambda move: move[2] != cell) if cell else moves


MOST_RESULTS: Final = 400_000
LOSS, DRAW, WIN = -1, 0, 1
ANY_RESULT: Final = (LOSS, WIN)
BELOW: Final = -2


class Results:
    """A solver of results on one board, which remembers what it has found.

    It takes positions whose seat to move cannot win with its next disc. `own` and `other` are the
    cells of that seat and of the other, `dangers` those that complete a four for the other, `left`
    the number of free cells.
    """

    def __init__(self, empty: EmptyBoard) -> None:
        self.empty = empty
        self.effort = Effort()
        self.known: dict[int, tuple[int, int]] = {}
        self._lower = lower_cells(empty)

    def bound(self, own: int, other: int, dangers: int, left: int, alpha: int) -> int:
        """A lower bound of the result if that is above `alpha`, else an upper bound.

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
        low, high = self.known.get(key, ANY_RESULT)
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
        if len(self.known) >= MOST_RESULTS:
            self.known.clear()
        self.known[key] = (best, high) if best > alpha else (low, best)
        return best

    def _seen(self, own: int, other: int, left: int, alpha: int) -> int | None:
        """The bound that the two rules give without a search; None if they do not decide."""
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


MOST_SCORES: Final = 200_000
BEST_SCORE: Final = 100
ANY_SCORE: Final = (-BEST_SCORE, BEST_SCORE)


def plies_to(score: int, left: int) -> int:
    """The plies to the end by a score other than 0, with `left` cells to fill."""
    if score > 0:
        return 2 * ((left + 1) // 2 - score) + 1
    return 2 * (left // 2 + score) + 2


class Scores:
    """A solver of exact scores on one board, which remembers what it has found.

    It takes positions whose seat to move cannot win with its next disc. `own` and `other` are the
    cells of that seat and of the other, `dangers` those that complete a four for the other, `left`
    the number of free cells. The methods raise `OutOfBudget` when the budget of `effort` is spent.
    """

    def __init__(self, empty: EmptyBoard) -> None:
        self.empty = empty
        self.effort = Effort()
        self.known: dict[int, tuple[int, int]] = {}

    def score(self, own: int, other: int, dangers: int, left: int) -> int:
        """The score of a position for the seat to move."""
        low, high = -(left // 2), (left - 1) // 2
        while low < high:
            middle = (low + high) // 2
            if middle <= 0 and low // 2 < middle:  # quick wins and losses are found faster
                middle = -(-low // 2)
            elif middle >= 0 and high // 2 > middle:
                middle = high // 2
            found = self.bound(own, other, dangers, left, middle)
            if found <= middle:
                high = found
            else:
                low = found
        return low

    def bound(self, own: int, other: int, dangers: int, left: int, alpha: int) -> int:
        """A lower bound of the score if that is above `alpha`, else an upper bound."""
        self.effort.visit()
        cells = safe_cells(self.empty, own | other, dangers)
        if not cells:
            return -(left // 2)
        if left <= 2:
            return 0
        key = own + own + other
        known = self.known.get(key, ANY_SCORE)
        low, high = max(known[0], 1 - left // 2), min(known[1], (left - 1) // 2)
        if low > alpha or low == high:
            return low
        if high <= alpha:
            return high
        best = -BEST_SCORE
        for _, _, cell, threats in ordered(self.empty, own, own | other, cells):
            score = -self.bound(other, own | cell, threats, left - 1, -alpha - 1)
            if score > best:
                best = score
                if best > alpha:
                    self.effort.cutoffs += 1
                    break
        self._learn(key, (best, high) if best > alpha else (low, best))
        return best

    def _learn(self, key: int, bounds: tuple[int, int]) -> None:
        if len(self.known) >= MOST_SCORES:
            self.known.clear()
        self.known[key] = bounds
