"""Values for the database: times as columns keep them, and statements as the driver runs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    Connection,
    CursorResult,
    Dialect,
    TypeDecorator,
    type_coerce,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

FIRST_DAY: Final = EPOCH.toordinal()

Values: TypeAlias = dict[str, Any]
"""The values of a row by their names."""


def number_of(day: date) -> int:
    """The number of a day, counted from 1970."""
    return day.toordinal() - FIRST_DAY


def day_of(number: int) -> date:
    """The day of a number."""
    return date.fromordinal(FIRST_DAY + number)


LAST_DAY: Final = number_of(date(9999, 1, 1))


def is_day(number: ColumnElement[int]) -> ColumnElement[bool]:
    """The condition that a stored number is a day from 1970 to 9999, as `date` can hold."""
    return number.between(0, LAST_DAY)


class UtcMoment(TypeDecorator[datetime]):
    """A point in time, stored as whole milliseconds since 1970 in UTC."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        """The milliseconds of a time."""
        return None if value is None else (value - EPOCH) // timedelta(milliseconds=1)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """The time of milliseconds."""
        return None if value is None else EPOCH + timedelta(milliseconds=value)


class database_now(FunctionElement[int]):  # noqa: N801 - a function of SQL
    """The database's own clock, in milliseconds since 1970: those of processes may differ."""

    type = BigInteger()
    inherit_cache = True


@compiles(database_now, "postgresql")
def _on_postgres(*_: object, **__: object) -> str:
    return "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"


@compiles(database_now, "sqlite")
def _on_sqlite(*_: object, **__: object) -> str:
    return "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"


class LeaseEnd(TypeDecorator[timedelta]):
    """The end of a lease by the database's clock; a written value is the time from now."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: timedelta | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        """The milliseconds of a time."""
        return None if value is None else value // timedelta(milliseconds=1)

    def bind_expression(self, bindvalue: BindParameter[timedelta]) -> ColumnElement[timedelta]:
        """The database's now plus the time given."""
        return type_coerce(database_now() + bindvalue, self)


def lapsed(end: ColumnElement[timedelta], lasts: timedelta) -> ColumnElement[bool]:
    """The condition that a lease of the length `lasts` is over.

    It also is if more than twice its length is left: then the database's clock was set back.
    """
    left = type_coerce(end, BigInteger) - database_now()
    return ~left.between(1, 2 * lasts // timedelta(milliseconds=1))


class Compiled(NamedTuple):
    """A statement in a dialect's SQL.

    Each parameter has a name, and a function that converts its value for the driver, if needed.
    Parameters are passed by name, or `by_place`.
    """

    words: str
    values: Sequence[tuple[str, Callable[[Any], Any] | None]]
    by_place: bool


class Prepared:
    """A statement that presses run again and again.

    SQLAlchemy compiles it once, and the driver runs it directly: SQLAlchemy's part of a run takes
    longer than the statement, and blocks all other threads meanwhile. Results are the driver's raw
    values; constants in the statement must be literal.
    """

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._compiled: dict[tuple[str, ...], Compiled] = {}

    def run(self, connection: Connection, *rows: Values) -> CursorResult[Any]:
        """Run the statement once for each row of parameters; all rows must have the same names."""
        given = rows or ({},)
        kind = (connection.dialect.name, *given[0])
        if kind not in self._compiled:
            self._compiled[kind] = self._compile(connection.dialect, given[0])
        words, values, by_place = self._compiled[kind]
        sent: list[Any] = []
        for row in given:
            taken = []
            for name, stored in values:
                value = row[name]
                taken.append(value if stored is None else stored(value))
            if by_place:
                sent.append(tuple(taken))
            else:
                sent.append({name: value for (name, _), value in zip(values, taken, strict=True)})
        return connection.exec_driver_sql(words, sent if len(sent) > 1 else sent[0])

    def _compile(self, dialect: Dialect, row: Values) -> Compiled:
        compiled = self._statement.compile(dialect=dialect, column_keys=[*row])
        assert isinstance(compiled, SQLCompiler)
        stored = {
            name: bind.type.dialect_impl(dialect).bind_processor(dialect)
            for name, bind in compiled.binds.items()
        }
        places = compiled.positiontup
        values = [(name, stored[name]) for name in places or stored]
        return Compiled(compiled.string, values, by_place=places is not None)
