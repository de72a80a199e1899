"""The strongest connect four player: it proves what it can, and else looks ahead by threats.

With few cells left to fill it proves its best move: it wins where a win exists, the soonest it can,
never gives a draw away, and loses as late as it can. Where the proof takes more than its share of
the budget, it looks ahead one ply, then two, and so on.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Final

from engine.games.connectfour.position import ConnectFourPosition, EmptyBoard
from engine.games.connectfour.scores import Scores
from engine.games.connectfour.threat_search import ThreatSearch
from engine.games.connectfour.weighing import Weighing
from engine.search.agent import Thought
from engine.search.budget import UNLIMITED, Budget, Effort, OutOfBudget

UNHURRIED: Final = Budget(nodes=200_000)
"""The budget of a move for which none is set."""

SHARES: Final = ((30, 0.6), (36, 0.2))
"""The share of the budget that a proof may take, by the most cells that are left to fill."""


@dataclass(frozen=True, slots=True)
class Expert:
    """A player of the best move that it finds.

    With `weigh_all` it also values every other move. It keeps what it found, so that one agent
    thinks less with every move of a game.
    """

    rng: Random
    weigh_all: bool = False
    known: dict[EmptyBoard, tuple[Scores, ThreatSearch]] = field(
        default_factory=dict, compare=False
    )

    def think(self, state: ConnectFourPosition, budget: Budget = UNLIMITED) -> Thought:
        """Choose the best move of `state`."""
        empty = state.board
        scores, search = self.known.setdefault(empty, (Scores(empty), ThreatSearch(empty)))
        search.effort = Effort()
        weighing = Weighing(state, scores, search)
        if self.weigh_all or not weighing.plain:
            self._weigh(weighing, UNHURRIED if budget == UNLIMITED else budget)
        best = self.rng.choice(weighing.best)
        return Thought(
            best,
            values=dict(sorted(weighing.values.items())),
            nodes=search.effort.nodes,
            cutoffs=search.effort.cutoffs,
            depth=weighing.depth,
            variation=(best,),
            proven=frozenset(weighing.proven),
        )

    def _weigh(self, weighing: Weighing, budget: Budget) -> None:
        share = next((share for most, share in SHARES if weighing.left <= most), 0)
        weighing.scores.effort = effort = Effort(budget.part(share) if share else Budget(nodes=0))
        with suppress(OutOfBudget):
            if self.weigh_all:
                weighing.prove_all()
            else:
                weighing.prove_best()
        weighing.search.effort = Effort(budget, effort.nodes, effort.cutoffs)
        with suppress(OutOfBudget):
            weighing.deepen(self.rng, every=self.weigh_all)
