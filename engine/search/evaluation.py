"""What an evaluation is: how an agent that stops looking ahead judges where it stopped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, TypeVar

from engine.game import State

S = TypeVar("S", bound=State)

Worth: TypeAlias = Callable[[S], Sequence[float]]
"""What a position is worth to each seat; of an ended game, what it has brought them."""


class Evaluation(Protocol[S]):
    """A way to judge positions; with two seats, what one gains the other loses."""

    def begin(self, state: S) -> tuple[S, Worth[S]]:
        """The position to look ahead from, and how to judge the positions that follow from it.

        The first is `state` itself unless the evaluation has to remember the way.
        """
