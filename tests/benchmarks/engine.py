"""Measures the engine and prints the table: `python tests/benchmarks/engine.py [GAME …]`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
GAMES = ("tictactoe", "connectfour", "ludo")


def main(games: Sequence[str]) -> None:
    """Print one row after the other, each as soon as it is measured."""
    print("| what | aim | measured | others |\n| --- | --- | --- | --- |")
    for game in games or GAMES:
        name = f"tests.benchmarks.{game}"
        if find_spec(name) is None:
            continue
        for bench in import_module(name).ROWS:
            for row in bench():
                print(row, flush=True)


if __name__ == "__main__":
    # Run as a file, this module's folder would hide the package `engine` behind its own name.
    sys.path[0] = str(ROOT)
    main(sys.argv[1:])
