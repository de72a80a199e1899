"""The limits of a search, and the count of what it has cost so far."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

NODES_A_LOOK: Final = 8
"""Positions visited between two looks at the clock."""


class OutOfBudget(Exception):
    """The search has to stop; the position that it was looking at has no value yet."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a search: `nodes` positions, and the moment `clock()` reaches `deadline`.

    The clock is passed in, in seconds from any moment; without one only the nodes count.
    """

    nodes: float = math.inf
    deadline: float = math.inf
    clock: Callable[[], float] = lambda: -math.inf

    @classmethod
    def within(
        cls, seconds: float, clock: Callable[[], float], *, nodes: float = math.inf
    ) -> Budget:
        """The budget that ends so many seconds from now; infinitely many set no deadline."""
        return cls(nodes) if math.isinf(seconds) else cls(nodes, clock() + seconds, clock)

    def part(self, share: float) -> Budget:
        """The budget that is spent when so large a share of what is left of this one is."""
        if math.isinf(self.deadline):
            return Budget(self.nodes * share)
        now = self.clock()
        return Budget(self.nodes * share, now + (self.deadline - now) * share, self.clock)

    def at_most(self, nodes: float) -> Budget:
        """This budget, with so many nodes at most."""
        return Budget(min(self.nodes, nodes), self.deadline, self.clock)

    def spent(self, nodes: int) -> bool:
        """Whether a search that has visited `nodes` positions has to stop."""
        return nodes >= self.nodes or self.clock() >= self.deadline


UNLIMITED: Final = Budget()


@dataclass(slots=True)
class Effort:
    """The nodes and cut-offs of one search under a budget."""

    budget: Budget = UNLIMITED
    nodes: int = 0
    cutoffs: int = 0
    pause: float = 0

    def visit(self) -> None:
        """Count one more node.

        Raises:
            OutOfBudget: The budget is spent.
        """
        if self.nodes >= self.pause:
            if self.budget.spent(self.nodes):
                raise OutOfBudget
            self.pause = min(self.nodes + NODES_A_LOOK, self.budget.nodes)
        self.nodes += 1
