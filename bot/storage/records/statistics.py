"""One person's record in one game, and the leaderboards and podiums of a game.

Each query of a record reads one range of one index. Places are counted with `ix_standing_ordinal`,
which holds each leaderboard in order; its column `person` tells former players, who have no place.
`python -m tests.benchmarks.leaderboard` measures that.
"""

from __future__ import annotations

from statistics import fmean
from typing import Final, NamedTuple

from msgspec import convert
from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    Table,
    case,
    distinct,
    func,
    select,
)

from bot.games.catalogue import CATALOGUE
from bot.records.rating import AGAINST, ALL_TIME, BEGUN_WITH, Rating, Season, settled_with
from bot.records.results import STRENGTH
from bot.records.reviewed import ReviewedGame
from bot.records.standings import Scope, Standing, scope_of
from bot.records.summaries import (
    CURVE,
    OPPONENTS,
    PODIUM,
    Leaderboard,
    LevelResult,
    Opponent,
    Point,
    Ranked,
    ReviewedPlay,
    Stats,
)
from bot.storage.reading import Reader
from bot.storage.records.badges import earned_by, found_in, titles
from bot.storage.records.finished import standing_of, tally_of
from bot.storage.records.leaderboards import RankedTable
from bot.storage.schema.game_tables import reviews, seats
from bot.storage.schema.record_tables import level_records, pairings, results, standings
from bot.table.seats import Level, PersonId

_MET: Final = pairings.c.wins + pairings.c.draws + pairings.c.losses
_BEHIND: Final = pairings.c.losses - pairings.c.wins
_HELPED: Final = [level for level in Level if level.helped]
_UNHELPED: Final = func.coalesce(results.c.level, "").not_in(_HELPED)

_SAME: Final = ("person", "game", "season", "scope")
_PERSON: Final = case((pairings.c.opponent > 0, pairings.c.opponent), else_=0)
_OPPONENTS: Final = (
    select(func.count(distinct(_PERSON)))
    .where(*(pairings.c[name] == standings.c[name] for name in _SAME))
    .scalar_subquery()
)
"""How many opponents a standing has; former players count as one, as they may be one person."""
_STANDINGS: Final = select(
    *(each for each in standings.columns if each is not standings.c.opponents),
    _OPPONENTS.label("opponents"),
)


def stats(reader: Reader, person: PersonId, game: str, guild: int | None) -> Stats:
    """A person's record in a game, everywhere or in one guild."""
    connection, scope = reader.connection, scope_of(guild)
    own = _STANDINGS.where(standing_at(person, game, scope, ALL_TIME))
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
    """A person's mean accuracy and luck in their reviewed games; None if there are none.

    Games with help, and games that they left to a computer, are not counted.
    """
    query = (
        select(seats.c.seat, reviews.c.found)
        .select_from(results)
        .join(reviews, reviews.c.session == results.c.session)
        .join(seats, (seats.c.session == results.c.session) & (seats.c.person == results.c.person))
        .where(own, _UNHELPED, ~reviews.c.outdated, seats.c.kind == "human")
    )
    played = reader.rows(
        reviews, query, lambda row: convert(row["found"], ReviewedGame).seats[row["seat"]]
    )
    accuracies = [seat.accuracy for seat in played if seat.accuracy is not None]
    if not accuracies:
        return None
    return ReviewedPlay(len(played), fmean(accuracies), fmean(seat.luck for seat in played))


def _line(row: RowMapping, place: int) -> Ranked:
    return Ranked(place, PersonId(row["person"]), standing_of(row), Season(row["season"]))


_RATINGS: Final = RankedTable(_STANDINGS, standings.c.ordinal, _line)
_PLAYED: Final = standings.c.wins + standings.c.draws + standings.c.losses
_BEST_FIRST: Final = (standings.c.ordinal.desc(), standings.c.person.desc())


class Ranking(NamedTuple):
    """A leaderboard by its game, scope (a server or everywhere) and season."""

    game: str
    scope: Scope
    season: Season = ALL_TIME

    @property
    def standings(self) -> ColumnElement[bool]:
        """The condition that a standing belongs to the leaderboard, even of a former player."""
        its = standings.c
        return (its.game == self.game) & (its.scope == self.scope) & (its.season == self.season)

    @property
    def placed(self) -> ColumnElement[bool]:
        """The condition that a standing has a place there, which former players do not."""
        return self.standings & (standings.c.person > 0)


def leaderboard(
    connection: Connection, board: Ranking, asking: PersonId, page: int
) -> Leaderboard[Ranked]:
    """A page, the last if `page` is beyond it, and the line of the person who asks."""
    return _RATINGS.leaderboard(connection, board.placed, asking, page)


def has_begun(connection: Connection, board: Ranking) -> bool:
    """Whether a season has enough games to be worth showing: `BEGUN_WITH` games of two people.

    Each counts in two standings, and no standing is without a game, so twenty rows are enough.
    """
    some = select(_PLAYED.label("games")).where(board.standings).limit(2 * BEGUN_WITH).subquery()
    return (connection.execute(select(func.sum(some.c.games))).scalar() or 0) >= 2 * BEGUN_WITH


def podium(connection: Connection, board: Ranking) -> tuple[Ranked, ...]:
    """The best three with settled ratings, former players included."""
    its = standings.c
    settled = (its.rated >= settled_with(board.season)) & (_OPPONENTS >= AGAINST)
    best = _STANDINGS.where(board.standings, settled).order_by(*_BEST_FIRST).limit(PODIUM)
    return _RATINGS.lines(connection.execute(best).mappings().all())


def podiums(connection: Connection, guild: int, season: Season) -> dict[str, tuple[Ranked, ...]]:
    """The podiums of a guild's season by game, without games that have none."""
    found = {key: podium(connection, Ranking(key, scope_of(guild), season)) for key in CATALOGUE}
    return {key: best for key, best in found.items() if best}
