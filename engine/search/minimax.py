"""Minimax and its relatives, side by side: five algorithms for two seats without dice.

Each returns the same worth as the others; a seat may move twice in a row. `depth_first` makes a
player of any of them.

- `minimax`, as it is usually taught: two functions that call each other, and one itself where a
  seat moves twice in a row. John von Neumann, "Zur Theorie der Gesellschaftsspiele", 1928; as a
  program for chess Claude Shannon, "Programming a Computer for Playing Chess", 1950.
- `minimax_in_one`, one function, which asks whose turn it is and keeps the highest or the lowest.
- `negamax`: what is good for one seat is as bad for the other, so one function maximises for both.
  The sign turns with the seat to move. Donald Knuth and Ronald Moore, "An Analysis of Alpha-Beta
  Pruning", 1975, call it F.
- `alphabeta`, minimax that leaves out the moves which cannot matter any more. `alpha` is what the
  searching seat is sure of by another line of play, `beta` what the opponent is. Where the two
  meet, one of them will not let the game come here. Knuth and Moore, 1975, in the fail-soft form
  (John Fishburn, 1983): a value outside the window is still a bound.
- `alphabeta_negamax`, alpha-beta on negamax: the window is turned round with the seat. Knuth and
  Moore call it F2; fail-soft.
"""

from __future__ import annotations

import math
from operator import itemgetter

from engine.game import State
from engine.search.depth_first import BEST, WORST, Outlook, Search


def minimax(search: Search, state: State, _floor: float) -> Outlook:
    """The outlook of `state`, one ply from the root, for the searching seat."""
    layer = highest if state.turn == search.seat else lowest
    return layer(search, state, 1)


def highest(search: Search, state: State, ply: int) -> Outlook:
    """The best that the searching seat can reach from `state`, where it is to move."""
    if leaf := search.leaf(state, ply):
        return leaf
    best, line = WORST
    for move in state.moves():
        after = state.play(move)
        layer = highest if after.turn == search.seat else lowest
        value, reply = layer(search, after, ply + 1)
        if value > best:
            best, line = value, (move, *reply)
    return best, line


def lowest(search: Search, state: State, ply: int) -> Outlook:
    """The least that the opponent can leave from `state`, where it is to move."""
    if leaf := search.leaf(state, ply):
        return leaf
    worst, line = BEST
    for move in state.moves():
        after = state.play(move)
        layer = highest if after.turn == search.seat else lowest
        value, reply = layer(search, after, ply + 1)
        if value < worst:
            worst, line = value, (move, *reply)
    return worst, line


def minimax_in_one(search: Search, state: State, _floor: float) -> Outlook:
    """The outlook of `state`, one ply from the root, for the searching seat."""
    return outlook_of(search, state, 1)


def outlook_of(search: Search, state: State, ply: int) -> Outlook:
    """The outlook of `state` for the searching seat; either seat may be to move in it."""
    if leaf := search.leaf(state, ply):
        return leaf
    outlooks = []
    for move in state.moves():
        value, reply = outlook_of(search, state.play(move), ply + 1)
        outlooks.append((value, (move, *reply)))
    choose = max if state.turn == search.seat else min
    return choose(outlooks, key=itemgetter(0))


def negamax(search: Search, state: State, _floor: float) -> Outlook:
    """The outlook of `state`, one ply from the root, for the searching seat."""
    sign = sign_of(search, state)
    value, line = signed_outlook(search, state, 1, sign)
    return sign * value, line


def sign_of(search: Search, state: State) -> int:
    """1 where the searching seat is to move, -1 where the other is."""
    return 1 if state.turn == search.seat else -1


def signed_outlook(search: Search, state: State, ply: int, sign: int) -> Outlook:
    """The outlook of `state` for the seat to move in it: the searching one if `sign` is 1."""
    if leaf := search.leaf(state, ply):
        value, line = leaf
        return sign * value, line
    (best, line), mover = WORST, state.turn
    for move in state.moves():
        after = state.play(move)
        turned = 1 if after.turn == mover else -1
        value, reply = signed_outlook(search, after, ply + 1, turned * sign)
        if turned * value > best:
            best, line = turned * value, (move, *reply)
    return best, line


def alphabeta(search: Search, state: State, floor: float) -> Outlook:
    """The outlook of `state` for the searching seat; up to `floor` an upper bound alone."""
    layer = highest_within if state.turn == search.seat else lowest_within
    return layer(search, state, 1, floor, math.inf)


def highest_within(search: Search, state: State, ply: int, alpha: float, beta: float) -> Outlook:
    """The best that the searching seat can reach from `state`, where it is to move."""
    if leaf := search.leaf(state, ply):
        return leaf
    best, line = WORST
    for move in state.moves():
        after = state.play(move)
        layer = highest_within if after.turn == search.seat else lowest_within
        value, reply = layer(search, after, ply + 1, alpha, beta)
        if value > best:
            best, line = value, (move, *reply)
            if value >= beta:
                search.cutoffs += 1
                break
            alpha = max(alpha, value)
    return best, line


def lowest_within(search: Search, state: State, ply: int, alpha: float, beta: float) -> Outlook:
    """The least that the opponent can leave from `state`, where it is to move."""
    if leaf := search.leaf(state, ply):
        return leaf
    worst, line = BEST
    for move in state.moves():
        after = state.play(move)
        layer = highest_within if after.turn == search.seat else lowest_within
        value, reply = layer(search, after, ply + 1, alpha, beta)
        if value < worst:
            worst, line = value, (move, *reply)
            if value <= alpha:
                search.cutoffs += 1
                break
            beta = min(beta, value)
    return worst, line


def alphabeta_negamax(search: Search, state: State, floor: float) -> Outlook:
    """The outlook of `state` for the searching seat; up to `floor` an upper bound alone."""
    sign = sign_of(search, state)
    alpha, beta = (floor, math.inf) if sign == 1 else (-math.inf, -floor)
    value, line = outlook_within(search, state, 1, sign, alpha=alpha, beta=beta)
    return sign * value, line


def outlook_within(
    search: Search, state: State, ply: int, sign: int, *, alpha: float, beta: float
) -> Outlook:
    """The outlook of `state` for the seat to move in it: the searching one if `sign` is 1."""
    if leaf := search.leaf(state, ply):
        value, line = leaf
        return sign * value, line
    (best, line), mover = WORST, state.turn
    for move in state.moves():
        after = state.play(move)
        if after.turn == mover:
            value, reply = outlook_within(search, after, ply + 1, sign, alpha=alpha, beta=beta)
        else:
            value, reply = outlook_within(search, after, ply + 1, -sign, alpha=-beta, beta=-alpha)
            value = -value
        if value > best:
            best, line = value, (move, *reply)
            if value >= beta:
                search.cutoffs += 1
                break
            alpha = max(alpha, value)
    return best, line
