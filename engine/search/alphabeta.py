"""Alpha-beta on minimax: minimax that leaves out the moves which cannot matter any more.

`alpha` is what the searching seat is sure of by another line of play, `beta` what the opponent is.
Where the two meet, one of them will not let the game come here. Donald Knuth and Ronald Moore,
"An Analysis of Alpha-Beta Pruning", 1975. This is the fail-soft form (John Fishburn, 1983): a value
outside the window is still a bound.
"""

from __future__ import annotations

import math

from engine.game import State
from engine.search.depth_first import BEST, WORST, Outlook, Search


def alphabeta(search: Search, state: State, floor: float) -> Outlook:
    """The outlook of `state` for the searching seat; up to `floor` an upper bound alone."""
    layer = highest if state.turn == search.seat else lowest
    return layer(search, state, ply=1, alpha=floor, beta=math.inf)


def highest(search: Search, state: State, *, ply: int, alpha: float, beta: float) -> Outlook:
    """The best that the searching seat can reach from `state`, where it is to move."""
    if leaf := search.leaf(state, ply):
        return leaf
    best = WORST
    for move in state.moves():
        after = state.play(move)
        layer = highest if after.turn == search.seat else lowest
        value, line = layer(search, after, ply=ply + 1, alpha=alpha, beta=beta)
        if value > best.value:
            best = Outlook(value, (move, *line))
        alpha = max(alpha, value)
        if alpha >= beta:
            search.cutoffs += 1
            break
    return best


def lowest(search: Search, state: State, *, ply: int, alpha: float, beta: float) -> Outlook:
    """The least that the opponent can leave from `state`, where it is to move."""
    if leaf := search.leaf(state, ply):
        return leaf
    worst = BEST
    for move in state.moves():
        after = state.play(move)
        layer = highest if after.turn == search.seat else lowest
        value, line = layer(search, after, ply=ply + 1, alpha=alpha, beta=beta)
        if value < worst.value:
            worst = Outlook(value, (move, *line))
        beta = min(beta, value)
        if beta <= alpha:
            search.cutoffs += 1
            break
    return worst
