"""`parlour check`: compares the stored games and records with the moves."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from bot.cli import database_url
from bot.storage.check.database import Checked, check
from bot.storage.dialect import backend_at
from bot.storage.opening import reading_transaction, sole_transaction
from bot.storage.records.write import rebuild

MOST_SHOWN: Final = 100
"""Differences printed, at most."""


def add_check(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--repair",
        action="store_true",
        help="make all records anew from the games if these are sound; Parlour must not run",
    )
    parser.epilog = (
        "Exit code: 0 if everything agrees or was repaired, 1 if not, 2 if it cannot be read."
    )


def run_check(arguments: argparse.Namespace) -> int:
    """Print the differences; return 0 if there are none left."""
    address = database_url()
    repair = sole_transaction(address, there=True)
    with repair if arguments.repair else reading_transaction(address) as connection:
        report = Report()
        checked = check(connection, report.tell, report.passed)
        report.end()
        print(f"{backend_at(address)}:", end=" ")
        _sum_up(checked, report.differences)
        if not report.differences:
            return 0
        if checked.damages:
            print("What all records follow from is damaged: put your latest backup in its place.")
            return 1
        if not arguments.repair:
            print("The games are sound: parlour check --repair makes the records anew from them.")
            return 1
        rebuild(connection)
    print("The records were made anew from the games.")
    return 0


def _sum_up(checked: Checked, differences: int) -> None:
    print(
        f"{checked.games:,} games with {checked.moves:,} moves, {checked.rolls:,} of them rolled, "
        f"and {checked.records:,} records checked."
    )
    if not differences:
        print("Everything agrees.")
    else:
        print("1 difference." if differences == 1 else f"{differences:,} differences.")


class Report:
    """Prints the first differences, and on a terminal how many games were seen."""

    def __init__(self) -> None:
        self.differences = 0

    def tell(self, difference: str) -> None:
        """Print a difference, unless there were too many."""
        self.differences += 1
        if self.differences <= MOST_SHOWN:
            self._pass("")
            print(difference)

    def passed(self, done: str, games: int) -> None:
        """Show the number of games done so far."""
        self._pass(f"{games:,} games {done}")

    def end(self) -> None:
        """Print the number of differences that were not printed."""
        self._pass("")
        if self.differences > MOST_SHOWN:
            print(f"… and {self.differences - MOST_SHOWN} more.")

    def _pass(self, line: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
