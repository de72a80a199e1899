"""The numbers by which winning chances of connect four come true.

They are fitted to games of rules and of alpha-beta three and four plies deep, on 7x6, from the
empty board and after random moves, so that no span of ten points is far off. With few discs the
seat that moved first wins more often than the search tells, above all if it began in the middle. Of
later positions that are still not proven it wins fewer, as many of its own wins are proven by then.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import exp
from typing import Final, TypeAlias

from engine.game import Options
from engine.games.connectfour.position import FIRST, ConnectFourPosition

Curve: TypeAlias = Sequence[tuple[int, float]]
"""Values by discs on the board, ascending; between two of them on a straight line."""

FITTED: Final = "7x6"
LEAD: Final = ((0, 1.3), (3, 1.0), (4, 0.46), (6, 0.58), (8, 0.17), (12, -0.22), (24, -0.54))
"""The log odds that the first seat is ahead of what the search tells."""
AWAY: Final = ((4, -0.82), (12, 0.44))
"""The log odds added if the other seat has the lowest cell in the middle; half if nobody has."""
STEEP: Final = ((8, 1.4), (16, 2.04))
"""The log odds of a win that the search is sure of, in proportion less of a smaller advantage."""
HOPE: Final = 0.09
"""The log odds by which the search tells too much to who is to move: it is the best of many."""


def corrected(position: ConnectFourPosition, chance: float) -> float:
    """The chance of the seat to move as it comes true, by what a search tells; an end is sure."""
    if not 0 < chance < 1:
        return chance
    discs = (position.first | position.second).bit_count()
    lead = at(LEAD, discs) + _away(position) * at(AWAY, discs)
    odds = at(STEEP, discs) * (2 * chance - 1) - HOPE
    return 1 / (1 + exp(-odds - lead if position.turn == FIRST else lead - odds))


def _away(position: ConnectFourPosition) -> float:
    """Tell who has the lowest cell in the middle: 0 the first seat, 1 the other, else a half.

    On an empty board it is the first seat's, whose turn it is.
    """
    if not position.first:
        return 0.0
    holder = position.at(position.columns // 2, 0)
    return 0.5 if holder is None else float(holder != FIRST)


def at(curve: Curve, discs: int) -> float:
    """The value of a curve with so many discs, beyond its ends that of the end."""
    for (left, low), (right, high) in pairwise(curve):
        if discs <= right:
            return low + (high - low) * max(0, discs - left) / (right - left)
    return curve[-1][1]


def checked(options: Options) -> bool:
    """Whether chances were checked against games on such a board."""
    return options.get("size", FITTED) == FITTED
