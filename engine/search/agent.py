"""The contract of a computer player, and the record of what it thought."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from engine.game import Move, State
from engine.search.budget import UNLIMITED, Budget

State_contra = TypeVar("State_contra", bound=State, contravariant=True)


@dataclass(frozen=True, slots=True)
class Thought:
    """The move an agent chose, with all that it knows about it.

    `values` has the worth of each legal move to the seat to move, as far as the agent weighs moves
    at all, `proven` has the moves whose worth is no estimate, `untimed` those of them whose result
    alone is proven, so that the worth does not tell how soon it comes, and `bounds` the least and
    the greatest worth that an estimated move can have, where more is known than that it lies in
    [-1, 1]; `nodes` counts positions visited, `cutoffs` branches left out because they could not
    matter, `depth` the plies looked ahead; `variation` is the principal variation, beginning with
    `move`. An agent that samples has the number of `playouts` behind each move, and in `values`
    their means.
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
