"""`parlour backup`, `restore`, `export` and `import`: the database in a file, and back."""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

from bot.cli import database_url
from bot.storage.backup import backup, new_file, restore
from bot.storage.dialect import backend_at
from bot.storage.errors import StorageError
from bot.storage.export import Counts, WrongExport, load, write
from bot.storage.opening import reading_transaction, sole_transaction

STANDARD: Final = "-"
"""Stands for standard output and standard input in place of a file."""


def add_backup(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", type=Path, help="the copy, which is not there yet")
    parser.epilog = "Exit code: 0 if the copy is there, 2 if it cannot be made."


def run_backup(arguments: argparse.Namespace) -> int:
    """Copy the database while Parlour runs, and print the contents of the copy."""
    file: Path = arguments.file
    address = database_url()
    games = backup(address, file)
    size, database = file.stat().st_size, backend_at(address)
    print(f"{file} is a copy of {database}, {size} bytes with {games} games in any state.")
    return 0


def add_restore(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a copy that parlour backup made")
    parser.epilog = "Exit code: 0 if the copy is in place, 2 if everything is as it was."


def run_restore(arguments: argparse.Namespace) -> int:
    """Restore a copy while Parlour is stopped, and print where the previous database is kept."""
    file: Path = arguments.file
    address = database_url()
    before = restore(address, file, datetime.now(UTC))
    kept = f" What was there before is kept as {before}." if before else ""
    print(f"{backend_at(address)} is as it was in {file}; start Parlour.{kept}")
    return 0


def add_export(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "file", metavar="FILE", help="the export, which is not there yet; - for standard output"
    )
    parser.epilog = "Exit code: 0 if all is written, 2 if it cannot be."


def run_export(arguments: argparse.Namespace) -> int:
    """Write everything in lines of JSON while Parlour runs, and print the contents."""
    address = database_url()
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
    print(f"Exported from {backend_at(address)}: {_told(counts)}.", file=sys.stderr)
    return 0


def add_import(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "file", metavar="FILE", help="what parlour export wrote; - for standard input"
    )
    parser.epilog = "Exit code: 0 if everything is in the database, 2 if nothing is."


def run_import(arguments: argparse.Namespace) -> int:
    """Read an export into an empty database, all of it or nothing, and print its contents."""
    address = database_url()
    try:
        with _source(arguments.file) as file, sole_transaction(address) as connection:
            counts = load(connection, file)
    except WrongExport as error:
        raise StorageError(f"Nothing of {arguments.file} was imported: {error}") from None
    except OSError as error:
        raise StorageError(f"{arguments.file} cannot be read ({error.strerror}).") from None
    print(f"Imported into {backend_at(address)}: {_told(counts)}.")
    return 0


def _source(name: str) -> nullcontext[BinaryIO] | BinaryIO:
    return nullcontext(sys.stdin.buffer) if name == STANDARD else Path(name).open("rb")


def _told(counts: Counts) -> str:
    """An export's contents, in words."""
    return (
        f"{counts['session']} games in any state with {counts['move']} moves, "
        f"choices of {counts['person']} people, settings of {counts['server']} servers"
    )
