"""One person's record in one game. Each query reads one range of one index."""

from __future__ import annotations

from statistics import fmean
from typing import Final

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, Table, func, select

from bot.records.rating import Rating
from bot.records.results import STRENGTH
from bot.records.reviewed import ReviewedGame
from bot.records.seasons import ALL_TIME, Season
from bot.records.standings import Scope, Standing, scope_of
from bot.records.summaries import (
    CURVE,
    OPPONENTS,
    LevelResult,
    Opponent,
    Point,
    ReviewedPlay,
    Stats,
)
from bot.storage.reading import Reader
from bot.storage.records.badges import earned_by, found_in, titles
from bot.storage.records.record_rows import standing_of, tally_of
from bot.storage.schema.game_tables import reviews, seats
from bot.storage.schema.record_tables import level_records, pairings, results, standings
from bot.table.seats import Level, PersonId

_MET: Final = pairings.c.wins + pairings.c.draws + pairings.c.losses
_BEHIND: Final = pairings.c.losses - pairings.c.wins


def stats(reader: Reader, person: PersonId, game: str, guild: int | None) -> Stats:
    """The person's record in a game, everywhere or in one guild."""
    connection, scope = reader.connection, scope_of(guild)
    own = select(standings).where(standing_at(person, game, scope, ALL_TIME))
    row = connection.execute(own).mappings().one_or_none()
    met = select(pairings).where(of(pairings, person, game, scope), pairings.c.season == ALL_TIME)
    favourites = met.order_by(_MET.desc(), pairings.c.opponent).limit(OPPONENTS)
    toughest = met.where(_BEHIND > 0).order_by(_BEHIND.desc(), pairings.c.opponent).limit(OPPONENTS)
    played = played_by(person, game, guild)
    return Stats(
        person=person,
        game=game,
        guild=guild,
        standing=Standing() if row is None else standing_of(row),
        favourites=tuple(map(_opponent, connection.execute(favourites).mappings())),
        toughest=tuple(map(_opponent, connection.execute(toughest).mappings())),
        levels=_levels(reader, of(level_records, person, game, scope)),
        curve=_curve(reader, played, here=guild is not None),
        played=_played_well(reader, played),
        titles=_count(connection, titles(person, game, guild)),
        badges=earned_by(connection, person, game),
        found=found_in(connection, guild, game),
    )


def _count(connection: Connection, of_them: Select[int]) -> int:
    return connection.execute(select(func.count()).select_from(of_them.subquery())).scalar_one()


def of(table: Table, person: PersonId, game: str, scope: Scope) -> ColumnElement[bool]:
    """The condition that a row is about a person in a game and a scope."""
    key = table.c
    return (key.person == person) & (key.game == game) & (key.scope == scope)


def standing_at(person: PersonId, game: str, scope: Scope, season: Season) -> ColumnElement[bool]:
    """The condition that a standing is a person's in a game, a scope and a season."""
    return of(standings, person, game, scope) & (standings.c.season == season)


def played_by(person: PersonId, game: str | None, guild: int | None) -> ColumnElement[bool]:
    """The condition that a result is a person's, in a game and a guild if they are named."""
    condition = results.c.person == person
    if game is not None:
        condition &= results.c.game == game
    if guild is not None:
        condition &= results.c.guild == guild
    return condition


def _opponent(row: RowMapping) -> Opponent:
    return Opponent(PersonId(row["opponent"]), tally_of(row))


def _levels(reader: Reader, own: ColumnElement[bool]) -> tuple[LevelResult, ...]:
    found = reader.rows(
        level_records,
        select(level_records).where(own),
        lambda row: LevelResult(Level(row["level"]), tally_of(row)),
    )
    return tuple(sorted(found, key=lambda each: STRENGTH.index(each.level)))


def _curve(reader: Reader, played: ColumnElement[bool], *, here: bool) -> tuple[Point, ...]:
    mu, sigma = (
        (results.c.mu_here, results.c.sigma_here) if here else (results.c.mu, results.c.sigma)
    )
    latest = (
        select(results.c.at, mu.label("believed"), sigma.label("unsure"))
        .where(played, mu.is_not(None))
        .order_by(results.c.finish.desc())
        .limit(CURVE)
    )
    points = reader.rows(
        results, latest, lambda row: Point(row["at"], Rating(row["believed"], row["unsure"]))
    )
    return tuple(reversed(points))


def _played_well(reader: Reader, own: ColumnElement[bool]) -> ReviewedPlay | None:
    """A person's accuracy and luck in their reviewed games; None if there is none."""
    query = (
        select(seats.c.seat, reviews.c.found)
        .select_from(results)
        .join(reviews, reviews.c.session == results.c.session)
        .join(seats, (seats.c.session == results.c.session) & (seats.c.person == results.c.person))
        .where(own, ~reviews.c.outdated)
    )
    played = reader.rows(
        reviews, query, lambda row: ReviewedGame.read(row["found"]).seats[row["seat"]]
    )
    accuracies = [seat.accuracy for seat in played if seat.accuracy is not None]
    if not accuracies:
        return None
    return ReviewedPlay(len(played), fmean(accuracies), fmean(seat.luck for seat in played))
