"""The outside of a command: a terminal to talk with, a clock, chance, and cores."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Protocol


class InputEnded(Exception):
    """The input has ended: nobody answers any more."""


class BadCommand(ValueError):
    """The command cannot be carried out as it was asked for; the message says why."""


class Console(Protocol):
    """A terminal to which a command writes lines, and which answers questions."""

    def say(self, line: str = "") -> None:
        """Write a line."""

    def ask(self, prompt: str) -> str:
        """The answer to `prompt`, without the space around it; `InputEnded` if there is none."""

    def note(self, line: str) -> None:
        """Show a passing line in place of the one noted before; an empty one takes it away."""


@dataclass(frozen=True, slots=True)
class Outside:
    """A command's console, clock, source of chance, and number of cores."""

    console: Console
    clock: Callable[[], float]
    rng: Random
    cores: int


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: "1 game", "1,000 games"; `many` where an s does not make it."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def figure(number: float) -> str:
    """A number from 0 on with three significant digits, never with an exponent."""
    places = 2 - math.floor(math.log10(number)) if number else 0
    return f"{round(number, places):,.{max(0, places)}f}"
