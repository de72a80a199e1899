"""Alpha-beta on negamax: one function for both seats, the window turned round with the seat.

Donald Knuth and Ronald Moore, "An Analysis of Alpha-Beta Pruning", 1975, call it F2; fail-soft.
"""

from __future__ import annotations

import math

from engine.game import State
from engine.search.depth_first import WORST, Outlook, Search
from engine.search.negamax import sign_of


def alphabeta_negamax(search: Search, state: State, floor: float) -> Outlook:
    """The outlook of `state` for the searching seat; up to `floor` an upper bound alone."""
    sign = sign_of(search, state)
    alpha, beta = (floor, math.inf) if sign == 1 else (-math.inf, -floor)
    value, line = outlook(search, state, ply=1, sign=sign, alpha=alpha, beta=beta)
    return Outlook(sign * value, line)


def outlook(
    search: Search, state: State, *, ply: int, sign: int, alpha: float, beta: float
) -> Outlook:
    """The outlook of `state` for the seat to move in it: the searching one if `sign` is 1."""
    if leaf := search.leaf(state, ply):
        return Outlook(sign * leaf.value)
    best, mover = WORST, state.turn
    for move in state.moves():
        after = state.play(move)
        if after.turn == mover:
            value, line = outlook(search, after, ply=ply + 1, sign=sign, alpha=alpha, beta=beta)
        else:
            value, line = outlook(search, after, ply=ply + 1, sign=-sign, alpha=-beta, beta=-alpha)
            value = -value
        if value > best.value:
            best = Outlook(value, (move, *line))
        alpha = max(alpha, value)
        if alpha >= beta:
            search.cutoffs += 1
            break
    return best
