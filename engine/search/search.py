"""One depth-first search: its counts, its limits, and the worth of an end.

The algorithms themselves stand in modules of their own: `minimax`, `minimax_in_one`, `negamax`,
`alphabeta`, `alphabeta_negamax`. All of them are for two seats without dice; a seat may move twice
in a row.

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

BOTH: Final = (0, 1)
"""The seats of a game for two."""


class Outlook(NamedTuple):
    """The worth of a position, and the play that leads there."""

    value: float
    line: tuple[Move, ...] = ()


WORST: Final = Outlook(-math.inf)
BEST: Final = Outlook(math.inf)


class NotForTwo(ValueError):
    """The algorithm is for two seats; this game has dice, or more seats."""


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
            NotForTwo: Neither seat is to move.
        """
        if self.budget.spent(self.nodes):
            raise OutOfBudget
        self.nodes += 1
        self.deepest = max(self.deepest, ply)
        payoff = state.payoff()
        if payoff is not None:
            return Outlook(payoff[self.seat] * (1 - ply * self.fading))
        if state.turn not in BOTH:
            raise NotForTwo("this algorithm is for two seats, without dice")
        if ply >= self.limit:
            self.limited = True
            return Outlook(self.evaluation(state, self.seat))
        return None
