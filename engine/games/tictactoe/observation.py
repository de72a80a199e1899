"""A position of tic-tac-toe in numbers, as a seat that learns sees it."""

from __future__ import annotations

from engine.game import Seat
from engine.games import Plane
from engine.games.tictactoe.position import CROSSES, TicTacToePosition


def actions(first: TicTacToePosition) -> int:
    """The number of moves that there may be at a table: one for each cell."""
    return first.size**2


def observed(position: TicTacToePosition, seat: Seat) -> list[float]:
    """1 for each cell of the seat and 0 for others, then the same for the cells of the other."""
    both = (position.crosses, position.noughts)
    sides = both if seat == CROSSES else reversed(both)
    cells = range(position.size**2)
    return [float(side >> cell & 1) for side in sides for cell in cells]


def planes(position: TicTacToePosition, seat: Seat) -> list[Plane]:
    """The board three times, rows from the top: the seat's cells, the other's, whose turn it is.

    The last is 1 everywhere where the seat is to move, and 0 where it is not.
    """
    size, cells = position.size, observed(position, seat)
    rows = [cells[first : first + size] for first in range(0, len(cells), size)]
    turn = [[float(position.turn == seat)] * size] * size
    return [rows[:size], rows[size:], turn]
