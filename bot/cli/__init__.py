"""The commands of `parlour`; without one, it runs the bot (`run`).

A command NAME is two functions of a module of this package: `add_NAME(parser)` says which words
follow, `run_NAME(arguments)` does it and gives the exit code: 0 for yes, 1 for no, 2 for what the
person at the terminal has to put right. A module is imported only when it is asked for, since some
take a second.
"""

from __future__ import annotations

import argparse
import codecs
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Final

from bot.settings import (
    SANDBOX_DATABASE,
    USUAL_DATABASE,
    SettingsError,
    names_database,
    read_settings,
)
from bot.storage.errors import StorageError

CANNOT: Final = 2
"""The exit code for what the person at the terminal has to put right."""

COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "setup": ("setup", "asks for your bot's token and gives the link to invite it"),
    "doctor": ("doctor", "looks for what keeps Parlour from working, and says what to do"),
    "systemd": ("systemd", "prints a unit that keeps Parlour running here"),
    "check": ("check", "replays every game and recomputes all that follows from it"),
    "backup": ("copies", "copies the database while Parlour runs"),
    "restore": ("copies", "puts such a copy in the place of the database"),
    "person": ("person", "writes all about one person to a file that you can send them"),
    "export": ("copies", "writes everything to a file that no database owns"),
    "import": ("copies", "fills an empty database with an export"),
}
"""The module of each command, and its purpose."""


PLAIN: Final = {"✓": "+", "✗": "x", "–": "-"}
"""What is printed where a character cannot be; question marks stand for all others."""


def main(words: Sequence[str]) -> int:
    """Run a command line and return its exit code."""
    codecs.register_error("plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="plain")
    arguments = _parser(words).parse_args(words)
    try:
        code: int = _function("run", arguments.command)(arguments)
    except (SettingsError, StorageError) as error:
        print(f"parlour: {error}", file=sys.stderr)
        code = CANNOT
    return code


def _plain(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError), "it is of output alone"
    lacking = error.object[error.start : error.end]
    return "".join(PLAIN.get(each, "?") for each in lacking), error.end


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
    for name, (_, what) in COMMANDS.items():
        command = commands.add_parser(name, help=what, description=f"parlour {name} {what}.")
        if name in words:
            _function("add", name)(command)
    return parser


def _function(what: str, command: str | None) -> Any:  # noqa: ANN401 - of a module by its name
    """One of the functions of a command."""
    if command is None:
        return import_module(f"{__name__}.run").run
    module, _ = COMMANDS[command]
    return getattr(import_module(f"{__name__}.{module}"), f"{what}_{command}")


def database_url() -> str:
    """The address of the database, as this folder's settings say.

    Raises:
        SettingsError: One of the settings is wrong, or they would have the sandbox's database where
            there is also that of games on Discord.
    """
    dotenv, file = Path(".env"), Path(USUAL_DATABASE.removeprefix("sqlite:///"))
    if file.exists() and not names_database(os.environ, dotenv):
        raise SettingsError(
            f"{file} is here, but neither DISCORD_TOKEN nor DATABASE_URL is set, which say whether "
            f"it or the sandbox's database is meant; set DATABASE_URL to {USUAL_DATABASE} or to "
            f"{SANDBOX_DATABASE}."
        )
    return read_settings(os.environ, dotenv).database_url
