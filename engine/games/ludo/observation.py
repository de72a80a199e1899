"""A position of Ludo in numbers, as a seat that learns sees it."""

from __future__ import annotations

from engine.game import Seat
from engine.games.ludo.position import ALL_PIPS, LudoPosition

HOME = 57


def actions(first: LudoPosition) -> int:
    """The number of moves that there may be at a table: one for each token of a seat."""
    return len(first.tokens[0])


def observed(position: LudoPosition, seat: Seat) -> list[float]:
    """Numbers in [0, 1], seats in the order of their turns, the seat itself first.

    The progress of every token, where 1 is home; 1 for the seat whose turn it is; 1 for the pips
    that it has rolled.
    """
    seats = len(position.tokens)
    order = [Seat((seat + later) % seats) for later in range(seats)]
    progress = [token / HOME for each in order for token in position.tokens[each]]
    turn = [float(each == position.seat) for each in order]
    return [*progress, *turn, *(float(pips == position.die) for pips in ALL_PIPS)]
