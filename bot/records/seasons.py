"""Seasons: the months in UTC, each with standings made of the games that ended in it alone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final, NewType

from bot.records.rating import PROVISIONAL_BELOW

Season = NewType("Season", int)
"""A month as its year and number, such as 202611, or `ALL_TIME`."""

ALL_TIME: Final = Season(0)
"""The season of the lasting standings, to which every game belongs."""

PROVISIONAL_IN_SEASON: Final = 5
"""With fewer rated games in a season, a rating of that season is provisional."""

AGAINST: Final = 3
"""With games against fewer people, a rating is provisional, however many there are."""

BEGUN_WITH: Final = 10
"""A season is what a leaderboard shows by itself once two people have met so often."""


def season_of(at: datetime) -> Season:
    """The season of a moment."""
    return season_of_day(at.astimezone(UTC).date())


def season_of_day(day: date) -> Season:
    """The season of a day in UTC."""
    return Season(100 * day.year + day.month)


def season_before(season: Season) -> Season:
    """The season before one."""
    year, month = divmod(season, 100)
    return Season(season - 1 if month > 1 else 100 * (year - 1) + 12)


def first_day(season: Season) -> date:
    """The day on which a season begins."""
    year, month = divmod(season, 100)
    return date(year, month, 1)


def days_of(season: Season) -> tuple[date, date]:
    """The first and the last day of a season; of all time those of the calendar."""
    if season == ALL_TIME:
        return date.min, date.max
    first = first_day(season)
    return first, (first + timedelta(31)).replace(day=1) - timedelta(1)


def settled_with(season: Season) -> int:
    """The number of rated games from which on a rating of a season is no longer provisional.

    From as many others a person is known in full to those who play them.
    """
    return PROVISIONAL_BELOW if season == ALL_TIME else PROVISIONAL_IN_SEASON
