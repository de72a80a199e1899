"""The commands of `parlour`; without one, it runs the bot (`run`).

A command is a module of this package with two functions: `add(parser)` says which words follow,
`run(arguments)` does it and gives the exit code: 0 for yes, 1 for no, 2 for what the person at the
terminal has to put right. It is imported only when it is asked for, since some take a second.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from keyword import iskeyword
from types import ModuleType
from typing import Final

from bot.settings import SettingsError
from bot.storage.errors import StorageError

CANNOT: Final = 2
"""The exit code for what the person at the terminal has to put right."""

COMMANDS: Final[Mapping[str, str]] = {
    "setup": "asks for your bot's token and gives the link to invite it",
    "doctor": "looks for what keeps Parlour from working, and says what to do",
    "systemd": "prints a unit that keeps Parlour running here",
    "check": "replays every game and recomputes all that follows from it",
    "backup": "copies the database while Parlour runs",
    "restore": "puts such a copy in the place of the database",
    "export": "writes everything to a file that no database owns",
    "import": "fills an empty database with an export",
}
"""The purpose of each command, whose module is named for it."""


def main(words: Sequence[str]) -> int:
    """Run a command line and return its exit code."""
    arguments = _parser(words).parse_args(words)
    try:
        code: int = _module(arguments.command or "run").run(arguments)
    except (SettingsError, StorageError) as error:
        print(f"parlour: {error}", file=sys.stderr)
        code = CANNOT
    return code


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="parlour",
        usage="parlour [-h] [--version] [COMMAND ...]",
        description="Board games in Discord channels. Without a command, Parlour opens.",
    )
    parser.add_argument("--version", action="version", version=f"parlour {version('parlour')}")
    commands = parser.add_subparsers(
        prog="parlour", dest="command", metavar="COMMAND", title="commands"
    )
    for name, what in COMMANDS.items():
        command = commands.add_parser(name, help=what, description=f"parlour {name} {what}.")
        if name in words:
            _module(name).add(command)
    return parser


def _module(command: str) -> ModuleType:
    name = f"{command}_" if iskeyword(command) else command.replace("-", "_")
    return import_module(f"{__name__}.{name}")
