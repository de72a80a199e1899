"""Puzzles: one position a day, the same for all, with exactly one best move.

They come from a book made by `python -m engine puzzles` (`puzzle_maker`). Each day of the week has
its difficulty, easy on Monday and hard on Sunday, and `WEEKS` positions, of which none is another
one rotated or mirrored; after them it starts again. From `REORDERED` on the same positions come in
another order, by how often the computers find the answer. Players' answers are stored by the day,
so a past day's position never changes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from engine import roster
from engine.game import Move, Options
from engine.games import part
from engine.review.game import hint
from engine.review.records import MoveReview

WEEKS: Final = 105
"""The weeks until the puzzles repeat: two years."""

FIRST_DAY: Final = date(2026, 1, 1)
"""The day of puzzle 1."""

REORDERED: Final = date(2027, 1, 4)
"""The Monday from which on each week's puzzles are ordered by measured difficulty."""


class Task(StrEnum):
    """The task of a puzzle."""

    WIN = "win"
    HOLD = "hold"
    BEST = "best"


class Difficulty(StrEnum):
    """The difficulty of a puzzle."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class PuzzleKind(NamedTuple):
    """A task on a board of a game.

    `marks` is the number of one's own moves in which the puzzle can be won; 0 stands for any.
    """

    game: str
    task: Task
    options: Options
    marks: int = 0


DIFFICULTIES: Final = (
    *(Difficulty.EASY,) * 2,
    *(Difficulty.MEDIUM,) * 3,
    *(Difficulty.HARD,) * 2,
)
"""The difficulty of each day of the week, Monday first."""


def _kinds(weekday: int) -> tuple[PuzzleKind, ...]:
    """The kinds of puzzles that all games offer for a day of the week (0 is Monday)."""
    found = []
    for key, game in roster.games().items():
        days: Mapping[int, tuple[tuple[Any, ...], ...]] = part(game, "review.DAYS", {})
        found += [PuzzleKind(key, Task(task), *rest) for task, *rest in days.get(weekday, ())]
    return tuple(found)


WEEK: Final = tuple((hard, _kinds(weekday)) for weekday, hard in enumerate(DIFFICULTIES))
"""The difficulty and the kinds of each day of the week, Monday first; kinds alternate by week."""


class PuzzleEntry(NamedTuple):
    """The position after `moves` of a game of two seats, and the best move there."""

    game: str
    task: Task
    options: Options
    moves: tuple[Move, ...]
    answer: Move

    @property
    def position(self) -> Any:  # noqa: ANN401 - any game's position
        """The position to solve."""
        return roster.game(self.game).replay(2, self.options, self.moves)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """The position after `moves` of a game of two seats; `answer` reviews the best move.

    A puzzle to `WIN` is won with one's own `marks`th mark from now.
    """

    day: date
    difficulty: Difficulty
    game: str
    task: Task
    options: Options
    moves: tuple[Move, ...]
    answer: MoveReview

    @property
    def number(self) -> int:
        """The number of the puzzle, counted from 1."""
        return (self.day - FIRST_DAY).days + 1

    @property
    def marks(self) -> int:
        """The number of one's own marks to the win; 0 where the task is another."""
        return self.answer.best.moves or 0


def puzzle(day: date) -> Puzzle:
    """The puzzle of a day."""
    entry = entry_of(day)
    found = hint(entry.game, 2, entry.options, entry.moves)
    best_first = sorted(found.choices, key=lambda choice: choice.move != entry.answer)
    answer = replace(found, move=entry.answer, choices=tuple(best_first))
    return Puzzle(day, DIFFICULTIES[day.weekday()], *entry[:4], answer)


def entry_of(day: date) -> PuzzleEntry:
    """The book's entry for a day."""
    week = week_of(day)
    if day < REORDERED:
        return book()[day.weekday()][week % WEEKS]
    number = order()[day.weekday()][(week - week_of(REORDERED)) % WEEKS]
    return book()[number // WEEKS][number % WEEKS]


def week_of(day: date) -> int:
    """The number of a day's week since the year 1; weeks begin on Monday."""
    return (day.toordinal() - 1) // 7


@cache
def book() -> tuple[tuple[PuzzleEntry, ...], ...]:
    """The puzzles of each day of the week, Monday first, week by week."""
    file = files("engine.review") / "data" / "puzzles.json"
    return read(file.read_text(encoding="utf-8"))


@cache
def order() -> tuple[tuple[int, ...], ...]:
    """The numbers of the puzzles of each day of the week from `REORDERED` on, week by week.

    The book counts them from 0, first all of Monday, then all of Tuesday.
    """
    file = files("engine.review") / "data" / "order.json"
    return tuple(map(tuple, json.loads(file.read_text(encoding="ascii"))))


def read(text: str) -> tuple[tuple[PuzzleEntry, ...], ...]:
    """The book that a file has."""
    return tuple(tuple(map(_entry, day)) for day in json.loads(text))


def written(days: tuple[tuple[PuzzleEntry, ...], ...]) -> str:
    """The file of a book, a puzzle a line."""
    lines = [",\n".join(json.dumps(entry, separators=(",", ":")) for entry in day) for day in days]
    return "[\n" + ",\n".join(f"[\n{each}\n]" for each in lines) + "\n]\n"


def _entry(written: tuple[str, str, Options, list[Move], Move]) -> PuzzleEntry:
    game, task, options, moves, answer = written
    return PuzzleEntry(game, Task(task), options, tuple(moves), answer)
