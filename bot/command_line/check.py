"""`parlour check`: is all that is stored of games what their moves say?"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Final

from bot.settings import read_settings
from bot.storage.checking import check
from bot.storage.database import parsed
from bot.storage.filling import filling
from bot.storage.reading import reading
from bot.storage.recording import rebuild
from bot.storage.sqlite import database_file, existing

MOST_SHOWN: Final = 100
"""How many differences are printed."""


def add(parser: argparse.ArgumentParser) -> None:
    """Says which words follow."""
    parser.add_argument(
        "--repair",
        action="store_true",
        help="first make all records anew from the games; Parlour must not run",
    )
    parser.epilog = "Exit code: 0 if everything agrees, 1 if not, 2 if it cannot be read."


def run(arguments: argparse.Namespace) -> int:
    """Prints what differs; the exit code says whether nothing does."""
    address = read_settings(os.environ, Path(".env")).database_url
    if arguments.repair:
        existing(database_file(parsed(address)))
        with filling(address) as connection:
            rebuild(connection)
        print("Results, statistics and ratings were made anew from the games.")
    report = Report()
    with reading(address) as connection:
        checked = check(connection, report.tell, report.passed)
    report.end()
    print(
        f"{checked.games} games with {checked.moves} moves and {checked.records} records checked."
    )
    if not report.differences:
        print("Everything agrees.")
        return 0
    print(
        f"{report.differences} differences. A game that cannot be as it is stored is damaged: put"
    )
    print("a backup in place. If records alone differ, parlour check --repair makes them anew.")
    return 1


class Report:
    """Prints the first differences, and on a terminal how many games were seen."""

    def __init__(self) -> None:
        self.differences = 0
        self._counted = False

    def tell(self, difference: str) -> None:
        """Takes a difference."""
        self.differences += 1
        if self.differences <= MOST_SHOWN:
            self._clear()
            print(difference)

    def passed(self, games: int) -> None:
        """Takes how many games were seen."""
        if sys.stderr.isatty():
            print(f"\r{games} games", end="", file=sys.stderr, flush=True)
            self._counted = True

    def end(self) -> None:
        """Says how many differences were not printed."""
        self._clear()
        if self.differences > MOST_SHOWN:
            print(f"… and {self.differences - MOST_SHOWN} more.")

    def _clear(self) -> None:
        if self._counted:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self._counted = False
