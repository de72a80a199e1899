"""Minimax as it is usually taught: two functions that call each other.

John von Neumann, "Zur Theorie der Gesellschaftsspiele", 1928; as a program for chess Claude
Shannon, "Programming a Computer for Playing Chess", 1950.
"""

from __future__ import annotations

from engine.game import State
from engine.search.search import BEST, WORST, Outlook, Search


def minimax(search: Search, state: State, _floor: float) -> Outlook:
    """The outlook of `state`, one ply from the root, for the searching seat."""
    return lowest(search, state, ply=1)


def highest(search: Search, state: State, *, ply: int) -> Outlook:
    """The best that the searching seat can reach from `state`, where it is to move."""
    if leaf := search.leaf(state, ply):
        return leaf
    best = WORST
    for move in state.moves():
        value, line = lowest(search, state.play(move), ply=ply + 1)
        if value > best.value:
            best = Outlook(value, (move, *line))
    return best


def lowest(search: Search, state: State, *, ply: int) -> Outlook:
    """The least that the opponent can leave from `state`, where it is to move."""
    if leaf := search.leaf(state, ply):
        return leaf
    worst = BEST
    for move in state.moves():
        value, line = highest(search, state.play(move), ply=ply + 1)
        if value < worst.value:
            worst = Outlook(value, (move, *line))
    return worst
