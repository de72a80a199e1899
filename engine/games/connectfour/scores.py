"""Exact scores of positions: won, drawn or lost, and how soon, when both seats play best.

The score of a win counts the winner's discs that are left over: 1 for a win with its last disc and
1 more for each disc sooner. That of a loss is the same for the other seat, negative; a draw is 0.

Null windows narrow a score down, with alpha-beta on negamax, safe moves alone and a table of
bounds: Pascal Pons, "Solving Connect Four: how to build a perfect AI", 2016. Threats of both seats
are handed down here instead of found again in every position.
"""

from __future__ import annotations

from typing import Final

from engine.games.connectfour.position import EmptyBoard
from engine.games.connectfour.safe_moves import ordered, safe_cells
from engine.search.budget import Effort

MOST_KNOWN: Final = 200_000
MOST: Final = 100
UNKNOWN: Final = (-MOST, MOST)


def plies_to(score: int, left: int) -> int:
    """The plies to the end that a score other than 0 tells of, with `left` cells to fill."""
    if score > 0:
        return 2 * ((left + 1) // 2 - score) + 1
    return 2 * (left // 2 + score) + 2


class Scores:
    """The exact scores of positions of one board, with a memory of what it has found.

    The seat to move cannot win with its next disc in any of them. `own` and `other` are the cells
    of that seat and of the other, `dangers` those that complete a four for the other, and `left`
    counts free cells. The methods raise `OutOfBudget` when the budget of `effort` is spent.
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
            if middle <= 0 and low // 2 < middle:  # shallow wins and losses are told sooner
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
        """A lower bound of the score if it is above `alpha`, an upper bound if it is not."""
        self.effort.visit()
        cells = safe_cells(self.empty, own | other, dangers)
        if not cells:
            return -(left // 2)
        if left <= 2:
            return 0
        key = own + own + other
        known = self.known.get(key, UNKNOWN)
        low, high = max(known[0], 1 - left // 2), min(known[1], (left - 1) // 2)
        if low > alpha or low == high:
            return low
        if high <= alpha:
            return high
        best = -MOST
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
        if len(self.known) >= MOST_KNOWN:
            self.known.clear()
        self.known[key] = bounds
