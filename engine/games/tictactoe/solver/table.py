"""All unfinished positions of 3x3 with ready thoughts: 4,520 entries, no search."""

from __future__ import annotations

from functools import cache

from engine.games.tictactoe.position import TicTacToePosition
from engine.search.agent import Thought
from engine.search.search import FADING, Outlook


@cache
def entry(position: TicTacToePosition) -> tuple[Thought, ...]:
    """A ready thought for each of the best moves of an unfinished position.

    The first call makes the entries of all positions that follow as well: some 30 ms.
    """
    replies = {move: _outlook(position.play(move)) for move in position.moves()}
    values = {move: -_a_ply_later(outlook.value) for move, outlook in replies.items()}
    best = max(values.values())
    return tuple(
        Thought(
            move,
            values=values,
            depth=1 + len(replies[move].line),
            variation=(move, *replies[move].line),
            proven=frozenset(values),
        )
        for move, value in values.items()
        if value == best
    )


def _outlook(position: TicTacToePosition) -> Outlook:
    payoff = position.payoff()
    if payoff is not None:
        return Outlook(payoff[position.turn])
    first = entry(position)[0]
    return Outlook(first.values[first.move], first.variation)


def _a_ply_later(value: float) -> float:
    if value == 0:
        return 0.0
    return value - FADING if value > 0 else value + FADING
