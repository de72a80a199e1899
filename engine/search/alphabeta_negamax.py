"""Alpha-beta on negamax: one function for both seats, the window turned round at every ply.

Donald Knuth and Ronald Moore, "An Analysis of Alpha-Beta Pruning", 1975, call it F2; fail-soft.
"""

from __future__ import annotations

import math

from engine.game import State
from engine.search.search import WORST, Outlook, Search


def alphabeta_negamax(search: Search, state: State, floor: float) -> Outlook:
    """What `state`, one ply from the root, is worth to the seat that searches.

    A value that is not above `floor` is only an upper bound.
    """
    value, line = outlook(search, state, ply=1, sign=-1, alpha=-math.inf, beta=-floor)
    return Outlook(-value, line)


def outlook(
    search: Search, state: State, *, ply: int, sign: int, alpha: float, beta: float
) -> Outlook:
    """What `state` is worth to the seat to move in it: the one that searches if `sign` is 1."""
    if leaf := search.leaf(state, ply):
        return Outlook(sign * leaf.value)
    best = WORST
    for move in state.moves():
        value, line = outlook(
            search, state.play(move), ply=ply + 1, sign=-sign, alpha=-beta, beta=-alpha
        )
        if -value > best.value:
            best = Outlook(-value, (move, *line))
        alpha = max(alpha, -value)
        if alpha >= beta:
            search.cutoffs += 1
            break
    return best
