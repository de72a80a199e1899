"""One depth-first search: its counts, its limits, and the worth of an end.

The algorithms themselves stand in modules of their own: `minimax`, `minimax_in_one`, `negamax`,
`alphabeta`, `alphabeta_negamax`. All of them are for two seats that take turns.

A payoff fades by 1/1024 of itself with every ply that lies before it, so that a win is worth more
the sooner it comes and a loss the later. The fraction is exact in binary: algorithms that agree,
agree to the last bit. In the textbooks it does not fade.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from engine.game import Move, Seat, State
from engine.search.budget import Budget, OutOfBudget

Heuristic: TypeAlias = Callable[[Any, Seat], float]
"""An estimate of an unfinished position for a seat, in (-0.9, 0.9): less than any win."""

FADING: Final = 1 / 1024


class Outlook(NamedTuple):
    """The worth of a position, and the play that leads there."""

    value: float
    line: tuple[Move, ...] = ()


WORST: Final = Outlook(-math.inf)
BEST: Final = Outlook(math.inf)


class NotTakingTurns(ValueError):
    """The algorithm is for two seats that take turns; this game has dice, or other turns."""


def unknown(_state: State, _seat: Seat) -> float:
    """Rate any unfinished position as a draw."""
    return 0.0


@dataclass(slots=True)
class Search:
    """One search for the seat `seat`, at most `limit` plies deep, with its counts."""

    seat: Seat
    limit: float
    evaluation: Heuristic
    budget: Budget
    fading: float = FADING
    nodes: int = 0
    cutoffs: int = 0
    deepest: int = 0
    limited: bool = False

    def leaf(self, state: State, ply: int) -> Outlook | None:
        """The outlook of `state` for `seat` if the search ends there, `ply` plies from its root.

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
            return Outlook(payoff[self.seat] * (1 - ply * self.fading))
        if state.turn != (self.seat + ply) % 2:
            raise NotTakingTurns("this algorithm is for two seats that take turns, without dice")
        if ply >= self.limit:
            self.limited = True
            return Outlook(self.evaluation(state, self.seat))
        return None
