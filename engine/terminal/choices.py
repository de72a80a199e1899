"""Arguments of several commands: the options of a game, a preset, a budget, a file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from engine.game import Game, Options, Value
from engine.terminal.console import BadCommand


def add_table(parser: argparse.ArgumentParser, *, thinking: bool = True) -> None:
    """Let the command take seats, a preset, options, and where agents are `thinking` a limit."""
    parser.add_argument("--seats", type=int, help="how many sit at the table")
    parser.add_argument("--preset", metavar="NAME", help="a set of options that has a name")
    told = "an option of the game, such as size=4; may be repeated"
    parser.add_argument(
        "-o", "--option", action="append", default=[], metavar="KEY=VALUE", help=told
    )
    if thinking:
        parser.add_argument("--seconds", type=float, help="the longest an agent thinks of a move")


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
