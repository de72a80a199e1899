"""A depth-first search: what the classic algorithms count, where they stop, what an end is worth.

The algorithms themselves stand in modules of their own: `minimax`, `minimax_in_one`, `negamax`,
`alphabeta`, `alphabeta_negamax`. All of them are for two seats that take turns.

A payoff fades by 1/1024 of itself with every ply that lies before it, so that a win is worth more
the sooner it comes and a loss the later. The fraction is exact in binary: algorithms that agree,
agree to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from engine.game import Move, Seat, State
from engine.search.budget import Budget, OutOfBudget

Heuristic: TypeAlias = Callable[[Any, Seat], float]
"""What an unfinished position seems worth to a seat, in (-0.9, 0.9): less than any win."""

FADING: Final = 1 / 1024


class Outlook(NamedTuple):
    """What a position is worth, and the play that leads there."""

    value: float
    line: tuple[Move, ...] = ()


WORST: Final = Outlook(-math.inf)
BEST: Final = Outlook(math.inf)


class NotTakingTurns(ValueError):
    """The algorithm is for two seats that take turns; this game has dice, or other turns."""


def unknown(_state: State, _seat: Seat) -> float:
    """The evaluation that sees nothing: as good as a draw."""
    return 0.0


class Search:
    """One search for the seat `seat`, at most `limit` plies deep: its counts and its leaves."""

    __slots__ = ("budget", "cutoffs", "deepest", "evaluation", "limit", "limited", "nodes", "seat")

    def __init__(self, seat: Seat, *, limit: float, evaluation: Heuristic, budget: Budget) -> None:
        self.seat = seat
        self.limit = limit
        self.evaluation = evaluation
        self.budget = budget
        self.nodes = 0
        self.cutoffs = 0
        self.deepest = 0
        self.limited = False

    def leaf(self, state: State, ply: int) -> Outlook | None:
        """What `state` is worth to `seat` if the search ends here, `ply` plies from its root.

        Raises:
            OutOfBudget: The budget is spent.
            NotTakingTurns: Neither seat, or the wrong one, is to move.
        """
        if self.budget.spent(self.nodes):
            raise OutOfBudget
        self.nodes += 1
        self.deepest = max(self.deepest, ply)
        payoff = state.payoff()
        if payoff is not None:
            return Outlook(payoff[self.seat] * (1 - ply * FADING))
        if state.turn != (self.seat + ply) % 2:
            raise NotTakingTurns("this algorithm is for two seats that take turns, without dice")
        if ply >= self.limit:
            self.limited = True
            return Outlook(self.evaluation(state, self.seat))
        return None
