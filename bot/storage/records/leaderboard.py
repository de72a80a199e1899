"""The best of a game, and a person's own place among them.

Places are counted over `ix_standing_ordinal`, which holds each leaderboard in order and tells
former players apart, who have no place. `python -m tests.benchmarks.leaderboard` says how long that
takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, RowMapping, func, select

from bot.games.catalogue import CATALOGUE
from bot.records.seasons import AGAINST, ALL_TIME, BEGUN_WITH, Season, settled_with
from bot.records.standings import Scope, scope_of
from bot.records.summaries import PAGE, PODIUM, Leaderboard, Ranked, last_page, places
from bot.storage.records.record_rows import standing_of
from bot.storage.records.statistics import standing_at
from bot.storage.schema.record_tables import standings
from bot.table.seats import PersonId

_PLAYED: Final = standings.c.wins + standings.c.draws + standings.c.losses
_BEST_FIRST: Final = (standings.c.ordinal.desc(), standings.c.person.desc())


class Ranking(NamedTuple):
    """A leaderboard."""

    game: str
    scope: Scope
    season: Season = ALL_TIME

    @property
    def standings(self) -> ColumnElement[bool]:
        """The condition that a standing belongs to the leaderboard, former players' included."""
        its = standings.c
        return (its.game == self.game) & (its.scope == self.scope) & (its.season == self.season)

    @property
    def placed(self) -> ColumnElement[bool]:
        """The condition that a standing has a place on it: former players have none."""
        return self.standings & (standings.c.person > 0)


def leaderboard(connection: Connection, board: Ranking, asking: PersonId, page: int) -> Leaderboard:
    """A page, at most the last one, and the line of the person who asks."""
    people = _count(connection, board.placed)
    page = min(page, last_page(people))
    rows = _rows(connection, board, page)
    first = _place(connection, board, rows[0]) if rows else 1
    own = select(standings).where(standing_at(asking, *board))
    asking_row = connection.execute(own).mappings().one_or_none()
    return Leaderboard(
        page=page,
        people=people,
        lines=_lines(rows, page * PAGE, first),
        own=_line(asking_row, _place(connection, board, asking_row)) if asking_row else None,
    )


def has_begun(connection: Connection, board: Ranking) -> bool:
    """Whether a season has enough games to be worth showing.

    A game of two counts for two people, so that the first twenty standings are enough to look at.
    """
    some = select(_PLAYED.label("games")).where(board.standings).limit(2 * BEGUN_WITH).subquery()
    return (connection.execute(select(func.sum(some.c.games))).scalar() or 0) >= 2 * BEGUN_WITH


def podium(connection: Connection, board: Ranking) -> tuple[Ranked, ...]:
    """The best three whose ratings are not provisional; former players are among them."""
    its = standings.c
    settled = (its.rated >= settled_with(board.season)) & (its.opponents >= AGAINST)
    best = select(standings).where(board.standings, settled).order_by(*_BEST_FIRST).limit(PODIUM)
    return _lines(connection.execute(best).mappings().all(), 0, 1)


def podiums(connection: Connection, guild: int, season: Season) -> dict[str, tuple[Ranked, ...]]:
    """The podiums of a guild's season, by the key of the game; none of games without anybody."""
    found = {key: podium(connection, Ranking(key, scope_of(guild), season)) for key in CATALOGUE}
    return {key: best for key, best in found.items() if best}


def _rows(connection: Connection, board: Ranking, page: int) -> list[RowMapping]:
    """The standings of a page, the best first, found by the index alone."""
    best = select(standings.c.person).where(board.placed).order_by(*_BEST_FIRST)
    people = connection.execute(best.limit(PAGE).offset(page * PAGE)).scalars().all()
    theirs = select(standings).where(board.placed, standings.c.person.in_(people))
    rows = {row["person"]: row for row in connection.execute(theirs).mappings()}
    return [rows[person] for person in people]


def _place(connection: Connection, board: Ranking, row: RowMapping) -> int:
    return 1 + _count(connection, board.placed & (standings.c.ordinal > row["ordinal"]))


def _count(connection: Connection, which: ColumnElement[bool]) -> int:
    counted = select(func.count()).select_from(standings).where(which)
    return connection.execute(counted).scalar_one()


def _lines(rows: Sequence[RowMapping], before: int, first: int) -> tuple[Ranked, ...]:
    shared = places([row["ordinal"] for row in rows], before, first)
    return tuple(map(_line, rows, shared))


def _line(row: RowMapping, place: int) -> Ranked:
    standing, season = standing_of(row), Season(row["season"])
    return Ranked(place, PersonId(row["person"]), standing, season)
