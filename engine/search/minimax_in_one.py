"""Minimax in one function, which asks whose turn it is and keeps the highest or the lowest."""

from __future__ import annotations

from operator import attrgetter

from engine.game import State
from engine.search.depth_first import Outlook, Search


def minimax_in_one(search: Search, state: State, _floor: float) -> Outlook:
    """The outlook of `state`, one ply from the root, for the searching seat."""
    return outlook(search, state, ply=1)


def outlook(search: Search, state: State, *, ply: int) -> Outlook:
    """The outlook of `state` for the searching seat; either seat may be to move in it."""
    if leaf := search.leaf(state, ply):
        return leaf
    replies = []
    for move in state.moves():
        value, line = outlook(search, state.play(move), ply=ply + 1)
        replies.append(Outlook(value, (move, *line)))
    choose = max if state.turn == search.seat else min
    return choose(replies, key=attrgetter("value"))
