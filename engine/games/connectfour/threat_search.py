"""A search that looks some plies ahead, and evaluates the leaves by threats and the centre.

Alpha-beta on negamax with safe moves, null windows for all moves but the first, and a table: when a
position is searched again, deeper, its best move comes first. A forced answer to a threat costs no
depth. The value of a win or loss is `PROVEN` times its score (see `solver`), more than any balance.

Where both seats fill the columns one after the other, the first seat's discs lie in the odd rows,
counted from 1 at the bottom, and the second's in the even ones: so a threat in a row of one's own
wins in the end (Victor Allis, "A Knowledge-Based Approach of Connect-Four", 1988).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final, TypeAlias

from engine.game import Seat
from engine.games.connectfour.position import FIRST, ConnectFourPosition, EmptyBoard, wins
from engine.games.connectfour.solver import SafeMove, first_of, ordered, safe_cells
from engine.search.agent import Effort

SCALE: Final = 0.9
THREAT: Final = 6
"""The points of a cell that completes a four; a disc has 1 for each column nearer to the centre."""
OWN_ROW: Final = 6
"""The extra points of such a cell in a row of one's own: with them `alphabeta:4` wins 64.7 % of
200 games against itself without, a draw counting half."""
HALF: Final = 20
"""The balance that is valued at half of `SCALE`, the limit for an unfinished position."""


def threats(position: ConnectFourPosition, seat: Seat) -> float:
    """The balance of threats and central discs, as a value for `seat` in (-0.9, 0.9)."""
    first, second = position.first, position.second
    empty, taken = position.board, first | second
    theirs = wins(second, taken, empty)
    found = scaled(balance(first, second, wins(first, taken, empty), theirs, empty))
    return found if seat == FIRST else -found


def balance(first: int, second: int, first_wins: int, second_wins: int, empty: EmptyBoard) -> int:
    """The first seat's points less the second's, by both seats' discs and completing cells."""
    odd = odd_rows(empty)
    found = THREAT * (first_wins.bit_count() - second_wins.bit_count())
    found += OWN_ROW * ((first_wins & odd).bit_count() - (second_wins & ~odd).bit_count())
    for inner in nearer(empty):
        found += (first & inner).bit_count() - (second & inner).bit_count()
    return found


def scaled(balance: int) -> float:
    """A balance in points as the value of an unfinished position, in (-0.9, 0.9)."""
    return SCALE * balance / (abs(balance) + HALF)


@cache
def nearer(empty: EmptyBoard) -> tuple[int, ...]:
    """Bits of the columns without the outermost of either side, without the outer two and so on."""
    columns = sorted(empty.inside_out)
    return tuple(
        sum(columns[outer : len(columns) - outer]) for outer in range(1, (len(columns) + 1) // 2)
    )


@cache
def odd_rows(empty: EmptyBoard) -> int:
    """The cells of the first, the third row and so on from the bottom, as bits."""
    return sum(empty.bottom << row for row in range(0, empty.high - 1, 2))


PROVEN: Final = 1000
MOST: Final = 100 * PROVEN
MOST_KNOWN: Final = 200_000
UNKNOWN: Final = (-1, -MOST, MOST, 0)


Sides: TypeAlias = tuple[int, int, int, int]
"""The cells of the seat to move, those of the other, and the cells that complete fours of each."""


class ThreatSearch:
    """A search of positions on one board, which remembers what it has found.

    `known` has for each position the depth of its search, two bounds of its value, its best cell.
    """

    def __init__(self, empty: EmptyBoard) -> None:
        self.empty = empty
        self.effort = Effort()
        self.known: dict[int, tuple[int, int, int, int]] = {}

    def value(self, sides: Sides, left: int, depth: int, alpha: int, beta: int) -> int:
        """The value of a position for the seat to move, which cannot win with its next disc.

        `left` counts free cells. The value is exact between `alpha` and `beta`; at or below
        `alpha` it is an upper bound, at or above `beta` a lower bound.

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
        """The value from searching each move, all but the first with a null window at first."""
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
