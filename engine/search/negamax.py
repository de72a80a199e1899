"""Negamax: what is good for one seat is as bad for the other, so one function maximises for both.

Donald Knuth and Ronald Moore, "An Analysis of Alpha-Beta Pruning", 1975, call it F.
"""

from __future__ import annotations

from engine.game import State
from engine.search.search import WORST, Outlook, Search


def negamax(search: Search, state: State, _floor: float) -> Outlook:
    """The outlook of `state`, one ply from the root, for the searching seat."""
    value, line = outlook(search, state, ply=1, sign=-1)
    return Outlook(-value, line)


def outlook(search: Search, state: State, *, ply: int, sign: int) -> Outlook:
    """The outlook of `state` for the seat to move in it: the searching one if `sign` is 1."""
    if leaf := search.leaf(state, ply):
        return Outlook(sign * leaf.value)
    best = WORST
    for move in state.moves():
        value, line = outlook(search, state.play(move), ply=ply + 1, sign=-sign)
        if -value > best.value:
            best = Outlook(-value, (move, *line))
    return best
