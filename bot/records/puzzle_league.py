"""The puzzle's league of a server: points by difficulty and tries, and how a day went there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, NamedTuple

from bot.records.puzzle_record import PuzzleAnswer
from bot.records.seasons import ALL_TIME, Season
from bot.records.summaries import Ranked, last_page
from bot.table.seats import PersonId
from engine.review.puzzles import WEEK, Difficulty

POINTS: Final[Mapping[Difficulty, int]] = {
    Difficulty.EASY: 1,
    Difficulty.MEDIUM: 2,
    Difficulty.HARD: 3,
}
"""The points for a puzzle solved at the first try; the second try gives half of them."""

HALF: Final = 2
"""Half points in a point, as they are counted."""

FIRST: Final = 3
"""The people who are named of a day, or of a week."""


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
class League:
    """A page of the league, `page` counting from 0, and the line of the person who asked."""

    page: int
    people: int
    lines: tuple[LeagueLine, ...]
    own: LeagueLine | None = None

    @property
    def pages(self) -> int:
        """The number of pages, at least one."""
        return last_page(self.people) + 1


@dataclass(frozen=True, slots=True)
class PuzzleDay:
    """The answers to the puzzle of a day in a server, by person, the first one first."""

    day: date
    answers: Mapping[PersonId, PuzzleAnswer]

    @property
    def solvers(self) -> Sequence[PersonId]:
        """The people who have solved it, the first one first."""
        return [person for person, answer in self.answers.items() if answer.solved]


@dataclass(frozen=True, slots=True)
class Edition:
    """The news of a server on a day.

    `today` are the answers so far, and `last` those to the puzzle of the news before, if there are
    any. The `streak` is of the days on which a person there has solved the puzzle; `frozen` days
    since the last news broke none. The `best` of a week and the `podiums` of a season, which are
    by game, are those of the latest that ended since the last news. `revision` counts the changes
    that it shows.
    """

    today: PuzzleDay
    streak: int = 0
    last: PuzzleDay | None = None
    frozen: int = 0
    best: Sequence[LeagueLine] = ()
    season: Season = ALL_TIME
    podiums: Mapping[str, Sequence[Ranked]] = field(default_factory=dict)
    revision: int = 0
