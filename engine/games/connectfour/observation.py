"""A position of connect four in numbers, as a seat that learns sees it."""

from __future__ import annotations

from engine.game import Seat
from engine.games import Plane
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


def planes(position: ConnectFourPosition, seat: Seat) -> list[Plane]:
    """The board three times, rows from the top: the seat's discs, the other's, whose turn it is.

    The last is 1 everywhere where the seat is to move, and 0 where it is not.
    """
    columns, rows, cells = position.columns, position.rows, observed(position, seat)
    own, other = (
        [
            [cells[side * columns * rows + column * rows + row] for column in range(columns)]
            for row in reversed(range(rows))
        ]
        for side in range(2)
    )
    return [own, other, [[float(position.turn == seat)] * columns] * rows]
