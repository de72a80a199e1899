"""Checks of the types of values, of references, and of the records.

SQLite accepts a text where a number belongs, and rows whose game is gone, if another program
writes them. After these checks a reader can rely on types. The records are made anew in temporary
tables by the code that writes them, and compared with the stored ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from math import isclose
from typing import Any, Final, TypeAlias

import sqlalchemy
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Executable,
    Select,
    Subquery,
    Table,
    and_,
    except_,
    exists,
    false,
    func,
    not_,
    null,
    or_,
    select,
    type_coerce,
)
from sqlalchemy.types import NullType

from bot.records.summaries import Finished
from bot.storage.choices import CHOSEN_FROM, Form, Reminding
from bot.storage.dialect import fits, hidden, sorted_by
from bot.storage.records.puzzles import enter_answers
from bot.storage.records.write import enter_all
from bot.storage.schema.base import metadata
from bot.storage.schema.choice_tables import people, servers
from bot.storage.schema.game_tables import standing_reminders
from bot.storage.schema.record_tables import RECORDS, puzzle_points, results
from bot.storage.values import UtcMoment, is_day
from bot.table.session import SessionId
from bot.table.waiting import Occasion

_CLOSED: Final[Mapping[Column[Any], Collection[str | int]]] = {
    people.c.form: tuple(Form),
    people.c.reminders: tuple(Reminding),
    **{servers.c[name]: possible for name, possible in CHOSEN_FROM.items()},
    standing_reminders.c.occasion: tuple(Occasion),
}
"""The columns with a closed set of values, and these values."""

_LAST_MOMENT: Final = 253_402_300_799_999
"""The last millisecond of the year 9999, the last that `datetime` can hold."""


def impossible_values(connection: Connection) -> Iterator[str]:
    """Faults of rows with a value that its column cannot have, a sentence each."""
    for table in metadata.sorted_tables:
        names = table.columns.keys()
        for row in connection.execute(_impossible(table, connection.dialect.name)):
            for name, value, right in zip(names, row, row[len(names) :], strict=False):
                if not right:
                    yield f"{named(table, row)}: {name} cannot be {value!r}."


@cache
def _impossible(table: Table, dialect: str) -> Executable:
    """The query of rows with an impossible value: all their values, then a boolean for each."""
    possible = [_possible(column, dialect) for column in table.columns]
    raw = [type_coerce(column, NullType()).label(column.name) for column in table.columns]
    return select(*raw, *possible).where(or_(*map(not_, possible)))


def lost_rows(connection: Connection) -> Iterator[str]:
    """Faults of rows whose parent is gone, but for records, which are compared as a whole."""
    for own, lost in _lost().items():
        for number in connection.execute(lost).scalars():
            yield f"{_called(own.table)}: {own.name} {number} does not exist."


@cache
def _lost() -> Mapping[Column[Any], Select[Any]]:
    """A query for each foreign key: its distinct values that refer to no row."""
    found = {}
    for table in (table for table in metadata.sorted_tables if table not in RECORDS):
        for key in table.foreign_keys:
            own, target = key.parent, key.column.table.alias()
            there = exists().where(target.c[key.column.name] == own)
            found[own] = select(own).distinct().where(own.is_not(None), ~there)
    return found


def named(table: Table, row: Sequence[Any]) -> str:
    """A row's table and key, such as `seat (session 7, seat 0)`; key columns must come first."""
    key = zip(table.primary_key, row, strict=False)
    return f"{_called(table)} ({', '.join(f'{column.name} {value}' for column, value in key)})"


def _called(table: Table) -> str:
    return table.name.replace("_", " ")


def _possible(column: Column[Any], dialect: str) -> ColumnElement[bool]:
    value: ColumnElement[Any] = type_coerce(column, NullType())
    fitting = fits(dialect, column, value)
    if isinstance(column.type, UtcMoment):
        fitting = and_(fitting, value.between(0, _LAST_MOMENT))
    if column.name in _DAYS:
        fitting = and_(fitting, is_day(value))
    if column in _CLOSED:
        fitting = and_(fitting, value.in_(_CLOSED[column]))
    return or_(value.is_(null()), fitting) if column.nullable else fitting


_DAYS: Final = {"day", "warned"}
"""The columns that hold the number of a day."""

Tell: TypeAlias = Callable[[str], None]
"""Takes a sentence about a fault."""

BATCH: Final = 1000
"""The most rows read at a time."""

ROUNDING: Final = 1e-11
"""The tolerance for equal ratings: `exp` may round differently on another machine."""

_Row: TypeAlias = sqlalchemy.Row[Any]


def compare_records(
    connection: Connection,
    tell: Tell,
    passed: Callable[[int], None],
    *,
    without: Collection[str] = (),
    instead: Mapping[SessionId, Finished],
) -> int:
    """Report where stored records differ from those of the games; return how many are stored.

    Kinds of games in `without` are left out; games in `instead` replace those read from the rows.
    `passed` is called with the number of games entered so far.
    """
    with hidden(connection, (*RECORDS, puzzle_points)) as stored:
        enter_all(connection, passed, without=without, instead=instead)
        enter_answers(connection)
        count = sum(_compared(connection, table, stored[table], tell, without) for table in RECORDS)
        for sentence in _false_points(connection, stored[puzzle_points]):
            tell(sentence)
    return count


def _compared(
    connection: Connection, made: Table, stored: Table, tell: Tell, without: Collection[str]
) -> int:
    """Report the differences between two tables; return the number of stored rows."""
    only = partial(_only, without=without)
    alone, missing = (
        _sorted(connection, rows, made) for rows in (only(stored, made), only(made, stored))
    )
    for row, given in _paired(alone, missing, len(made.primary_key)):
        where = _where(made, row or given or ())
        for fault in _faults(row, given):
            tell(f"{where}: {fault}")
    counted = select(func.count()).select_from(stored).where(stored.c.game.not_in(without))
    return connection.execute(counted).scalar_one()


def _only(these: Table, others: Table, without: Collection[str] = ()) -> Subquery:
    """The rows in `these` but not in `others`, a table with the same columns."""
    both = (
        select(each).where(each.c.game.not_in(without) if without else ~false())
        for each in (these, others)
    )
    return except_(*both).subquery()


def _sorted(connection: Connection, rows: Subquery, table: Table) -> Iterator[_Row]:
    """Rows in the order of a table's primary key."""
    columns = (rows.c[column.name] for column in table.primary_key)
    query = select(rows).order_by(*(sorted_by(connection, column) for column in columns))
    return iter(connection.execute(query.execution_options(yield_per=BATCH)))


def _paired(
    stored: Iterator[_Row], given: Iterator[_Row], width: int
) -> Iterator[tuple[_Row | None, _Row | None]]:
    """Pairs of sorted rows with equal keys (the first `width` columns); None where one lacks it."""
    row, other = next(stored, None), next(given, None)
    while row is not None or other is not None:
        if other is None or (row is not None and row[:width] < other[:width]):
            yield row, None
            row = next(stored, None)
        elif row is None or other[:width] < row[:width]:
            yield None, other
            other = next(given, None)
        else:
            yield row, other
            row, other = next(stored, None), next(given, None)


def _where(table: Table, row: Sequence[Any]) -> str:
    if table is not results:
        return named(table, row)
    return f"{named(table, row)} of game {row[results.columns.keys().index('session')]}"


def _faults(stored: _Row | None, given: _Row | None) -> Iterator[str]:
    if given is None:
        yield "no game gives it."
    elif stored is None:
        yield "it is missing."
    else:
        for name, there, due in zip(stored._fields, stored, given, strict=True):
            if not _agree(there, due):
                yield f"{name} is {there}, but the games give {due}."


def _agree(stored: object, given: object) -> bool:
    """Whether two values are equal, ratings within `ROUNDING`."""
    if isinstance(stored, float) and isinstance(given, float):
        return isclose(stored, given, rel_tol=ROUNDING, abs_tol=ROUNDING)
    return stored == given


def _false_points(connection: Connection, stored: Table) -> Iterator[str]:
    """Faults of puzzle leagues whose points disagree with the answers, a sentence each."""
    wrong: set[tuple[int, int]] = set()
    for rows in (_only(stored, puzzle_points), _only(puzzle_points, stored)):
        boards = connection.execute(select(rows.c.scope, rows.c.season).distinct())
        wrong.update((board.scope, board.season) for board in boards)
    for scope, season in sorted(wrong):
        yield (
            f"The puzzle's points in scope {scope}, season {season}, are not those of the answers."
        )
