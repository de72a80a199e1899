"""`parlour backup FILE`: a copy of the database, made while Parlour runs."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from bot.settings import read_settings
from bot.storage.backup import backup


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", type=Path, help="the copy, which is not there yet")
    parser.epilog = "Exit code: 0 if the copy is there, 2 if it cannot be made."


def run(arguments: argparse.Namespace) -> int:
    """Make the copy and print its contents."""
    file: Path = arguments.file
    games = backup(read_settings(os.environ, Path(".env")).database_url, file)
    size = file.stat().st_size
    print(f"{file} is a copy of the database, {size} bytes with {games} games in any state.")
    return 0
