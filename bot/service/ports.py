"""Protocols of what the use cases need from outside, with two implementations or more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Protocol, TypeVar

from bot.cache import Budgeted
from bot.table.session import Session
from engine.game import Move

T = TypeVar("T")


class Unreachable(Exception):
    """Discord accepts no requests for now."""


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
        """The result of `work(*about)`, for which a worker has `allowed` seconds once it begins.

        Raises:
            ProcessExpired, BrokenProcessPool, MemoryError: The worker is lost; another may succeed.
            TimeoutError: It took longer.
        """

    def close(self) -> None:
        """End all work at once."""


class NewProcesses(Protocol):
    """Starts processes of this machine."""

    def __call__(self, count: int, niceness: int = 0, /) -> Workers:
        """Start `count` processes; the higher their niceness, the more they give way to others."""


class Occurrence(StrEnum):
    """Events that are counted, each by a label."""

    INTERACTIONS = "interactions"
    """By kind: a press or a command."""
    REFUSALS = "refusals"
    """By the refusal's name, such as `not_your_turn`."""
    SEARCHES_LOST = "searches_lost"
    """By the reason: late, failed, or its process gone."""
    FAULTS = "job_faults"
    """Errors of jobs, by the job's name."""
    POST_FAULTS = "post_faults"
    """Posts that Discord refused, or that could not be written, by their kind."""
    REQUESTS = "discord_requests"
    """Requests to Discord, by method, route and status."""


class Span(StrEnum):
    """Durations in seconds."""

    ACKNOWLEDGEMENT = "acknowledgement_seconds"
    """From an interaction's arrival until Discord has taken its first answer."""
    ANSWER = "answer_seconds"
    """From an interaction's arrival until its answer is shown."""
    SEARCH = "search_seconds"
    """Of a computer's move, waiting for a process included."""
    DATABASE = "database_seconds"
    """Of a piece of work on the database, waiting for others included."""


class Size(StrEnum):
    """What is measured as it is now, such as the length of a queue."""

    BOARDS_BEHIND = "boards_behind"
    SEARCHES_WAITING = "searches_waiting"


class Meter(Protocol):
    """Keeps the measures."""

    def count(self, event: Occurrence, label: str) -> None:
        """Count an event."""

    def took(self, span: Span, seconds: float) -> None:
        """Note a duration."""

    def set(self, size: Size, value: int) -> None:
        """Note an amount."""

    def watch(self, caches: Sequence[Budgeted]) -> None:
        """Report the bytes of caches and their budgets from now on."""
