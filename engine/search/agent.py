"""The contract of a computer player: what it thought, and the limits of its search."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from engine.game import Move, State

NODES_A_LOOK: Final = 8
"""The positions visited between two checks of the clock."""


class OutOfBudget(Exception):
    """The budget is spent: the search has to stop, without a value for its current position."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a search: `nodes` positions, and the time `deadline` of `clock`.

    `clock` returns seconds, as `time.perf_counter` does; without one only the nodes count.
    """

    nodes: float = math.inf
    deadline: float = math.inf
    clock: Callable[[], float] = lambda: -math.inf

    @classmethod
    def within(
        cls, seconds: float, clock: Callable[[], float], *, nodes: float = math.inf
    ) -> Budget:
        """A budget that ends `seconds` from now; infinite ones set no deadline."""
        return cls(nodes) if math.isinf(seconds) else cls(nodes, clock() + seconds, clock)

    def part(self, share: float) -> Budget:
        """A budget of this share of this one's nodes and remaining seconds."""
        if math.isinf(self.deadline):
            return Budget(self.nodes * share)
        now = self.clock()
        return Budget(self.nodes * share, now + (self.deadline - now) * share, self.clock)

    def at_most(self, nodes: float) -> Budget:
        """This budget, limited to `nodes` as well."""
        return Budget(min(self.nodes, nodes), self.deadline, self.clock)

    def spent(self, nodes: int) -> bool:
        """Whether a search that has visited `nodes` positions has to stop."""
        return nodes >= self.nodes or self.clock() >= self.deadline


UNLIMITED: Final = Budget()


@dataclass(slots=True)
class Effort:
    """Counts the nodes and cut-offs of one search, and enforces its budget."""

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


State_contra = TypeVar("State_contra", bound=State, contravariant=True)


@dataclass(frozen=True, slots=True)
class Thought:
    """The move an agent chose, with what it knows about all moves.

    `values` has each legal move's value for the seat to move, as far as the agent weighs moves.
    Moves in `proven` have a proven result; those also in `untimed` have a value that does not tell
    how soon it comes. `bounds` has the least and the greatest value of an estimated move, where
    that is narrower than [-1, 1]. `nodes` counts positions visited, `cutoffs` the cut-offs, `depth`
    is in plies; `variation` is the principal variation, beginning with `move`. An agent that
    samples has each move's number of `playouts`, and their means in `values`.
    """

    move: Move
    values: Mapping[Move, float] = field(default_factory=dict)
    nodes: int = 0
    cutoffs: int = 0
    depth: int = 0
    variation: tuple[Move, ...] = ()
    proven: frozenset[Move] = frozenset()
    untimed: frozenset[Move] = frozenset()
    bounds: Mapping[Move, tuple[float, float]] = field(default_factory=dict)
    playouts: Mapping[Move, int] = field(default_factory=dict)


class Agent(Protocol[State_contra]):
    """A computer player. Given the same random source and position it chooses the same move."""

    def think(self, state: State_contra, budget: Budget = UNLIMITED) -> Thought:
        """Choose a legal move of `state`, which is not over and not at `CHANCE`, in the budget."""
