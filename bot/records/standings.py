"""Book-keeping: the changes that a finished game makes to the records.

A game is entered in each of its scopes, everywhere and its guild's, and there both for all time and
for its season.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Final, NamedTuple, NewType

from bot.records.rating import AGAINST, ALL_TIME, NEWCOMER, Rating, Season, settled_with, weight
from bot.records.results import AgainstComputers, AmongPeople, Outcome, Result, Verdict
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


@dataclass(frozen=True, slots=True)
class Standing:
    """A person's standing in a game against people, in a scope and a season.

    `streak` is the number of wins in a row up to the last game, negative for losses, 0 after a
    draw; `best_streak` is the most wins in a row. `rated` is the number of rated games, and
    `opponents` that of different opponents. When shown, all forgotten people count as one; when
    games are entered each counts, so that the same games always give the same ratings.
    """

    rating: Rating = NEWCOMER
    tally: Tally = Tally()
    streak: int = 0
    best_streak: int = 0
    rated: int = 0
    opponents: int = 0

    def after(self, outcome: Outcome, rating: Rating, *, rated: bool, new: int) -> Standing:
        """The standing after one more game, with `new` opponents not met before."""
        streak = continued(self.streak, outcome)
        return Standing(
            rating,
            counted(self.tally, outcome),
            streak,
            max(self.best_streak, streak),
            self.rated + rated,
            self.opponents + new,
        )

    def provisional(self, season: Season = ALL_TIME) -> bool:
        """Whether there are too few games or opponents for a reliable rating."""
        return self.rated < settled_with(season) or self.opponents < AGAINST

    def others(self, met: int) -> int:
        """The number of opponents besides one whom the person has met in `met` games.

        It is at most the number of games without that one, since opponents met only together with
        that one say little about the person.
        """
        return min(self.opponents - (met > 0), self.tally.games - met)


class StandingKey(NamedTuple):
    """The person, scope and season of a standing in a game."""

    person: PersonId
    scope: Scope
    season: Season = ALL_TIME


Standings = Mapping[StandingKey, Standing]


class Pair(NamedTuple):
    """Two opponents in a scope and season, the one with the lower id first."""

    one: PersonId
    other: PersonId
    scope: Scope
    season: Season = ALL_TIME


Met = Mapping[Pair, int]
"""The number of games that pairs have played against each other."""


def pair(one: PersonId, other: PersonId, scope: Scope, season: Season = ALL_TIME) -> Pair:
    """The key of two opponents in a scope and season, in whichever order they are given."""
    return Pair(min(one, other), max(one, other), scope, season)


class Line(NamedTuple):
    """A person's outcome of a game and ratings after it, everywhere and in its guild (`here`)."""

    person: PersonId
    outcome: Outcome
    everywhere: Rating | None = None
    here: Rating | None = None


class Meeting(NamedTuple):
    """A person's outcome of a game against one opponent."""

    person: PersonId
    opponent: PersonId
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class RecordEntry:
    """The changes by one game; `level` is that of a game against computers.

    `standings` are those after the game; `met` counts the games of its pairs, with this one.
    `lines` are entered in every scope, and `meetings` in every scope and season.
    """

    scopes: tuple[Scope, ...]
    lines: tuple[Line, ...]
    level: Level | None = None
    standings: Standings = field(default_factory=dict)
    met: Met = field(default_factory=dict)
    meetings: tuple[Meeting, ...] = ()
    seasons: tuple[Season, ...] = ()


def scope_of(guild: int | None) -> Scope:
    """A guild's scope; `EVERYWHERE` without a guild."""
    return EVERYWHERE if guild is None else Scope(guild)


def scopes(guild: int | None) -> tuple[Scope, ...]:
    """The scopes of a game in a guild, everywhere first."""
    return (EVERYWHERE,) if guild is None else (EVERYWHERE, Scope(guild))


def entered(
    result: Result, guild: int | None, season: Season, standings: Standings, met: Met
) -> RecordEntry:
    """The changes by a game in a season, given the `standings` and pairs' games before it.

    A short game between people only changes their history.
    """
    where = scopes(guild)
    match result:
        case AgainstComputers(verdicts, level):
            return RecordEntry(where, tuple(Line(v.person, v.outcome) for v in verdicts), level)
        case AmongPeople(verdicts, short=True):
            return RecordEntry(where, tuple(Line(v.person, v.outcome) for v in verdicts))
        case AmongPeople():
            book = _Book(result, season, standings, met)
            after = {
                key: standing
                for each in (ALL_TIME, season)
                for scope in where
                for key, standing in book.after(scope, each)
            }
            return RecordEntry(
                where,
                tuple(_lines(result, where, after)),
                standings=after,
                met=dict(book.met_again(where)),
                meetings=tuple(_meetings(result)),
                seasons=(ALL_TIME, season),
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


class _Book(NamedTuple):
    """A game between people, its season, and the counts before it."""

    game: AmongPeople
    season: Season
    standings: Standings
    met: Met

    def after(self, scope: Scope, season: Season) -> Iterator[tuple[StandingKey, Standing]]:
        """The standings after the game, in a scope and in its season or of all time."""
        keys = {each.person: StandingKey(each.person, scope, season) for each in self.game.verdicts}
        before = {person: self.standings.get(key, Standing()) for person, key in keys.items()}
        ratings = self.game.ratings(
            {person: each.rating for person, each in before.items()},
            {each.person: self._weight(each, before, scope, season) for each in self.game.verdicts},
        )
        for verdict in self.game.verdicts:
            person = verdict.person
            yield (
                keys[person],
                before[person].after(
                    verdict.outcome,
                    ratings[person],
                    rated=self.game.is_rated,
                    new=sum(
                        not self._met(person, each.person, scope, season)
                        for each in self.game.opponents(verdict)
                    ),
                ),
            )

    def met_again(self, where: tuple[Scope, ...]) -> Iterator[tuple[Pair, int]]:
        """Yield each pair of opponents with the number of their games, this one included."""
        for one in self.game.verdicts:
            for other in self.game.opponents(one):
                for scope in where:
                    for season in (ALL_TIME, self.season):
                        key = pair(one.person, other.person, scope, season)
                        yield key, self.met.get(key, 0) + 1

    def _weight(
        self, verdict: Verdict, before: Mapping[PersonId, Standing], scope: Scope, season: Season
    ) -> float:
        """The weight of the game in a person's rating: the mean over all opponents."""
        person = verdict.person
        return fmean(
            weight(
                self._met(person, each.person, scope, self.season),
                before[each.person].others(self._met(person, each.person, scope, season)),
                settled_with(season),
            )
            for each in self.game.opponents(verdict)
        )

    def _met(self, one: PersonId, other: PersonId, scope: Scope, season: Season) -> int:
        return self.met.get(pair(one, other, scope, season), 0)


def _lines(game: AmongPeople, where: tuple[Scope, ...], after: Standings) -> Iterator[Line]:
    for verdict in game.verdicts:
        ratings = [after[StandingKey(verdict.person, scope)].rating for scope in where]
        yield Line(verdict.person, verdict.outcome, *(ratings if game.is_rated else ()))


def _meetings(game: AmongPeople) -> Iterator[Meeting]:
    for one in game.verdicts:
        for other in game.opponents(one):
            yield Meeting(one.person, other.person, one.against(other))
