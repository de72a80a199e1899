"""How a person has done with the puzzles of the day."""

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
        """How many puzzles were solved."""
        return sum(self.answers.values())

    @property
    def streak(self) -> int:
        """On how many days in a row up to today; up to yesterday while today's puzzle waits."""
        last = self.today if self.today in self.answers else self.today - timedelta(1)
        return self._streaks.get(last, 0)

    @property
    def best_streak(self) -> int:
        """On how many days in a row at most."""
        return max(self._streaks.values(), default=0)

    @property
    def _streaks(self) -> Mapping[date, int]:
        """The days in a row up to each day on which a puzzle was solved."""
        found = dict[date, int]()
        for day in sorted(day for day, solved in self.answers.items() if solved):
            found[day] = found.get(day - timedelta(1), 0) + 1
        return found
