"""People's answers to the puzzles of the day, and the servers where they count."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta

from sqlalchemy import ColumnElement, Connection, RowMapping, select, update
from sqlalchemy.dialects.postgresql import insert

from bot.records.puzzle_league import PuzzleDay
from bot.records.puzzle_record import PuzzleAnswer, PuzzleRecord
from bot.records.standings import EVERYWHERE
from bot.storage.dialect import ANSWERING, advisory_lock
from bot.storage.reading import Reader
from bot.storage.records.league import COUNTED, sum_up
from bot.storage.schema.choice_tables import (
    frozen_days,
    news,
    puzzle_answers,
    puzzle_servers,
    servers,
)
from bot.storage.values import day_of, number_of
from bot.table.seats import PersonId
from engine.game import Move

_ANSWERS, _SERVERS = puzzle_answers.c, puzzle_servers.c


def answers(reader: Reader, person: PersonId) -> Mapping[date, PuzzleAnswer]:
    """A person's answers by their days, the first one first."""
    own = select(puzzle_answers).where(_ANSWERS.person == person).order_by(_ANSWERS.day)
    return dict(reader.rows(puzzle_answers, own, lambda row: (day_of(row["day"]), _answer(row))))


def record(reader: Reader, person: PersonId, today: date) -> PuzzleRecord:
    """A person's answers, and the days frozen where they have asked for puzzles."""
    asked = select(_SERVERS.server).where(_SERVERS.person == person)
    scope = frozen_days.c.scope
    frozen = _frozen(reader, (scope == EVERYWHERE) | scope.in_(asked))
    return PuzzleRecord(answers(reader, person), today, frozen)


def keep(
    connection: Connection, person: PersonId, day: date, move: Move, *, solved: bool, at: datetime
) -> None:
    """Save a person's first try, or a second one with another move; no more."""
    advisory_lock(connection, ANSWERING)
    row = {"person": person, "day": number_of(day), "solved": solved, "first": move, "at": at}
    again = (
        insert(puzzle_answers)
        .values(row)
        .on_conflict_do_update(
            index_elements=[_ANSWERS.person, _ANSWERS.day],
            set_={"solved": solved, "second": move, "at": at},
            where=~_ANSWERS.solved & (_ANSWERS.first != move) & _ANSWERS.second.is_(None),
        )
        .returning(_ANSWERS.day)
    )
    if connection.execute(again).first() is not None:
        redraw_news(connection, person, day)
    if solved:
        sum_up(connection, person, day)


def count_in(connection: Connection, guild: int, day: date, person: PersonId) -> None:
    """Let a person's answer of a day count in a server too."""
    row = {"server": guild, "day": number_of(day), "person": person}
    counted = insert(puzzle_servers).values(row).on_conflict_do_nothing()
    there = select(_SERVERS.day).where(*(_SERVERS[name] == value for name, value in row.items()))
    if connection.execute(there).first() is None:
        advisory_lock(connection, ANSWERING)
        connection.execute(insert(servers).values(id=guild).on_conflict_do_nothing())
        connection.execute(counted)
        redraw_news(connection, person, day)
        sum_up(connection, person, day)


def redraw_news(connection: Connection, person: PersonId, *days: date) -> None:
    """Let the news of some days, or of all, show a person's answers as they are now."""
    there = (news.c.server == _SERVERS.server) & (news.c.day == _SERVERS.day)
    answered = select(_ANSWERS.day).select_from(COUNTED).where(_ANSWERS.person == person, there)
    of_days = (news.c.day.in_(map(number_of, days)),) if days else ()
    redrawn = update(news).where(answered.exists(), *of_days).values(wanted=news.c.wanted + 1)
    connection.execute(redrawn)


def has_news(connection: Connection, guild: int, day: date) -> bool:
    """Whether the news of a day have come to a server, or are on their way."""
    own = (news.c.server == guild) & (news.c.day == number_of(day))
    sent = news.c.message.is_not(None) | news.c.claimed_until.is_not(None)
    return connection.execute(select(news.c.day).where(own, sent)).first() is not None


def day_in(reader: Reader, guild: int, day: date) -> PuzzleDay:
    """The answers of a day in a server."""
    own = (_SERVERS.server == guild) & (_SERVERS.day == number_of(day))
    query = select(puzzle_answers).select_from(COUNTED).where(own)
    ordered = query.order_by(_ANSWERS.at, _ANSWERS.person)
    read = reader.rows(puzzle_answers, ordered, lambda row: (PersonId(row["person"]), _answer(row)))
    return PuzzleDay(day, dict(read))


def streak_in(reader: Reader, guild: int, last: date) -> int:
    """The days up to the last on each of which a person in a server has solved the puzzle.

    Frozen days neither count nor end it.
    """
    connection, frozen = reader.connection, frozen_in(reader, guild)
    solved = select(_ANSWERS.day).select_from(COUNTED).where(_ANSWERS.solved)
    own, day, days = solved.where(_SERVERS.server == guild).limit(1), last, 0
    while True:
        if connection.execute(own.where(_SERVERS.day == number_of(day))).first():
            days += 1
        elif day not in frozen:
            return days
        day -= timedelta(1)


def frozen_in(reader: Reader, guild: int) -> frozenset[date]:
    """The days that break no streak of a server."""
    return _frozen(reader, frozen_days.c.scope.in_((EVERYWHERE, guild)))


def _frozen(reader: Reader, which: ColumnElement[bool]) -> frozenset[date]:
    query = select(frozen_days).where(which)
    return frozenset(reader.rows(frozen_days, query, lambda row: day_of(row["day"])))


def _answer(row: RowMapping) -> PuzzleAnswer:
    tried = (Move(row[name]) for name in ("first", "second") if row[name] is not None)
    return PuzzleAnswer(row["solved"], tuple(tried), row["at"])
