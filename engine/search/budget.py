"""How long a search may take."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final


class OutOfBudget(Exception):
    """The search has to stop here; what it was looking at has no value yet."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much an agent may search: `nodes` positions, and until `clock()` reaches `deadline`.

    The clock is passed in, in seconds from any moment; without one only the nodes count.
    """

    nodes: float = math.inf
    deadline: float = math.inf
    clock: Callable[[], float] = lambda: -math.inf

    def spent(self, nodes: int) -> bool:
        """Whether a search that has visited `nodes` positions has to stop."""
        return nodes >= self.nodes or self.clock() >= self.deadline


UNLIMITED: Final = Budget()
