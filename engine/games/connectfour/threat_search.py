"""A search that looks some plies ahead, and judges where it stops by threats and the centre.

Alpha-beta on negamax with safe moves, null windows for all moves but the first, and a table: when a
position is searched again, deeper, its best move comes first. The only answer to a threat costs no
depth. A win or a loss counts `PROVEN` times its score (see `solver`), which is more than any
balance.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from engine.games.connectfour.evaluation import balance
from engine.games.connectfour.position import EmptyBoard
from engine.games.connectfour.solver import SafeMove, first_of, ordered, safe_cells
from engine.search.budget import Effort

PROVEN: Final = 1000
MOST: Final = 100 * PROVEN
MOST_KNOWN: Final = 200_000
UNKNOWN: Final = (-1, -MOST, MOST, 0)


Sides: TypeAlias = tuple[int, int, int, int]
"""The cells of the seat to move and of the other, and those that complete a four for each."""


class ThreatSearch:
    """The values of positions of one board, with a memory of what it has found.

    Of a position it remembers how deep it looked, two bounds of its value, and the best cell.
    """

    def __init__(self, empty: EmptyBoard) -> None:
        self.empty = empty
        self.effort = Effort()
        self.known: dict[int, tuple[int, int, int, int]] = {}

    def value(self, sides: Sides, left: int, depth: int, alpha: int, beta: int) -> int:
        """The value of a position for the seat to move, which cannot win with its next disc.

        `left` counts free cells. Exact between `alpha` and `beta`; outside of them a bound on the
        side where it lies.

        Raises:
            OutOfBudget: The budget of `effort` is spent before the value is known.
        """
        self.effort.visit()
        own, other, _, dangers = sides
        cells = safe_cells(self.empty, own | other, dangers)
        if not cells:
            return -(left // 2) * PROVEN
        if left <= 2:
            return 0
        if cells & (cells - 1):
            if not depth:
                return self._balance(sides, left)
            depth -= 1
        looked, low, high, first = self.known.get(own + own + other, UNKNOWN)
        if looked >= depth:
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
        moves = first_of(ordered(self.empty, own, own | other, cells), first)
        return self._searched(sides, moves, (left, depth), alpha, beta)

    def _searched(
        self,
        sides: Sides,
        moves: Iterable[SafeMove],
        limits: tuple[int, int],
        alpha: int,
        beta: int,
    ) -> int:
        """The value by searching each move: the first in the window, others first for a gain."""
        (own, other, _, dangers), (left, depth) = sides, limits
        best, floor, first = -MOST, alpha, 0
        for _, _, cell, threats in moves:
            after = other, own | cell, dangers & ~cell, threats
            value = floor
            if first:
                value = -self.value(after, left - 1, depth, -floor - 1, -floor)
            if not first or floor < value < beta:
                value = -self.value(after, left - 1, depth, -beta, -floor)
            if value > best:
                best, first = value, cell
                if best >= beta:
                    self.effort.cutoffs += 1
                    break
                floor = max(floor, best)
        if len(self.known) >= MOST_KNOWN:
            self.known.clear()
        low, high = -MOST if best <= alpha else best, MOST if best >= beta else best
        self.known[own + own + other] = depth, low, high, first
        return best

    def _balance(self, sides: Sides, left: int) -> int:
        own, other, threats, dangers = sides
        if (self.empty.cells - left) % 2:
            return -balance(other, own, dangers, threats, self.empty)
        return balance(own, other, threats, dangers, self.empty)
