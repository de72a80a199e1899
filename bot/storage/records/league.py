"""The puzzle's league: points a person, server and month, summed up from the answers.

An answer counts in every server where the person has asked for that puzzle, and everywhere. The
sums of a person are made anew in the transaction that changes what they follow from.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    RowMapping,
    Select,
    case,
    delete,
    func,
    insert,
    literal_column,
    select,
    union_all,
)

from bot.records.puzzle_league import FIRST, HALF, POINTS, League, LeagueLine, difficulty
from bot.records.seasons import ALL_TIME, Season, days_of, season_of_day
from bot.records.standings import EVERYWHERE, scope_of
from bot.records.summaries import PAGE, last_page, places
from bot.storage.dialect import ANSWERING, advisory_lock
from bot.storage.schema.choice_tables import puzzle_answers, puzzle_servers
from bot.storage.schema.record_tables import puzzle_points
from bot.storage.values import EPOCH, day_of, number_of
from bot.table.seats import PersonId

WEEK: Final = 7

COUNTED: Final = puzzle_servers.join(
    puzzle_answers,
    (puzzle_servers.c.person == puzzle_answers.c.person)
    & (puzzle_servers.c.day == puzzle_answers.c.day),
)
"""The answers of each server's people."""

_ANSWERS, _POINTS, _SERVER = puzzle_answers.c, puzzle_points.c, puzzle_servers.c.server


def league(
    connection: Connection, guild: int | None, season: Season, asking: PersonId, page: int
) -> League:
    """A page of a season, at most the last one, and the asker's line.

    A `guild` of None stands for everywhere. Equals share a place.
    """
    board = (_POINTS.scope == scope_of(guild)) & (_POINTS.season == season)
    count = select(func.count()).select_from(puzzle_points).where(board)
    people = connection.execute(count).scalar_one()
    page = min(page, last_page(people))
    best = select(puzzle_points).where(board).order_by(_POINTS.halves.desc(), _POINTS.person.desc())
    rows = connection.execute(best.limit(PAGE).offset(page * PAGE)).mappings().all()
    own = select(puzzle_points).where(board, _POINTS.person == asking)
    own_row = connection.execute(own).mappings().one_or_none()

    def place(row: RowMapping) -> int:
        return 1 + connection.execute(count.where(_POINTS.halves > row["halves"])).scalar_one()

    lines = _lines(rows, page * PAGE, place(rows[0]) if rows else 1)
    return League(page, people, lines, _line(own_row, place(own_row)) if own_row else None)


def best_of(connection: Connection, guild: int, first: date, last: date) -> Sequence[LeagueLine]:
    """The best three of a guild in some days; equals share a place."""
    sums = _sums(ALL_TIME, first, last, everywhere=False).where(puzzle_servers.c.server == guild)
    best = sums.order_by(literal_column("halves").desc(), _ANSWERS.person.desc()).limit(FIRST)
    return _lines(connection.execute(best).mappings().all(), 0, 1)


def sum_up(connection: Connection, person: PersonId, day: date) -> None:
    """Make the points of a person anew, in the month of a day and of all time."""
    for season in (season_of_day(day), ALL_TIME):
        own = (_POINTS.season == season) & (_POINTS.person == person)
        connection.execute(delete(puzzle_points).where(own))
        _add(connection, season, _ANSWERS.person == person)


def recount(connection: Connection) -> None:
    """Make the points of everybody anew."""
    advisory_lock(connection, ANSWERING)
    connection.execute(delete(puzzle_points))
    enter_answers(connection)


def enter_answers(connection: Connection) -> None:
    """Add the points of all answers; there are none yet."""
    for season in _seasons(connection):
        _add(connection, season)


def are_uncounted(connection: Connection) -> bool:
    """Whether puzzles have been solved, and nobody has points for them."""
    solved = select(_ANSWERS.person).where(_ANSWERS.solved).limit(1)
    counted = select(_POINTS.person).limit(1)
    return bool(connection.execute(solved).first() and not connection.execute(counted).first())


def _seasons(connection: Connection) -> list[Season]:
    """All time, and the seasons with answers."""
    possible = select(_ANSWERS.day).distinct().where(_within(*days_of(ALL_TIME)))
    days = connection.execute(possible).scalars()
    return [ALL_TIME, *sorted({season_of_day(day_of(day)) for day in days})]


def _add(connection: Connection, season: Season, *whose: ColumnElement[bool]) -> None:
    sums = _every_sum(season, *whose)
    connection.execute(insert(puzzle_points).from_select(_POINTS.keys(), sums))


def _every_sum(season: Season, *whose: ColumnElement[bool]) -> CompoundSelect[Any]:
    """The rows of a season, everywhere and in each server."""
    sums = (_sums(season, *days_of(season), everywhere=each) for each in (True, False))
    return union_all(*(each.where(*whose) for each in sums))


def _sums(season: Season, first: date, last: date, *, everywhere: bool) -> Select[Any]:
    """The half points of people in some days, and the puzzles that they have solved."""
    scope = literal_column(str(EVERYWHERE)) if everywhere else _SERVER
    tries = case((_ANSWERS.second.is_(None), HALF), else_=1)
    query = (
        select(
            _ANSWERS.person,
            literal_column(str(season)).label("season"),
            scope.label("scope"),
            func.sum(_worth() * tries).label("halves"),
            func.count().label("solved"),
        )
        .select_from(puzzle_answers if everywhere else COUNTED)
        .where(_within(first, last), _ANSWERS.solved)
        .group_by(_ANSWERS.person)
    )
    return query if everywhere else query.group_by(_SERVER)


def _within(first: date, last: date) -> ColumnElement[bool]:
    return _ANSWERS.day.between(number_of(first), number_of(last))


def _worth() -> ColumnElement[int]:
    """The points of a day's puzzle, which follow from the day of the week."""
    worth = {
        number_of(day) % WEEK: POINTS[difficulty(day)]
        for day in (EPOCH.date() + timedelta(each) for each in range(WEEK))
    }
    return case(worth, value=_ANSWERS.day % literal_column(str(WEEK)))


def _lines(rows: Sequence[RowMapping], before: int, first: int) -> tuple[LeagueLine, ...]:
    shared = places([row["halves"] for row in rows], before, first)
    return tuple(map(_line, rows, shared))


def _line(row: RowMapping, place: int) -> LeagueLine:
    return LeagueLine(place, PersonId(row["person"]), int(row["halves"]) / HALF, row["solved"])
