"""A person's results with the daily puzzles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True)
class PuzzleRecord:
    """A person's `answers`, whether each was right by its day, as they are `today`."""

    answers: Mapping[date, bool]
    today: date

    @property
    def solved(self) -> int:
        """The number of puzzles solved."""
        return sum(self.answers.values())

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
        for day in sorted(day for day, solved in self.answers.items() if solved):
            found[day] = found.get(day - timedelta(1), 0) + 1
        return found
