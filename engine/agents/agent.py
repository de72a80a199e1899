"""What an agent is, how long it may think, and what it says it thought."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from engine.game import Move, State

State_contra = TypeVar("State_contra", bound=State, contravariant=True)


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


@dataclass(frozen=True, slots=True)
class Thought:
    """What an agent chose, and what it knows about it.

    `values` has what each legal move is worth to the seat to move, as far as the agent weighs
    moves at all; `nodes` counts positions visited, `cutoffs` branches left out because they could
    not matter, `depth` the plies looked ahead; `variation` is the principal variation, beginning
    with `move`.
    """

    move: Move
    values: Mapping[Move, float] = field(default_factory=dict)
    nodes: int = 0
    cutoffs: int = 0
    depth: int = 0
    variation: tuple[Move, ...] = ()


class Agent(Protocol[State_contra]):
    """A computer player. Given the same random source and position it chooses the same move."""

    def think(self, state: State_contra, budget: Budget = UNLIMITED) -> Thought:
        """A legal move of `state`, which is not over and not at `CHANCE`, within the budget."""
