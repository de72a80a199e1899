"""Rows of the records, made of values and read into them."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from sqlalchemy import RowMapping

from bot.records.rating import Rating
from bot.records.standings import RecordEntry, Standing, Standings, Tally, counted
from bot.records.summaries import Finished
from bot.storage.values import Values

_COUNTS: Final = tuple(field.name for field in fields(Tally))

NUMBERS: Final = tuple(
    each.name for each in fields(Standing) if each.name not in {"rating", "tally"}
)
"""The fields of a standing that are columns of the same names."""


def result_values(game: Finished, entry: RecordEntry, finish: int) -> list[Values]:
    """The rows of a game's results, one for each person."""
    return [
        {
            "person": line.person,
            "finish": finish,
            "session": game.session,
            "game": game.game,
            "guild": game.guild,
            "at": game.at,
            "outcome": line.outcome,
            "level": entry.level,
            "mu": line.everywhere and line.everywhere.mu,
            "sigma": line.everywhere and line.everywhere.sigma,
            "mu_here": line.here and line.here.mu,
            "sigma_here": line.here and line.here.sigma,
        }
        for line in entry.lines
    ]


def standing_values(game: str, after: Standings) -> list[Values]:
    """The rows of the standings after a game."""
    return [
        {
            "game": game,
            **key._asdict(),
            "mu": standing.rating.mu,
            "sigma": standing.rating.sigma,
            "ordinal": standing.rating.ordinal,
            **_counted(standing.tally),
            **{name: getattr(standing, name) for name in NUMBERS},
        }
        for key, standing in after.items()
    ]


def level_values(game: str, entry: RecordEntry) -> list[Values]:
    """The rows that a game against the computer adds to the results by level."""
    return [
        {"person": line.person, "game": game, "scope": scope, "level": entry.level}
        | _counted(counted(Tally(), line.outcome))
        for line in entry.lines
        for scope in entry.scopes
        if entry.level is not None
    ]


def pairing_values(game: str, entry: RecordEntry) -> list[Values]:
    """The rows that a game between people adds to the results against each other."""
    return [
        {"person": meeting.person, "game": game, "season": season, "scope": scope}
        | {"opponent": meeting.opponent}
        | _counted(counted(Tally(), meeting.outcome))
        for meeting in entry.meetings
        for scope in entry.scopes
        for season in entry.seasons
    ]


def tally_of(row: RowMapping) -> Tally:
    """The tally of a row."""
    return Tally(*(row[name] for name in _COUNTS))


def standing_of(row: RowMapping) -> Standing:
    """The standing of a row."""
    numbers = {name: row[name] for name in NUMBERS}
    return Standing(Rating(row["mu"], row["sigma"]), tally_of(row), **numbers)


def _counted(tally: Tally) -> Values:
    return {name: getattr(tally, name) for name in _COUNTS}
