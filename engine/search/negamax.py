"""Negamax: what is good for one seat is as bad for the other, so one function maximises for both.

The sign turns with the seat to move, so not where a seat moves twice in a row.

Donald Knuth and Ronald Moore, "An Analysis of Alpha-Beta Pruning", 1975, call it F.
"""

from __future__ import annotations

from engine.game import State
from engine.search.depth_first import WORST, Outlook, Search


def negamax(search: Search, state: State, _floor: float) -> Outlook:
    """The outlook of `state`, one ply from the root, for the searching seat."""
    sign = sign_of(search, state)
    value, line = outlook(search, state, ply=1, sign=sign)
    return Outlook(sign * value, line)


def sign_of(search: Search, state: State) -> int:
    """1 where the searching seat is to move, -1 where the other is."""
    return 1 if state.turn == search.seat else -1


def outlook(search: Search, state: State, *, ply: int, sign: int) -> Outlook:
    """The outlook of `state` for the seat to move in it: the searching one if `sign` is 1."""
    if leaf := search.leaf(state, ply):
        return Outlook(sign * leaf.value)
    best, mover = WORST, state.turn
    for move in state.moves():
        after = state.play(move)
        turned = 1 if after.turn == mover else -1
        value, line = outlook(search, after, ply=ply + 1, sign=turned * sign)
        if turned * value > best.value:
            best = Outlook(turned * value, (move, *line))
    return best
