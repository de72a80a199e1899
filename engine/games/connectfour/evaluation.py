"""An evaluation of unfinished connect four: cells that complete a four, and discs in the centre."""

from __future__ import annotations

from functools import cache
from typing import Final

from engine.game import Seat
from engine.games.connectfour.position import FIRST, ConnectFourPosition, wins

SCALE: Final = 0.9
THREAT: Final = 6
"""The worth of a cell that completes a four; a disc one column nearer to the centre is worth 1."""
HALF: Final = 20
"""The balance that counts as half of the most that an unfinished position can be worth."""


def threats(position: ConnectFourPosition, seat: Seat) -> float:
    """The balance of the threats, and of how central the discs are, for `seat`, in (-0.9, 0.9)."""
    first, second, columns, rows = position
    empty, taken = position.board, first | second
    balance = THREAT * (
        wins(first, taken, empty).bit_count() - wins(second, taken, empty).bit_count()
    )
    for inner in nearer(columns, rows):
        balance += (first & inner).bit_count() - (second & inner).bit_count()
    value = SCALE * balance / (abs(balance) + HALF)
    return value if seat == FIRST else -value


@cache
def nearer(columns: int, rows: int) -> tuple[int, ...]:
    """The columns without the outermost ones, then without the next, to the middle, as bits."""
    high = rows + 1
    return tuple(
        sum((1 << rows) - 1 << column * high for column in range(outer, columns - outer))
        for outer in range(1, (columns + 1) // 2)
    )
