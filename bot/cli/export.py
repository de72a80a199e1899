"""`parlour export FILE`: everything in lines of JSON, written while Parlour runs."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Final

from bot.settings import read_settings
from bot.storage.backup import new_file
from bot.storage.errors import StorageError
from bot.storage.export import Counts, write
from bot.storage.opening import reading_transaction

STANDARD: Final = "-"
"""The name that stands for standard output, and for standard input in `parlour import`."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "file", metavar="FILE", help="the export, which is not there yet; - for standard output"
    )
    parser.epilog = "Exit code: 0 if all is written, 2 if it cannot be."


def run(arguments: argparse.Namespace) -> int:
    """Write the export and print its contents."""
    address = read_settings(os.environ, Path(".env")).database_url
    with reading_transaction(address) as connection:
        if arguments.file != STANDARD:
            with new_file(Path(arguments.file)) as draft, draft.open("wb") as file:
                counts = write(connection, file)
        else:
            try:
                counts = write(connection, sys.stdout.buffer)
                sys.stdout.flush()
            except OSError as error:
                raise StorageError(f"Standard output took no more ({error.strerror}).") from None
    print(f"Exported: {told(counts)}.", file=sys.stderr)
    return 0


def told(counts: Counts) -> str:
    """An export's contents, in words."""
    return (
        f"{counts['session']} games in any state with {counts['move']} moves, "
        f"choices of {counts['person']} people, settings of {counts['server']} servers"
    )
