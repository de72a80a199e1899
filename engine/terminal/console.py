"""What a command is given by the outside: a terminal to talk with, a clock, chance, and cores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Protocol


class Closed(Exception):
    """Nobody answers any more: the input has ended."""


class Refused(ValueError):
    """The command cannot be carried out as it was asked for; the message says why."""


class Console(Protocol):
    """Where a command reads answers and writes lines."""

    def say(self, line: str = "") -> None:
        """Write a line."""

    def ask(self, prompt: str) -> str:
        """What is answered to `prompt`, without the space around it.

        Raises:
            Closed: The input has ended.
        """

    def note(self, line: str) -> None:
        """Show a passing line in place of the one noted before; an empty one takes it away."""


@dataclass(frozen=True, slots=True)
class Outside:
    """What every command is given."""

    console: Console
    clock: Callable[[], float]
    rng: Random
    cores: int
