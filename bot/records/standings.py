"""Book-keeping: the changes that a finished game makes to the records.

A game is entered in every scope it belongs to, everywhere and the guild it was played in; and in
each of them for all time and for its season.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, NewType

from bot.records.rating import NEWCOMER, PROVISIONAL_BELOW, Rating
from bot.records.results import AgainstComputers, AmongPeople, Outcome, Result
from bot.records.seasons import ALL_TIME, Season
from bot.table.seats import Level, PersonId

Scope = NewType("Scope", int)
"""A range of games counted together: a guild's id, or `EVERYWHERE`."""

EVERYWHERE: Final = Scope(0)


@dataclass(frozen=True, slots=True)
class Tally:
    """Wins, draws and losses of a person."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def win_rate(self) -> float | None:
        """The share that was won, in [0, 1]; None without a game."""
        return self.wins / self.games if self.games else None

    @property
    def provisional(self) -> bool:
        """Whether there are too few games for a rating to say much."""
        return self.games < PROVISIONAL_BELOW


@dataclass(frozen=True, slots=True)
class Standing:
    """A person's standing in a game against people, in a scope and a season.

    `streak` is the wins in a row up to the last game, negative for losses, 0 after a draw;
    `best_streak` is the longest row of wins.
    """

    rating: Rating = NEWCOMER
    tally: Tally = Tally()
    streak: int = 0
    best_streak: int = 0

    def after(self, outcome: Outcome, rating: Rating) -> Standing:
        """The standing after one more game."""
        streak = continued(self.streak, outcome)
        return Standing(rating, counted(self.tally, outcome), streak, max(self.best_streak, streak))


class StandingKey(NamedTuple):
    """The person, scope and season of a standing in a game."""

    person: PersonId
    scope: Scope
    season: Season = ALL_TIME


Standings = Mapping[StandingKey, Standing]


class Line(NamedTuple):
    """A game of one person: its outcome and the ratings after it, `here` being its guild."""

    person: PersonId
    outcome: Outcome
    everywhere: Rating | None = None
    here: Rating | None = None


class Meeting(NamedTuple):
    """A game against one opponent."""

    person: PersonId
    opponent: PersonId
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class RecordEntry:
    """The changes by one game; `level` is the computer's, in a game against computers.

    `standings` are those after the game. `lines` and `meetings` count in every scope.
    """

    scopes: tuple[Scope, ...]
    lines: tuple[Line, ...]
    level: Level | None = None
    standings: Standings = field(default_factory=dict)
    meetings: tuple[Meeting, ...] = ()


def scope_of(guild: int | None) -> Scope:
    """A guild's scope, or everywhere without a guild."""
    return EVERYWHERE if guild is None else Scope(guild)


def scopes(guild: int | None) -> tuple[Scope, ...]:
    """The scopes of a game in a guild, everywhere first."""
    return (EVERYWHERE,) if guild is None else (EVERYWHERE, Scope(guild))


def entered(result: Result, guild: int | None, season: Season, standings: Standings) -> RecordEntry:
    """The changes by a game of a season, given all `standings` before it."""
    where = scopes(guild)
    match result:
        case AgainstComputers(verdicts, level):
            return RecordEntry(where, tuple(Line(v.person, v.outcome) for v in verdicts), level)
        case AmongPeople():
            after = {
                key: standing
                for each in (ALL_TIME, season)
                for scope in where
                for key, standing in _after(result, scope, each, standings)
            }
            return RecordEntry(
                where,
                tuple(_lines(result, where, after)),
                standings=after,
                meetings=tuple(_meetings(result)),
            )


def counted(tally: Tally, outcome: Outcome) -> Tally:
    """The tally with one more game."""
    match outcome:
        case Outcome.WIN:
            return replace(tally, wins=tally.wins + 1)
        case Outcome.DRAW:
            return replace(tally, draws=tally.draws + 1)
        case Outcome.LOSS:
            return replace(tally, losses=tally.losses + 1)


def continued(streak: int, outcome: Outcome) -> int:
    """The streak with one more game."""
    match outcome:
        case Outcome.WIN:
            return max(streak, 0) + 1
        case Outcome.DRAW:
            return 0
        case Outcome.LOSS:
            return min(streak, 0) - 1


def _after(
    game: AmongPeople, scope: Scope, season: Season, standings: Standings
) -> Iterator[tuple[StandingKey, Standing]]:
    keys = {verdict.person: StandingKey(verdict.person, scope, season) for verdict in game.verdicts}
    before = {person: standings.get(key, Standing()) for person, key in keys.items()}
    ratings = game.ratings({person: each.rating for person, each in before.items()})
    for verdict in game.verdicts:
        person = verdict.person
        yield keys[person], before[person].after(verdict.outcome, ratings[person])


def _lines(game: AmongPeople, where: tuple[Scope, ...], after: Standings) -> Iterator[Line]:
    for verdict in game.verdicts:
        ratings = [after[StandingKey(verdict.person, scope)].rating for scope in where]
        yield Line(verdict.person, verdict.outcome, *(ratings if game.is_rated else ()))


def _meetings(game: AmongPeople) -> Iterator[Meeting]:
    for one in game.verdicts:
        for other in game.verdicts:
            if one.side != other.side:
                yield Meeting(one.person, other.person, one.against(other))
