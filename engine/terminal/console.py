"""What a command is given by the outside: a terminal to talk with, a clock, chance, and cores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Protocol


class InputEnded(Exception):
    """Nobody answers any more: the input has ended."""


class BadCommand(ValueError):
    """The command cannot be carried out as it was asked for; the message says why."""


class Console(Protocol):
    """Where a command reads answers and writes lines."""

    def say(self, line: str = "") -> None:
        """Write a line."""

    def ask(self, prompt: str) -> str:
        """What is answered to `prompt`, without the space around it.

        Raises:
            InputEnded: The input has ended.
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


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: "1 game", "1,000 games"; `many` where an s does not make it."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
