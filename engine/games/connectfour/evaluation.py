"""An evaluation of unfinished connect four: cells that complete a four, and discs in the centre.

Where both seats fill the columns one after the other, the first seat's discs lie in the odd rows,
counted from 1 at the bottom, and the second's in the even ones: so a threat in a row of one's own
wins in the end (Victor Allis, "A Knowledge-Based Approach of Connect-Four", 1988).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from engine.game import Seat
from engine.games.connectfour.position import FIRST, ConnectFourPosition, EmptyBoard, wins

SCALE: Final = 0.9
THREAT: Final = 6
"""The worth of a cell that completes a four; a disc one column nearer to the centre is worth 1."""
OWN_ROW: Final = 6
"""The worth that such a cell has more in a row of one's own: with it `alphabeta:4` wins 64.7 % of
200 games against itself without, a draw counting half."""
HALF: Final = 20
"""The balance that counts as half of the most that an unfinished position can be worth."""


def threats(position: ConnectFourPosition, seat: Seat) -> float:
    """The balance of the threats, and of how central the discs are, for `seat`, in (-0.9, 0.9)."""
    first, second = position.first, position.second
    empty, taken = position.board, first | second
    theirs = wins(second, taken, empty)
    found = scaled(balance(first, second, wins(first, taken, empty), theirs, empty))
    return found if seat == FIRST else -found


def balance(first: int, second: int, first_wins: int, second_wins: int, empty: EmptyBoard) -> int:
    """The balance for the first seat, by the discs of both and the cells that complete fours."""
    odd = odd_rows(empty)
    found = THREAT * (first_wins.bit_count() - second_wins.bit_count())
    found += OWN_ROW * ((first_wins & odd).bit_count() - (second_wins & ~odd).bit_count())
    for inner in nearer(empty):
        found += (first & inner).bit_count() - (second & inner).bit_count()
    return found


def scaled(balance: int) -> float:
    """A balance as the value of an unfinished position."""
    return SCALE * balance / (abs(balance) + HALF)


@cache
def nearer(empty: EmptyBoard) -> tuple[int, ...]:
    """The columns without the outermost ones, then without the next, to the middle, as bits."""
    columns = sorted(empty.inside_out)
    return tuple(
        sum(columns[outer : len(columns) - outer]) for outer in range(1, (len(columns) + 1) // 2)
    )


@cache
def odd_rows(empty: EmptyBoard) -> int:
    """The cells of the first, the third row and so on from the bottom, as bits."""
    return sum(empty.bottom << row for row in range(0, empty.high - 1, 2))
