"""An evaluation of unfinished tic-tac-toe: the lines that each seat can still complete.

A line without marks of the opponent counts 1 for a seat, and four times as much with each mark
of its own on it. Counting open lines is Nils Nilsson's, "Problem-Solving Methods in Artificial
Intelligence", 1971; the weights are this module's.
"""

from __future__ import annotations

from typing import Final

from engine.game import Seat
from engine.games.tictactoe.position import CROSSES, TicTacToePosition, lines

WEIGHT: Final = 4
SCALE: Final = 0.9


def open_lines(position: TicTacToePosition, seat: Seat) -> float:
    """The balance of the open lines for `seat`, in (-0.9, 0.9)."""
    crosses, noughts = position.crosses, position.noughts
    mine = theirs = 0
    for row in lines(position.size, position.line):
        if not row & noughts:
            mine += WEIGHT ** (row & crosses).bit_count()
        if not row & crosses:
            theirs += WEIGHT ** (row & noughts).bit_count()
    balance = SCALE * (mine - theirs) / (mine + theirs + 1)
    return balance if seat == CROSSES else -balance
