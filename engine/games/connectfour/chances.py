"""The numbers that bring winning chances of connect four nearer to what games come to.

They are fitted to games of rules and of alpha-beta three and four plies deep, on 7x6. With few
discs the seat that moved first wins more often than the search tells. Of later positions that are
still not proven it wins fewer, as many of its own wins are proven by then.
"""

from __future__ import annotations

from typing import Final

from engine.game import Options
from engine.games.connectfour.position import FIRST, ConnectFourPosition

STEEP: Final = 1.34
LEAD: Final = (1.06, -0.192, 0.0057)
"""The log odds that the first seat is ahead of what the search tells: by 1, discs, and discs²."""


def fitted(_seats: int, _options: Options) -> tuple[float, float]:
    """The steepness and the bend, at every table the same."""
    return STEEP, 0.0


def lead(position: ConnectFourPosition) -> float:
    """The log odds that the seat to move is ahead of what the search tells."""
    discs = (position.first | position.second).bit_count()
    always, each, squared = LEAD
    found = always + each * discs + squared * discs**2
    return found if position.turn == FIRST else -found


def checked(_options: Options) -> bool:
    """Whether chances were checked against enough games: they are not, so they are told as such."""
    return False
