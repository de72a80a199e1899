"""Every unfinished position of 3x3 with all that can be said about it: 4,520 entries, no search."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

from engine.game import Move
from engine.games.tictactoe import GAME, TicTacToePosition
from engine.search.agent import Thought
from engine.search.search import FADING, Outlook

Thoughts: TypeAlias = tuple[Thought, ...]
"""A ready thought for each of the best moves."""


@cache
def table() -> Mapping[TicTacToePosition, Thoughts]:
    """The entries of all unfinished positions, made in some 30 ms when they are first asked for."""
    start = GAME.start(2, {})
    entries: dict[TicTacToePosition, Thoughts] = {}
    _enter(start, entries, {})
    return entries


def _enter(
    position: TicTacToePosition,
    entries: dict[TicTacToePosition, Thoughts],
    outlooks: dict[TicTacToePosition, Outlook],
) -> Outlook:
    """What `position` is worth to its seat to move; it and all that follows are entered."""
    if position in outlooks:
        return outlooks[position]
    payoff = position.payoff()
    if payoff is not None:
        outlook = Outlook(payoff[position.turn])
    else:
        replies = {
            move: _enter(position.play(move), entries, outlooks) for move in position.moves()
        }
        entries[position] = entry = _entry(replies)
        first = entry[0]
        outlook = Outlook(first.values[first.move], first.variation)
    outlooks[position] = outlook
    return outlook


def _entry(replies: Mapping[Move, Outlook]) -> Thoughts:
    values = {move: -_a_ply_later(outlook.value) for move, outlook in replies.items()}
    best = max(values.values())
    return tuple(
        Thought(
            move,
            values=values,
            depth=1 + len(replies[move].line),
            variation=(move, *replies[move].line),
        )
        for move, value in values.items()
        if value == best
    )


def _a_ply_later(value: float) -> float:
    """What a value is worth one ply earlier, where it has faded by one ply more."""
    if value == 0:
        return 0.0
    return value - FADING if value > 0 else value + FADING
