"""The outside of a command: a terminal to talk with, a clock, chance, cores; and its arguments."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Protocol, TypeVar

from engine.game import Game, Options, Value

N = TypeVar("N", int, float)


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


def above_zero(kind: type[N]) -> Callable[[str], N]:
    """Read a number of a command, refusing one that is not above 0."""

    def read(typed: str) -> N:
        number = kind(typed)
        if not number > 0:  # nor is nan
            raise argparse.ArgumentTypeError(f"{typed!r} has to be above 0")
        return number

    read.__name__ = kind.__name__  # by which argparse calls what is no number
    return read


def add_table(parser: argparse.ArgumentParser, *, thinking: bool = True) -> None:
    """Let the command take seats, a preset, options, and where agents are `thinking` a limit."""
    parser.add_argument("--seats", type=above_zero(int), help="how many sit at the table")
    parser.add_argument("--preset", metavar="NAME", help="a set of options that has a name")
    told = "an option of the game, such as size=4; may be repeated"
    parser.add_argument(
        "-o", "--option", action="append", default=[], metavar="KEY=VALUE", help=told
    )
    if thinking:
        told = "the longest an agent thinks of a move"
        parser.add_argument("--seconds", type=above_zero(float), help=told)


def options(game: Game[Any], arguments: argparse.Namespace) -> Options:
    """All options of a table, those typed and the usual ones."""
    chosen: dict[str, Value] = {}
    if arguments.preset is not None:
        chosen |= preset(game, arguments.preset)
    known = {f"{option.key}={value}": value for option in game.options for value in option.values}
    for typed in arguments.option:
        key, equals, value = typed.partition("=")
        if not equals:
            raise BadCommand(f"an option is typed as KEY=VALUE, such as size=4, not as {typed!r}")
        chosen[key] = known.get(typed, value)
    return game.settled(chosen)


def preset(game: Game[Any], name: str) -> Options:
    """The options of a preset."""
    if name not in game.presets:
        known = ", ".join(game.presets) or "none"
        raise BadCommand(f"{game.key} has no preset {name!r}; there are: {known}")
    return game.presets[name]


def writable(out: Path) -> Path:
    """The file itself, after a check that it can be written."""
    try:
        with out.open("a", encoding="utf-8"):
            return out
    except OSError as error:
        raise BadCommand(f"cannot write {out}: {error.strerror}") from None
