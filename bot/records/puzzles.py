"""A person's results with the daily puzzles, and the puzzle's league of a server.

The league counts points by difficulty and number of tries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

from bot.records.rating import ALL_TIME, Season
from bot.records.summaries import Ranked
from bot.table.seats import PersonId
from engine.game import Move
from engine.review.puzzles import WEEK, Difficulty

RIGHT: Final = "🟩"
WRONG: Final = "⬛"

FORGIVEN_APART: Final = timedelta(7)
"""The least time between two missed days that a streak survives."""

TOO_MANY: Final = 2
"""The number of missed days in a row that ends any streak."""

WORTH_KEEPING: Final = 2
"""The shortest streak that is mentioned, and warned about."""


A_WEEK: Final = 7
"""The length of a streak that earns a badge."""


class PuzzleAnswer(NamedTuple):
    """A person's answer to a puzzle: the moves `tried`, whether the last one was right, and when.

    Answers from versions without a second try are closed, and have no moves and no time.
    """

    solved: bool
    tried: tuple[Move, ...] = ()
    at: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Whether one more try is left."""
        return not self.solved and len(self.tried) == 1

    @property
    def squares(self) -> str:
        """The tries as squares, right or wrong, which give no move away."""
        return WRONG * (max(1, len(self.tried)) - self.solved) + RIGHT * self.solved


class Streak(NamedTuple):
    """The number of puzzles solved in a row up to the day `last`.

    `missed` is the last missed day that the streak has survived, if any.
    """

    last: date
    solved: int
    missed: date | None = None

    def survives(self, missed: Sequence[date]) -> bool:
        """Whether it continues after these days `missed` since its last puzzle."""
        if len(missed) == 1 and self.missed is not None:
            return missed[0] - self.missed >= FORGIVEN_APART
        return len(missed) < TOO_MANY

    def goes_on(self, day: date, missed: Sequence[date]) -> Streak:
        """The streak after the puzzle of a later day, or a new streak if it did not survive."""
        if not self.survives(missed):
            return Streak(day, 1)
        return Streak(day, self.solved + 1, missed[0] if missed else self.missed)


@dataclass(frozen=True)
class PuzzleRecord:
    """A person's `answers` by the day of the puzzle, as of `today`.

    `frozen` days do not count as missed, as the bot was away or sent no news.
    """

    answers: Mapping[date, PuzzleAnswer]
    today: date
    frozen: frozenset[date] = frozenset()

    @property
    def solved(self) -> int:
        """The number of puzzles solved."""
        return sum(answer.solved for answer in self.answers.values())

    @property
    def streak(self) -> int:
        """The number of puzzles solved in a row; one missed day in seven is forgiven."""
        return 0 if self._missed is None else self._streaks[-1].solved

    @property
    def best_streak(self) -> int:
        """The longest streak."""
        return max((streak.solved for streak in self._streaks), default=0)

    @property
    def full_week(self) -> date | None:
        """The day on which a streak first reached a week."""
        return next((each.last for each in self._streaks if each.solved == A_WEEK), None)

    @property
    def breaks_tonight(self) -> bool:
        """Whether a streak worth keeping ends unless today's puzzle is solved."""
        if self._missed is None or self._is_over or self.streak < WORTH_KEEPING:
            return False
        latest = self._streaks[-1]
        if latest.last == self.today or self.today in self.frozen:
            return False
        return bool(self._missed) or not latest.survives((self.today,))

    @property
    def _is_over(self) -> bool:
        """Whether today's puzzle is answered, with no try left."""
        answer = self.answers.get(self.today)
        return answer is not None and not answer.is_open

    @cached_property
    def _missed(self) -> Sequence[date] | None:
        """The days missed since the last solved one; None without a streak that survives them."""
        if not self._streaks:
            return None
        latest = self._streaks[-1]
        missed = self._between(latest.last, self.today + timedelta(self._is_over))
        return missed if latest.survives(missed) else None

    @cached_property
    def _streaks(self) -> list[Streak]:
        """The streak after each solved day, in order."""
        found = list[Streak]()
        for day in sorted(day for day, answer in self.answers.items() if answer.solved):
            latest = found[-1] if found else None
            on = None if latest is None else latest.goes_on(day, self._between(latest.last, day))
            found.append(on or Streak(day, 1))
        return found

    def _between(self, day: date, later: date) -> Sequence[date]:
        """The first `TOO_MANY` days between two others that are not frozen."""
        days = (day + timedelta(each) for each in range(1, (later - day).days))
        return [*islice((each for each in days if each not in self.frozen), TOO_MANY)]


POINTS: Final[Mapping[Difficulty, int]] = {
    Difficulty.EASY: 1,
    Difficulty.MEDIUM: 2,
    Difficulty.HARD: 3,
}
"""The points for a puzzle solved at the first try; at the second they are halved."""

HALF: Final = 2
"""The number of half points in a point; stored points are half points."""

FIRST: Final = 3
"""How many of the best people of a day or week are named."""


def difficulty(day: date) -> Difficulty:
    """The difficulty of the puzzle of a day."""
    return WEEK[day.weekday()][0]


class LeagueLine(NamedTuple):
    """A person's place in the league, their points, and the puzzles they have solved."""

    place: int
    person: PersonId
    points: float
    solved: int


@dataclass(frozen=True, slots=True)
class PuzzleDay:
    """The answers to the puzzle of a day in a server by person, in the order of answering."""

    day: date
    answers: Mapping[PersonId, PuzzleAnswer]

    @property
    def solvers(self) -> Sequence[PersonId]:
        """The people who have solved it, in the order of answering."""
        return [person for person, answer in self.answers.items() if answer.solved]


@dataclass(frozen=True, slots=True)
class Edition:
    """The news of a server on a day.

    `today` are the answers so far, and `last` those to the puzzle of the previous news, if any. The
    `streak` counts days in a row on which anybody there solved the puzzle; `frozen` is the number
    of days since the last news that broke none. `best` and `podiums` (by game) are those of the
    latest week and season that ended since the last news. `revision` is the one it shows.
    """

    today: PuzzleDay
    streak: int = 0
    last: PuzzleDay | None = None
    frozen: int = 0
    best: Sequence[LeagueLine] = ()
    season: Season = ALL_TIME
    podiums: Mapping[str, Sequence[Ranked]] = field(default_factory=dict)
    revision: int = 0
