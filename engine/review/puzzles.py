"""Puzzles: one position a day, the same for all, with exactly one best move.

They stand in a book that `python -m engine puzzles` makes (`puzzle_maker`): each day of the week
has its difficulty, easy on Monday and hard on Sunday, and a position for each of `WEEKS` weeks,
none of which turns or mirrors into another. After that they come again. From `REORDERED` on the
days have the same positions in another order, by how many computers find the answer. Answers of
players are stored by the day, so the position of a day that has been never changes.
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
"""Two years."""

FIRST_DAY: Final = date(2026, 1, 1)
"""The day of puzzle 1."""

REORDERED: Final = date(2027, 1, 4)
"""The Monday from which on the puzzles of a week are ordered by how hard they were measured."""


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
    """A task on a board of a game; a win takes `marks` of one's own, or with 0 any number."""

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
    """The kinds of puzzles that the games have for a day of the week."""
    found = []
    for key, game in roster.games().items():
        days: Mapping[int, tuple[tuple[Any, ...], ...]] = part(game, "review.DAYS", {})
        found += [PuzzleKind(key, Task(task), *rest) for task, *rest in days.get(weekday, ())]
    return tuple(found)


WEEK: Final = tuple((hard, _kinds(weekday)) for weekday, hard in enumerate(DIFFICULTIES))
"""The difficulty and the kinds of each day of the week, Monday first; kinds take turns by week."""


class PuzzleEntry(NamedTuple):
    """The position after `moves` of a game of two seats, and the best move there."""

    game: str
    task: Task
    options: Options
    moves: tuple[Move, ...]
    answer: Move

    @property
    def position(self) -> Any:  # noqa: ANN401 - any game's position
        """The position that is asked about."""
        return roster.game(self.game).replay(2, self.options, self.moves)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """The position after `moves` of a game of two seats; `answer` reviews the best move.

    A puzzle to `WIN` is won with the mark `marks` from now, counted from 1. `number` counts the
    days since the first puzzle.
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
        """The own marks that the win takes; 0 where there is none to find."""
        return self.answer.best.moves or 0


def puzzle(day: date) -> Puzzle:
    """The puzzle of a day."""
    entry = entry_of(day)
    found = hint(entry.game, 2, entry.options, entry.moves)
    best_first = sorted(found.choices, key=lambda choice: choice.move != entry.answer)
    answer = replace(found, move=entry.answer, choices=tuple(best_first))
    return Puzzle(day, DIFFICULTIES[day.weekday()], *entry[:4], answer)


def entry_of(day: date) -> PuzzleEntry:
    """The entry of the book for a day."""
    week = week_of(day)
    if day < REORDERED:
        return book()[day.weekday()][week % WEEKS]
    number = order()[day.weekday()][(week - week_of(REORDERED)) % WEEKS]
    return book()[number // WEEKS][number % WEEKS]


def week_of(day: date) -> int:
    """The number of the week of a day, which begins on Monday."""
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
