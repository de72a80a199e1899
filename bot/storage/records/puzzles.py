"""People's answers to the puzzles of the day, and the servers where they count."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime

from sqlalchemy import Connection, RowMapping, select
from sqlalchemy.dialects.postgresql import insert

from bot.records.puzzle_league import PuzzleDay
from bot.records.puzzle_record import PuzzleAnswer
from bot.storage.dialect import ANSWERING, in_turn
from bot.storage.reading import Reader
from bot.storage.records.league import COUNTED, sum_up
from bot.storage.schema.choice_tables import puzzle_answers, puzzle_servers, servers
from bot.storage.values import day_of, number_of
from bot.table.seats import PersonId
from engine.game import Move

_ANSWERS, _SERVERS = puzzle_answers.c, puzzle_servers.c


def answers(reader: Reader, person: PersonId) -> Mapping[date, PuzzleAnswer]:
    """A person's answers by their days, the first one first."""
    own = select(puzzle_answers).where(_ANSWERS.person == person).order_by(_ANSWERS.day)
    return dict(reader.rows(puzzle_answers, own, lambda row: (day_of(row["day"]), _answer(row))))


def keep(
    connection: Connection, person: PersonId, day: date, move: Move, *, solved: bool, at: datetime
) -> None:
    """Save a person's first try, or a second one with another move; no more."""
    in_turn(connection, ANSWERING)
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
    if solved:
        sum_up(connection, person, day)


def count_in(connection: Connection, guild: int, day: date, person: PersonId) -> None:
    """Let a person's answer of a day count in a server too."""
    row = {"server": guild, "day": number_of(day), "person": person}
    counted = insert(puzzle_servers).values(row).on_conflict_do_nothing()
    there = select(_SERVERS.day).where(*(_SERVERS[name] == value for name, value in row.items()))
    if connection.execute(there).first() is None:
        in_turn(connection, ANSWERING)
        connection.execute(insert(servers).values(id=guild).on_conflict_do_nothing())
        connection.execute(counted)
        sum_up(connection, person, day)


def servers_of(connection: Connection, person: PersonId) -> list[tuple[date, int]]:
    """The days and servers in which a person has asked for a puzzle."""
    own = select(_SERVERS.day, _SERVERS.server).where(_SERVERS.person == person)
    rows = connection.execute(own.order_by(_SERVERS.day, _SERVERS.server))
    return [(day_of(day), server) for day, server in rows]


def day_in(reader: Reader, guild: int, day: date) -> PuzzleDay:
    """The answers of a day in a server."""
    own = (_SERVERS.server == guild) & (_SERVERS.day == number_of(day))
    query = select(puzzle_answers).select_from(COUNTED).where(own)
    ordered = query.order_by(_ANSWERS.at, _ANSWERS.person)
    read = reader.rows(puzzle_answers, ordered, lambda row: (PersonId(row["person"]), _answer(row)))
    return PuzzleDay(day, dict(read))


def streak_in(connection: Connection, guild: int, last: date) -> int:
    """The days up to the last on each of which somebody in a server has solved the puzzle."""
    solved = select(_ANSWERS.day).select_from(COUNTED).where(_ANSWERS.solved)
    own, days = solved.where(_SERVERS.server == guild).limit(1), 0
    while connection.execute(own.where(_SERVERS.day == number_of(last) - days)).first():
        days += 1
    return days


def _answer(row: RowMapping) -> PuzzleAnswer:
    tried = (Move(row[name]) for name in ("first", "second") if row[name] is not None)
    return PuzzleAnswer(row["solved"], tuple(tried), row["at"])
