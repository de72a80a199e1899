"""Protocols of the use cases: what they need from outside and have in two kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from bot.table.session import Session
from engine.game import Move

T = TypeVar("T")


class Unreachable(Exception):
    """Discord takes no messages for now."""


class OutOfReach(Exception):
    """A channel is gone, or the bot may not write there."""


class Thinker(Protocol):
    """A chooser of moves for computers."""

    async def move(self, session: Session) -> Move:
        """A legal move for the computer whose turn it is."""

    def quick(self, session: Session) -> Move | None:
        """A move from an agent that takes well under a millisecond; None for the others."""


class Workers(Protocol):
    """Processes, each of which does one piece of work at a time."""

    async def answer(self, work: Callable[..., T], about: tuple[object, ...], allowed: float) -> T:
        """The result of work, for which a worker has so many seconds once it begins.

        Raises:
            ProcessExpired, BrokenProcessPool, MemoryError: Another may have an answer.
            TimeoutError: It took longer.
        """

    def close(self) -> None:
        """End all work at once."""


class NewProcesses(Protocol):
    """Starts processes of this machine."""

    def __call__(self, count: int, niceness: int = 0, /) -> Workers:
        """So many processes; the higher their niceness, the more they give way to others."""
