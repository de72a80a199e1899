"""`parlour import FILE`: everything of an export into an empty database, or nothing of it."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import BinaryIO

from bot.cli.export import STANDARD, told
from bot.settings import read_settings
from bot.storage.errors import StorageError
from bot.storage.export import WrongExport, load
from bot.storage.opening import sole_transaction


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "file", metavar="FILE", help="what parlour export wrote; - for standard input"
    )
    parser.epilog = "Exit code: 0 if everything is in the database, 2 if nothing is."


def run(arguments: argparse.Namespace) -> int:
    """Read the export and print its contents."""
    address = read_settings(os.environ, Path(".env")).database_url
    try:
        with _source(arguments.file) as file, sole_transaction(address) as connection:
            counts = load(connection, file)
    except WrongExport as error:
        raise StorageError(f"Nothing of {arguments.file} was imported: {error}") from None
    except OSError as error:
        raise StorageError(f"{arguments.file} cannot be read ({error.strerror}).") from None
    print(f"Imported: {told(counts)}.")
    return 0


def _source(name: str) -> nullcontext[BinaryIO] | BinaryIO:
    return nullcontext(sys.stdin.buffer) if name == STANDARD else Path(name).open("rb")
