"""A person's results with the daily puzzles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, NamedTuple

from engine.game import Move

RIGHT: Final = "🟩"
WRONG: Final = "⬛"


class PuzzleAnswer(NamedTuple):
    """A person's answer to a puzzle: the moves `tried`, and whether the last one was right.

    Answers from the time before there was a second try are closed, with no move kept.
    """

    solved: bool
    tried: tuple[Move, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether one more try is left."""
        return not self.solved and len(self.tried) == 1

    @property
    def squares(self) -> str:
        """The tries as a row that names no move."""
        return WRONG * (max(1, len(self.tried)) - self.solved) + RIGHT * self.solved


@dataclass(frozen=True, slots=True)
class PuzzleRecord:
    """A person's `answers` by the day of the puzzle, as they are `today`."""

    answers: Mapping[date, PuzzleAnswer]
    today: date

    @property
    def solved(self) -> int:
        """The number of puzzles solved."""
        return sum(answer.solved for answer in self.answers.values())

    @property
    def streak(self) -> int:
        """The days in a row up to today, or to yesterday while today's puzzle is open."""
        last = self.today if self.today in self.answers else self.today - timedelta(1)
        return self._streaks.get(last, 0)

    @property
    def best_streak(self) -> int:
        """The most days in a row."""
        return max(self._streaks.values(), default=0)

    @property
    def _streaks(self) -> Mapping[date, int]:
        found = dict[date, int]()
        for day in sorted(day for day, answer in self.answers.items() if answer.solved):
            found[day] = found.get(day - timedelta(1), 0) + 1
        return found
