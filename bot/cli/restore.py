"""`parlour restore FILE`: a copy put in the place of the database, while Parlour is stopped."""

from __future__ import annotations

import argparse
import os
from datetime import UTC, datetime
from pathlib import Path

from bot.settings import read_settings
from bot.storage.backup import restore


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a copy that parlour backup made")
    parser.epilog = "Exit code: 0 if the copy is in place, 2 if everything is as it was."


def run(arguments: argparse.Namespace) -> int:
    """Put the copy in place and print where the database before is."""
    file: Path = arguments.file
    address = read_settings(os.environ, Path(".env")).database_url
    before = restore(address, file, datetime.now(UTC))
    kept = f" What was there before is kept as {before}." if before else ""
    print(f"The database is as it was in {file}; start Parlour.{kept}")
    return 0
