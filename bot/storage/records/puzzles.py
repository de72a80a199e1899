"""People's answers to the puzzles of the day, and the league that follows from them.

An answer counts in every server where the person has asked for that puzzle, and everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    RowMapping,
    Select,
    Subquery,
    case,
    func,
    literal_column,
    select,
)
from sqlalchemy.dialects.postgresql import insert

from bot.records.puzzle_league import HALF, POINTS, League, LeagueLine, PuzzleDay, difficulty
from bot.records.puzzle_record import PuzzleAnswer
from bot.records.summaries import PAGE, last_page
from bot.storage.schema.choice_tables import puzzle_answers, puzzle_servers, servers
from bot.storage.values import EPOCH
from bot.table.seats import PersonId
from engine.game import Move

FIRST_DAY: Final = EPOCH.toordinal()
WEEK: Final = 7

_ANSWERS, _SERVERS = puzzle_answers.c, puzzle_servers.c


def number_of(day: date) -> int:
    """The number of a day, counted from 1970."""
    return day.toordinal() - FIRST_DAY


def day_of(number: int) -> date:
    """The day of a number."""
    return date.fromordinal(FIRST_DAY + number)


def answers(connection: Connection, person: PersonId) -> Mapping[date, PuzzleAnswer]:
    """A person's answers by their days, the first one first."""
    own = select(puzzle_answers).where(_ANSWERS.person == person).order_by(_ANSWERS.day)
    return {day_of(row["day"]): _answer(row) for row in connection.execute(own).mappings()}


def keep(
    connection: Connection, person: PersonId, day: date, move: Move, *, solved: bool, at: datetime
) -> None:
    """Save a person's first try, or a second one with another move; no more."""
    row = {"person": person, "day": number_of(day), "solved": solved, "first": move, "at": at}
    again = (
        insert(puzzle_answers)
        .values(row)
        .on_conflict_do_update(
            index_elements=[_ANSWERS.person, _ANSWERS.day],
            set_={"solved": solved, "second": move, "at": at},
            where=~_ANSWERS.solved & (_ANSWERS.first != move) & _ANSWERS.second.is_(None),
        )
    )
    connection.execute(again)


def count_in(connection: Connection, guild: int, day: date, person: PersonId) -> None:
    """Let a person's answer of a day count in a server too."""
    row = {"server": guild, "day": number_of(day), "person": person}
    counted = insert(puzzle_servers).values(row).on_conflict_do_nothing()
    there = select(_SERVERS.day).where(*(_SERVERS[name] == value for name, value in row.items()))
    if connection.execute(there).first() is None:
        connection.execute(insert(servers).values(id=guild).on_conflict_do_nothing())
        connection.execute(counted)


def servers_of(connection: Connection, person: PersonId) -> list[tuple[date, int]]:
    """The days and servers in which a person has asked for a puzzle."""
    own = select(_SERVERS.day, _SERVERS.server).where(_SERVERS.person == person)
    rows = connection.execute(own.order_by(_SERVERS.day, _SERVERS.server))
    return [(day_of(day), server) for day, server in rows]


def day_in(connection: Connection, guild: int, day: date) -> PuzzleDay:
    """The answers of a day in a server."""
    own = (_SERVERS.server == guild) & (_SERVERS.day == number_of(day))
    query = select(puzzle_answers).select_from(_counted()).where(own)
    rows = connection.execute(query.order_by(_ANSWERS.at, _ANSWERS.person)).mappings()
    return PuzzleDay(day, {PersonId(row["person"]): _answer(row) for row in rows})


def streak_in(connection: Connection, guild: int, last: date) -> int:
    """The days up to the last on each of which somebody in a server has solved the puzzle."""
    solved = select(_ANSWERS.day).select_from(_counted()).where(_ANSWERS.solved)
    own, days = solved.where(_SERVERS.server == guild).limit(1), 0
    while connection.execute(own.where(_SERVERS.day == number_of(last) - days)).first():
        days += 1
    return days


def league(
    connection: Connection,
    guild: int | None,
    first: date,
    last: date,
    *,
    asking: PersonId | None = None,
    page: int = 0,
) -> League:
    """A page of the league of some days, the last if there are not so many, and the asker's line.

    A `guild` of None stands for everywhere. Equals share a place.
    """
    ranked = _ranked(guild, first, last)
    on_page = ranked.c.number.between(page * PAGE + 1, (page + 1) * PAGE)
    query = select(ranked).where(on_page | (ranked.c.person == asking)).order_by(ranked.c.number)
    rows = connection.execute(query).mappings().all()
    lines = tuple(_line(row) for row in rows if (row["number"] - 1) // PAGE == page)
    if page and not lines:
        people = connection.execute(select(func.count()).select_from(ranked)).scalar_one()
        return league(connection, guild, first, last, asking=asking, page=last_page(people))
    own = next((_line(row) for row in rows if row["person"] == asking), None)
    return League(page, rows[0]["people"] if rows else 0, lines, own)


def _counted() -> FromClause:
    """The answers of each server's people."""
    same = (_SERVERS.person == _ANSWERS.person) & (_SERVERS.day == _ANSWERS.day)
    return puzzle_servers.join(puzzle_answers, same)


def _ranked(guild: int | None, first: date, last: date) -> Subquery:
    """The people who have solved a puzzle in some days: half points, place, number in order."""
    tries = case((_ANSWERS.second.is_(None), HALF), else_=1)
    halves = func.sum(_worth() * tries)
    query: Select[Any] = (
        select(
            _ANSWERS.person,
            halves.label("halves"),
            func.count().label("solved"),
            func.rank().over(order_by=halves.desc()).label("place"),
            func.row_number().over(order_by=(halves.desc(), _ANSWERS.person)).label("number"),
            func.count().over().label("people"),
        )
        .where(_ANSWERS.day.between(number_of(first), number_of(last)), _ANSWERS.solved)
        .group_by(_ANSWERS.person)
    )
    if guild is not None:
        query = query.select_from(_counted()).where(_SERVERS.server == guild)
    return query.subquery()


def _worth() -> ColumnElement[int]:
    """The points of a day's puzzle, which follow from the day of the week."""
    worth = {
        number_of(day) % WEEK: POINTS[difficulty(day)]
        for day in (EPOCH.date() + timedelta(each) for each in range(WEEK))
    }
    return case(worth, value=_ANSWERS.day % literal_column(str(WEEK)))


def _line(row: RowMapping) -> LeagueLine:
    return LeagueLine(
        row["place"], PersonId(row["person"]), int(row["halves"]) / HALF, row["solved"]
    )


def _answer(row: RowMapping) -> PuzzleAnswer:
    tried = (Move(row[name]) for name in ("first", "second") if row[name] is not None)
    return PuzzleAnswer(row["solved"], tuple(tried), row["at"])
