"""Minimax as it is usually taught: two functions that call each other.

One calls itself where a seat moves twice in a row.

John von Neumann, "Zur Theorie der Gesellschaftsspiele", 1928; as a program for chess Claude
Shannon, "Programming a Computer for Playing Chess", 1950.
"""

from __future__ import annotations

from engine.game import State
from engine.search.depth_first import BEST, WORST, Outlook, Search


def minimax(search: Search, state: State, _floor: float) -> Outlook:
    """The outlook of `state`, one ply from the root, for the searching seat."""
    layer = highest if state.turn == search.seat else lowest
    return layer(search, state, ply=1)


def highest(search: Search, state: State, *, ply: int) -> Outlook:
    """The best that the searching seat can reach from `state`, where it is to move."""
    if leaf := search.leaf(state, ply):
        return leaf
    best = WORST
    for move in state.moves():
        after = state.play(move)
        layer = highest if after.turn == search.seat else lowest
        value, line = layer(search, after, ply=ply + 1)
        if value > best.value:
            best = Outlook(value, (move, *line))
    return best


def lowest(search: Search, state: State, *, ply: int) -> Outlook:
    """The least that the opponent can leave from `state`, where it is to move."""
    if leaf := search.leaf(state, ply):
        return leaf
    worst = BEST
    for move in state.moves():
        after = state.play(move)
        layer = highest if after.turn == search.seat else lowest
        value, line = layer(search, after, ply=ply + 1)
        if value < worst.value:
            worst = Outlook(value, (move, *line))
    return worst
