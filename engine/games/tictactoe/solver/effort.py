"""What a search has cost so far, and when it has to stop."""

from __future__ import annotations

from typing import Final

from engine.search.budget import UNLIMITED, Budget, OutOfBudget

NODES_BETWEEN_LOOKS_AT_THE_CLOCK: Final = 8


class Effort:
    """The nodes and cut-offs of one search under a budget."""

    __slots__ = ("budget", "cutoffs", "nodes", "pause")

    def __init__(self, budget: Budget = UNLIMITED) -> None:
        self.budget = budget
        self.nodes = 0
        self.cutoffs = 0
        self.pause: float = 0

    def visit(self) -> None:
        """Count one more node.

        Raises:
            OutOfBudget: The budget is spent.
        """
        if self.nodes == self.pause:
            if self.budget.spent(self.nodes):
                raise OutOfBudget
            self.pause = min(self.nodes + NODES_BETWEEN_LOOKS_AT_THE_CLOCK, self.budget.nodes)
        self.nodes += 1
