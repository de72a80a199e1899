"""The strongest connect four player: it proves what it can, and else looks ahead by threats.

From the start it follows a book, until it can prove the result of its moves within the time of one
(`book`). Where a result is proven it never gives it away; with few cells left it also wins the
soonest and loses the latest that it can. Where no proof is in reach, it looks ahead one ply, then
two, and so on.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Final

from engine.games.connectfour.position import ConnectFourPosition, EmptyBoard
from engine.games.connectfour.results import DRAW
from engine.games.connectfour.weighing import Searches, Weighing
from engine.search.agent import Thought
from engine.search.budget import UNLIMITED, Budget, OutOfBudget

UNHURRIED: Final = Budget(nodes=200_000)
"""The budget of a move for which none is set."""

PROVABLE: Final = 34
"""The most cells that are left to fill where a proof is tried."""

TIMED: Final = 28
"""The most cells that are left where it is found out how soon a proven end comes."""

QUICK: Final = 0.3
"""The share of the budget for estimates of all moves where no proof is tried."""

AHEAD: Final = 0.03
PROOF: Final = 0.8
"""The shares of the budget after which the first look ahead, and the proof of results, end."""


@dataclass(frozen=True, slots=True)
class Expert:
    """A player of the best move that it finds.

    It keeps what it found, so that one agent thinks less with every move of a game. With
    `weigh_all` it also values every other move, and keeps nothing: what it says of a position
    depends on that and on the budget alone.
    """

    rng: Random
    weigh_all: bool = False
    known: dict[EmptyBoard, Searches] = field(default_factory=dict, compare=False)

    def think(self, state: ConnectFourPosition, budget: Budget = UNLIMITED) -> Thought:
        """Choose the best move of `state`."""
        if self.weigh_all:
            searches = Searches.of(state.board)
        else:
            searches = self.known.setdefault(state.board, Searches.of(state.board))
        weighing = Weighing(state, searches)
        if self.weigh_all or not weighing.plain:
            with suppress(OutOfBudget):
                self._weigh(weighing, UNHURRIED if budget == UNLIMITED else budget)
        best = weighing.best[0] if self.weigh_all else self.rng.choice(weighing.best)
        return Thought(
            best,
            values=weighing.values,
            nodes=weighing.effort.nodes,
            cutoffs=weighing.effort.cutoffs,
            depth=weighing.depth,
            variation=(best,),
            proven=weighing.proven,
            untimed=weighing.untimed,
            bounds=weighing.bounds,
        )

    def _weigh(self, weighing: Weighing, budget: Budget) -> None:
        """Look ahead a little, prove results, and find out how soon they come, or look further."""
        every = self.weigh_all
        rng = Random(0) if every else self.rng
        provable = weighing.left <= PROVABLE
        if every and not provable:
            budget = budget.part(QUICK)
        first, second = budget.part(AHEAD), budget.part(PROOF)
        with suppress(OutOfBudget):
            weighing.look_ahead(rng, first, every=every)
        if provable:
            with suppress(OutOfBudget):
                weighing.prove(second, every=every)
        if provable and every and len(weighing.proven) == len(weighing.low):
            weighing.time(budget)
        elif every or not weighing.settled:
            weighing.look_ahead(rng, budget, every=every)
        elif weighing.left <= TIMED and weighing.low[weighing.best[0]] != DRAW:
            weighing.time_best(budget)
