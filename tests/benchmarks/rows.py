"""A line of a benchmark's table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Row:
    """A measured value with its aim, and the values of others in the same run."""

    what: str
    aim: str
    measured: str
    others: str = ""

    def __str__(self) -> str:
        """The row in Markdown."""
        return f"| {self.what} | {self.aim} | {self.measured} | {self.others} |"


Bench: TypeAlias = Callable[[], Iterator[Row]]


def best_of(runs: int, timed: Callable[[], float]) -> float:
    """The shortest of several runs, in seconds: the one that was disturbed least."""
    return min(timed() for _ in range(runs))
