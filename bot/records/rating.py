"""Ratings by the Plackett-Luce model, the weight of a game in them, and the seasons.

The model is algorithm 4 of Weng and Lin, "A Bayesian Approximation Method for Online Ranking",
2011, in openskill's implementation with its usual parameters. Openskill needs nothing else, takes
0.7 MB and 20 ms to import, and rates a table of four in 15 µs.

The model trusts every result. A few people could lose on purpose for one of them, so each game has
a `weight`: the share of the model's change that counts. `python -m tests.benchmarks.farming` shows
which kinds of farming that stops, and which no weight can.

Seasons are months in UTC, each with standings of only the games that ended in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from math import sqrt
from typing import Final, NewType

from openskill.models import PlackettLuce

_ZERO, _SCALE = 1000, 40

PROVISIONAL_BELOW: Final = 10
"""With fewer rated games, a rating is provisional."""

IN_FULL: Final = 3
"""How many games between the same two people count in full in a season."""

UNKNOWN: Final = 0.25
"""The number of `others` counted for a person who plays nobody else: small, but not 0, so that two
friends are ordered by their games although their points hardly change."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A belief about a person's strength: its mean `mu` and its standard deviation `sigma`."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """A strength that the person almost certainly has at least; leaderboards sort by it."""
        return self.mu - 3 * self.sigma

    @property
    def points(self) -> int:
        """The ordinal as players read it, in whole points: a newcomer has 1000."""
        return round(_ZERO + _SCALE * self.ordinal)

    @property
    def spread(self) -> int:
        """The standard deviation in points."""
        return round(_SCALE * self.sigma)

    def towards(self, after: Rating, weight: float) -> Rating:
        """The rating between this one (`weight` 0) and `after` (`weight` 1)."""
        stays = 1 - weight
        variance = stays * self.sigma**2 + weight * after.sigma**2
        return Rating(stays * self.mu + weight * after.mu, sqrt(variance))


NEWCOMER: Final = Rating(25.0, 25.0 / 3)
"""The rating of a person who has not played yet; its ordinal is 0."""


def rated(sides: Sequence[Sequence[Rating]], ranks: Sequence[int]) -> list[list[Rating]]:
    """The ratings after a game of sides against each other; the lowest rank is the best."""
    model = PlackettLuce()
    teams = [[model.rating(mu=each.mu, sigma=each.sigma) for each in side] for side in sides]
    after = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [[Rating(each.mu, each.sigma) for each in team] for team in after]


def weight(met: int, others: int, needed: int) -> float:
    """The weight, in [0, 1], of a game against an opponent in one's rating.

    It is 1 for the first `IN_FULL` games of the two in a season, then halves with each; `met` is
    the number of earlier ones. It is multiplied by the square of the share of `needed` people that
    the opponent has met besides (`others`): a result against a person who plays nobody else tells
    next to nothing, so that games between only two people do not change their points.
    """
    again = 0.5 ** max(0, met - IN_FULL + 1)
    return again * min(1.0, max(others, UNKNOWN) / needed) ** 2


Season = NewType("Season", int)
"""A month as its year and number, such as 202611, or `ALL_TIME`."""

ALL_TIME: Final = Season(0)
"""The season that stands for all time, to which every game belongs."""

PROVISIONAL_IN_SEASON: Final = 5
"""With fewer rated games in a season, a rating of that season is provisional."""

AGAINST: Final = 3
"""With fewer opponents, a rating is provisional, however many games there are."""

BEGUN_WITH: Final = 10
"""A leaderboard defaults to the present season once that has this many games of two people."""


def season_of(at: datetime) -> Season:
    """The season of a moment."""
    return season_of_day(at.astimezone(UTC).date())


def season_of_day(day: date) -> Season:
    """The season of a day in UTC."""
    return Season(100 * day.year + day.month)


def season_before(season: Season) -> Season:
    """The previous season."""
    year, month = divmod(season, 100)
    return Season(season - 1 if month > 1 else 100 * (year - 1) + 12)


def first_day(season: Season) -> date:
    """The day on which a season begins."""
    year, month = divmod(season, 100)
    return date(year, month, 1)


def days_of(season: Season) -> tuple[date, date]:
    """The first and the last day of a season; for all time, those of Python's calendar."""
    if season == ALL_TIME:
        return date.min, date.max
    first = first_day(season)
    return first, (first + timedelta(31)).replace(day=1) - timedelta(1)


def settled_with(season: Season) -> int:
    """The number of rated games from which on a rating in a season is not provisional.

    It is also the number of `others` with which an opponent counts in full; see `weight`.
    """
    return PROVISIONAL_BELOW if season == ALL_TIME else PROVISIONAL_IN_SEASON
