"""The measures of Parlour at work, for its owner: declared here, kept elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from bot.cache import Budgeted


class Occurrence(StrEnum):
    """Events that are counted, each by a label."""

    INTERACTIONS = "interactions"
    """By kind: a press or a command."""
    REFUSALS = "refusals"
    """By the fact of the refusal."""
    SEARCHES_LOST = "searches_lost"
    """By why: late, failed, or its process gone."""
    FAULTS = "job_faults"
    """Of jobs that are due without a press, by the job's name."""
    POST_FAULTS = "post_faults"
    """Of posts that Discord refused, or that could not be written, by their kind."""
    REQUESTS = "discord_requests"
    """To Discord, by method, route and status."""


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
    """Amounts at a moment."""

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
        """Measure the bytes of caches, beside their budgets."""
