"""People's answers to the puzzles of the day, and the leagues of servers in which they count.

An answer counts in every server where the person has asked for that puzzle, and in the league of
all servers. Points for each person, server and month are sums over the answers; a person's sums are
made anew in the transaction that changes an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
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
    update,
)
from sqlalchemy.dialects.postgresql import insert as insert_new

from bot.records.puzzles import (
    FIRST,
    HALF,
    POINTS,
    LeagueLine,
    PuzzleAnswer,
    PuzzleDay,
    PuzzleRecord,
    difficulty,
)
from bot.records.rating import ALL_TIME, Season, days_of, season_of_day
from bot.records.standings import EVERYWHERE, scope_of
from bot.records.summaries import Leaderboard
from bot.storage.dialect import ANSWERING, advisory_lock
from bot.storage.reading import Reader
from bot.storage.records.leaderboards import RankedTable
from bot.storage.schema.choice_tables import (
    frozen_days,
    news,
    puzzle_answers,
    puzzle_servers,
    servers,
)
from bot.storage.schema.record_tables import puzzle_points
from bot.storage.values import EPOCH, day_of, number_of
from bot.table.seats import PersonId
from engine.game import Move

_ANSWERS, _SERVERS = puzzle_answers.c, puzzle_servers.c


def answers(reader: Reader, person: PersonId) -> Mapping[date, PuzzleAnswer]:
    """A person's answers by day, in the order of the days."""
    own = select(puzzle_answers).where(_ANSWERS.person == person).order_by(_ANSWERS.day)
    return dict(reader.rows(puzzle_answers, own, lambda row: (day_of(row["day"]), _answer(row))))


def record(reader: Reader, person: PersonId, today: date) -> PuzzleRecord:
    """A person's answers, and the days that are frozen in a server where they ask for puzzles."""
    asked = select(_SERVERS.server).where(_SERVERS.person == person)
    scope = frozen_days.c.scope
    frozen = _frozen(reader, (scope == EVERYWHERE) | scope.in_(asked))
    return PuzzleRecord(answers(reader, person), today, frozen)


def keep(
    connection: Connection, person: PersonId, day: date, move: Move, *, solved: bool, at: datetime
) -> None:
    """Save a person's first try at a puzzle, or a second with another move; ignore further ones."""
    advisory_lock(connection, ANSWERING)
    row = {"person": person, "day": number_of(day), "solved": solved, "first": move, "at": at}
    again = (
        insert_new(puzzle_answers)
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
    """Count a person's answer of a day in a server too."""
    row = {"server": guild, "day": number_of(day), "person": person}
    counted = insert_new(puzzle_servers).values(row).on_conflict_do_nothing()
    there = select(_SERVERS.day).where(*(_SERVERS[name] == value for name, value in row.items()))
    if connection.execute(there).first() is None:
        advisory_lock(connection, ANSWERING)
        connection.execute(insert_new(servers).values(id=guild).on_conflict_do_nothing())
        connection.execute(counted)
        redraw_news(connection, person, day)
        sum_up(connection, person, day)


def redraw_news(connection: Connection, person: PersonId, day: date) -> None:
    """Have the news of a day edited wherever a person's answer counts."""
    there = (news.c.server == _SERVERS.server) & (news.c.day == _SERVERS.day)
    answered = select(_ANSWERS.day).select_from(COUNTED).where(_ANSWERS.person == person, there)
    redrawn = update(news).where(news.c.day == number_of(day), answered.exists())
    connection.execute(redrawn.values(wanted=news.c.wanted + 1))


def is_told(connection: Connection, person: PersonId, day: date, guild: int | None) -> bool:
    """Whether news with the answer to a day's puzzle were sent, or are being sent, to a person.

    They come a day later, to a server, or to one where the person has asked for a puzzle lately.
    Where no news have asked the puzzle itself, as in direct messages, the person waits for no
    answer, and news of any server may have told them.
    """
    lately = _SERVERS.day.between(number_of(day) - WEEK, number_of(day) + 1)
    theirs = select(_SERVERS.server).where(_SERVERS.person == person, lately)
    own = news.alias()
    asked = select(own.c.day).where(
        own.c.server == guild, own.c.day == number_of(day), own.c.message.is_not(None)
    )
    there = (news.c.server == guild) | news.c.server.in_(theirs) | ~asked.exists()
    following = news.c.day == number_of(day + timedelta(1))
    sent = news.c.message.is_not(None) | news.c.claimed_until.is_not(None)
    told = select(news.c.day).where(following, there, sent).limit(1)
    return connection.execute(told).first() is not None


def day_in(reader: Reader, guild: int, day: date) -> PuzzleDay:
    """The answers of a day in a server."""
    own = (_SERVERS.server == guild) & (_SERVERS.day == number_of(day))
    query = select(puzzle_answers).select_from(COUNTED).where(own)
    ordered = query.order_by(_ANSWERS.at, _ANSWERS.person)
    read = reader.rows(puzzle_answers, ordered, lambda row: (PersonId(row["person"]), _answer(row)))
    return PuzzleDay(day, dict(read))


def streak_in(reader: Reader, guild: int, last: date) -> int:
    """The number of days in a row, up to `last`, on which anybody in a server solved the puzzle.

    Frozen days neither count nor break the streak.
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


WEEK: Final = 7

COUNTED: Final = puzzle_servers.join(
    puzzle_answers,
    (puzzle_servers.c.person == puzzle_answers.c.person)
    & (puzzle_servers.c.day == puzzle_answers.c.day),
)
"""The join of answers with the servers in which they count."""

_ANSWERS, _POINTS, _SERVER = puzzle_answers.c, puzzle_points.c, puzzle_servers.c.server


def _line(row: RowMapping, place: int) -> LeagueLine:
    return LeagueLine(place, PersonId(row["person"]), int(row["halves"]) / HALF, row["solved"])


_LEAGUES: Final = RankedTable(select(puzzle_points), _POINTS.halves, _line)


def league(
    connection: Connection, guild: int | None, season: Season, asking: PersonId, page: int
) -> Leaderboard[LeagueLine]:
    """A page of a season's league, the last if `page` is beyond it, and the asker's line.

    A `guild` of None stands for all servers. People with equal points share a place.
    """
    board = (_POINTS.scope == scope_of(guild)) & (_POINTS.season == season)
    return _LEAGUES.leaderboard(connection, board, asking, page)


def best_of(connection: Connection, guild: int, first: date, last: date) -> Sequence[LeagueLine]:
    """The best three of a guild from the `first` to the `last` day; equals share a place."""
    sums = _sums(ALL_TIME, first, last, everywhere=False).where(puzzle_servers.c.server == guild)
    best = sums.order_by(literal_column("halves").desc(), _ANSWERS.person.desc()).limit(FIRST)
    return _LEAGUES.lines(connection.execute(best).mappings().all())


def sum_up(connection: Connection, person: PersonId, day: date) -> None:
    """Recompute a person's points for the month of a day and for all time."""
    for season in (season_of_day(day), ALL_TIME):
        own = (_POINTS.season == season) & (_POINTS.person == person)
        connection.execute(delete(puzzle_points).where(own))
        _add(connection, season, _ANSWERS.person == person)


def recount(connection: Connection) -> None:
    """Recompute the points of all people."""
    advisory_lock(connection, ANSWERING)
    connection.execute(delete(puzzle_points))
    enter_answers(connection)


def enter_answers(connection: Connection) -> None:
    """Compute the points of all answers into the empty table of points."""
    for season in _seasons(connection):
        _add(connection, season)


def are_uncounted(connection: Connection) -> bool:
    """Whether puzzles have been solved but nobody has points."""
    solved = select(_ANSWERS.person).where(_ANSWERS.solved).limit(1)
    counted = select(_POINTS.person).limit(1)
    return bool(connection.execute(solved).first() and not connection.execute(counted).first())


def _seasons(connection: Connection) -> list[Season]:
    """`ALL_TIME`, and each month with answers."""
    possible = select(_ANSWERS.day).distinct().where(_within(*days_of(ALL_TIME)))
    days = connection.execute(possible).scalars()
    return [ALL_TIME, *sorted({season_of_day(day_of(day)) for day in days})]


def _add(connection: Connection, season: Season, *whose: ColumnElement[bool]) -> None:
    sums = _every_sum(season, *whose)
    connection.execute(insert(puzzle_points).from_select(_POINTS.keys(), sums))


def _every_sum(season: Season, *whose: ColumnElement[bool]) -> CompoundSelect[Any]:
    """The query of a season's points, for all servers together and for each one."""
    sums = (_sums(season, *days_of(season), everywhere=each) for each in (True, False))
    return union_all(*(each.where(*whose) for each in sums))


def _sums(season: Season, first: date, last: date, *, everywhere: bool) -> Select[Any]:
    """The query of people's half points and solved puzzles from the `first` to the `last` day."""
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
    """The points of an answer's puzzle, which depend on the day of the week."""
    worth = {
        number_of(day) % WEEK: POINTS[difficulty(day)]
        for day in (EPOCH.date() + timedelta(each) for each in range(WEEK))
    }
    return case(worth, value=_ANSWERS.day % literal_column(str(WEEK)))
