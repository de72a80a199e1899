"""A position of connect four in numbers, as a seat that learns sees it."""

from __future__ import annotations

from engine.game import Seat
from engine.games.connectfour.position import FIRST, ConnectFourPosition


def actions(first: ConnectFourPosition) -> int:
    """The number of moves that there may be at a table: one for each column."""
    return first.columns


def observed(position: ConnectFourPosition, seat: Seat) -> list[float]:
    """1 for each cell of the seat and 0 for others, then the same for the cells of the other.

    Cells come column by column, from the bottom.
    """
    both = (position.first, position.second)
    sides = both if seat == FIRST else reversed(both)
    return [
        float(side >> position.cell(column, row) & 1)
        for side in sides
        for column in range(position.columns)
        for row in range(position.rows)
    ]
