"""`python -m engine puzzles`: make the book of puzzles anew, which takes an hour, or order it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from engine.review.puzzle_maker import canonical, in_order, made
from engine.review.puzzles import (
    FIRST_DAY,
    REORDERED,
    WEEK,
    WEEKS,
    PuzzleEntry,
    book,
    week_of,
    written,
)
from engine.terminal.console import Outside, above_zero, counted, writable


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    told = "(default %(default)s)"
    parser.add_argument("--weeks", type=above_zero(int), default=WEEKS, help=told)
    parser.add_argument("--seed", type=int, default=0, help="other puzzles")
    parser.add_argument("--order", action="store_true", help="order the shipped book by levels")
    parser.add_argument("--out", type=Path, help="the file to write (puzzles.json, or order.json)")


def run(arguments: argparse.Namespace, outside: Outside) -> None:
    """Make the puzzles of each day of the week, or order those of the book, and write them."""
    out = writable(arguments.out or Path("order.json" if arguments.order else "puzzles.json"))
    out.write_text(_ordered() if arguments.order else _made(arguments, outside), encoding="utf-8")
    outside.console.say(f"written to {out}")


def _ordered() -> str:
    found = in_order(book(), range(week_of(FIRST_DAY), week_of(REORDERED)))
    return "[" + ",\n".join(map(json.dumps, found)) + "]\n"


def _made(arguments: argparse.Namespace, outside: Outside) -> str:
    seen, began = set[str](), outside.clock()
    days = []
    for weekday, (difficulty, _) in enumerate(WEEK):
        rng = Random(f"puzzles/{arguments.seed}/{weekday}")
        days.append(tuple(_different(weekday, arguments.weeks, rng, seen)))
        seconds = outside.clock() - began
        outside.console.say(
            f"day {weekday + 1}: {counted(len(days[-1]), 'puzzle')}, {difficulty}, {seconds:.0f} s"
        )
    return written(tuple(days))


def _different(weekday: int, weeks: int, rng: Random, seen: set[str]) -> Iterator[PuzzleEntry]:
    """Puzzles for a day of the week, each with a position that nobody has seen."""
    difficulty, kinds = WEEK[weekday]
    finding = [made(kind, difficulty, rng) for kind in kinds]
    for week in range(weeks):
        entry = next(finding[week % len(kinds)])
        while str(canonical(entry)) in seen:
            entry = next(finding[week % len(kinds)])
        seen.add(str(canonical(entry)))
        yield entry
