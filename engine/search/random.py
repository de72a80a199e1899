"""The weakest agent, and the yardstick of all others: any legal move, equally likely."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from engine.game import State
from engine.search.agent import Thought
from engine.search.budget import UNLIMITED, Budget


@dataclass(frozen=True, slots=True)
class RandomAgent:
    """A player of any legal move."""

    rng: Random

    def think(self, state: State, budget: Budget = UNLIMITED) -> Thought:  # noqa: ARG002 - it needs none
        """Choose any legal move of `state`."""
        return Thought(self.rng.choice(state.moves()))
