"""Results of queries: statistics, leaderboards, history.

Games between people and games against the computer are separate (see `bot.records.results`):
tallies, streaks, ratings and opponents belong to games between people, and each level of the
computer has a tally of its own. Everything is counted twice, everywhere and for the game's guild;
a `guild` of None means everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Generic, TypeVar

from bot.records.rating import ALL_TIME, Rating, Season
from bot.records.results import Outcome, Result
from bot.records.standings import Standing, Tally
from bot.table.seats import Level, Occupant, PersonId
from bot.table.session import Ending, SessionId
from engine.game import Seat

PAGE: Final = 10
"""People on a page of a leaderboard."""

PODIUM: Final = 3
"""People on the podium of a season, at most."""

GAMES_ON_A_PAGE: Final = 4
"""The games on a page of a history, as many as a phone shows."""

CURVE: Final = 200
"""The most points of a rating curve."""

OPPONENTS: Final = 3
"""Favourite and toughest opponents named, at most."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent; a game counts as a win if the person came before them."""

    person: PersonId
    tally: Tally


@dataclass(frozen=True, slots=True)
class LevelResult:
    """The games against the computer at one level."""

    level: Level
    tally: Tally


@dataclass(frozen=True, slots=True)
class Point:
    """A rating after one game."""

    at: datetime
    rating: Rating


@dataclass(frozen=True, slots=True)
class ReviewedPlay:
    """A person's accuracy and luck, on average over a number of reviewed `games`."""

    games: int
    accuracy: float
    luck: float


@dataclass(frozen=True, slots=True)
class EarnedBadge:
    """A badge of a person, by its key, and the end of the game that earned it."""

    key: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Stats:
    """A person's record in one game, everywhere or in one guild.

    `standing` is that of all time. `favourites` are the most frequent opponents; `toughest` those
    with more wins than losses against the person, the greatest difference first. `levels` are in
    ascending order of strength, `curve` has the last ratings, oldest first, and `played` sums up
    reviewed games. `titles` is the number of tournaments won. `badges` are all of the person's,
    oldest first; `found` are the keys of badges that anybody earned in games of the guild.
    """

    person: PersonId
    game: str
    guild: int | None
    standing: Standing = field(default_factory=Standing)
    favourites: tuple[Opponent, ...] = ()
    toughest: tuple[Opponent, ...] = ()
    levels: tuple[LevelResult, ...] = ()
    curve: tuple[Point, ...] = ()
    played: ReviewedPlay | None = None
    titles: int = 0
    badges: tuple[EarnedBadge, ...] = ()
    found: frozenset[str] = frozenset()

    @property
    def tally(self) -> Tally:
        """The results against people."""
        return self.standing.tally

    @property
    def rating(self) -> Rating | None:
        """The rating; None before the first game against people."""
        return self.standing.rating if self.tally.games else None

    @property
    def can_be_drawn(self) -> bool:
        """Whether a picture has anything to show."""
        return bool(self.curve or self.levels)

    @property
    def empty(self) -> bool:
        """Whether the person has not finished a game yet."""
        return not self.tally.games and not self.levels


@dataclass(frozen=True, slots=True)
class Ranked:
    """A person's line on a leaderboard; `place` counts from 1, and equal ratings share it."""

    place: int
    person: PersonId
    standing: Standing
    season: Season = ALL_TIME

    @property
    def rating(self) -> Rating:
        """The rating."""
        return self.standing.rating

    @property
    def tally(self) -> Tally:
        """The results against people."""
        return self.standing.tally

    @property
    def provisional(self) -> bool:
        """Whether there are too few games or opponents for the rating to say much."""
        return self.standing.provisional(self.season)


Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class Leaderboard(Generic[Line]):
    """A page of a leaderboard and the line of the person who asked; `page` counts from 0."""

    page: int
    people: int
    lines: tuple[Line, ...]
    own: Line | None

    @property
    def pages(self) -> int:
        """The number of pages, at least one."""
        return last_page(self.people) + 1


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished game: its place, time and ending, its players, and the result for them.

    `occupants` are those at the end. Seats with the same number in `sides` are partners. `feats`
    are the notable things that each seat did, in games that define some.
    """

    session: SessionId
    game: str
    guild: int | None
    channel: int
    at: datetime
    ending: Ending
    occupants: tuple[Occupant, ...]
    sides: tuple[int, ...]
    result: Result | None
    feats: tuple[frozenset[str], ...] = ()

    @property
    def short(self) -> bool:
        """Whether it ended too soon to count."""
        return self.result is not None and self.result.short


@dataclass(frozen=True, slots=True)
class Remembered:
    """A finished game in one player's history: their outcome and the opponents' seats."""

    finished: Finished
    outcome: Outcome
    opponents: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class History:
    """A page of a person's finished games, latest first; `page` counts from 0."""

    page: int
    games: int
    entries: tuple[Remembered, ...]

    @property
    def pages(self) -> int:
        """The number of pages, at least one."""
        return last_page(self.games, GAMES_ON_A_PAGE) + 1


def places(values: Sequence[float], before: int, first: int) -> list[int]:
    """The places of sorted values that follow `before` others; equal values share a place.

    `first` is the place of the first value, which may be shared with earlier ones.
    """
    return [first if value == values[0] else before + values.index(value) + 1 for value in values]


def last_page(entries: int, on_a_page: int = PAGE) -> int:
    """The last page, counting from 0."""
    return max(0, entries - 1) // on_a_page
