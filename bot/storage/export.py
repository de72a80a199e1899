"""Exports: everything that Parlour keeps as lines of JSON, independent of the kind of database.

The first line names the format, its version, the schema (its migration), and the next session's id.
Then come the SQL tables, each after those it refers to: a line with the name and the columns, and a
line for each row, in the order of the primary key. Values are as stored: times in milliseconds
since 1970 in UTC, bytes in hexadecimal digits. The last line has the SHA-256 of all lines before
it, and so has a line after each thousand, to locate a fault.

An import fills an empty database at the schema that the file names, then upgrades it like any
database of that age. Its games are checked against their rules; if one is impossible, nothing is
imported.

Left out are records, which follow from the games and answers; interactions, which Discord repeats
for some minutes at most; the absences of the bot that exported; and notes, which are made anew at
the first start. Older exports have no reviews either.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from json import JSONEncoder
from math import isfinite
from typing import Any, BinaryIO, Final, TypeAlias

from sqlalchemy import JSON, Column, Connection, MetaData, Table, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError

from bot.storage.check.database import damages
from bot.storage.dialect import last_session, number_on, sorted_by
from bot.storage.errors import StorageError
from bot.storage.migrate import LAST_OF_OLD, downgrade, head, predates_baseline, revisions, upgrade
from bot.storage.processes import has_note
from bot.storage.records.write import RECOUNT, fill, rebuild
from bot.storage.schema.base import as_stored, metadata
from bot.storage.schema.choice_tables import absences, notes
from bot.storage.schema.game_tables import interactions, sessions
from bot.storage.schema.record_tables import RECORDS, puzzle_points
from bot.storage.values import Values

FORMAT: Final = "Parlour export"
VERSION: Final = 3
"""The version of the format, used since schema 0032."""

CHECKED_EVERY: Final = 1_000
"""After every 1,000 lines comes one with the SHA-256 of all lines before it."""

BATCH: Final = 10_000
"""The most rows read or written at a time."""

LONGEST: Final = 1 << 24
"""The most bytes read as one line, a thousand times as many as the longest row has."""

MOST_TABLES: Final = 1 << 31
"""All ids of sessions are below this, as they have four bytes on PostgreSQL."""

LEFT_OUT: Final = frozenset(
    {
        "alembic_version",
        *(each.name for each in (absences, interactions, notes, puzzle_points)),
        *(each.name for each in RECORDS),
    }
)

Counts: TypeAlias = Counter[str]
"""The number of exported or imported rows by SQL table."""

_encode: Final = JSONEncoder(separators=(",", ":"), allow_nan=False, default=bytes.hex).encode


class WrongExport(StorageError):
    """The file is not a whole export of possible games; the message says the first thing wrong."""


def write(connection: Connection, file: BinaryIO) -> Counts:
    """Write an export of a database; return the number of rows by table."""
    digest, counts = sha256(), Counts()
    for number, line in enumerate(_lines(connection, counts), 1):
        whole = [line]
        digest.update(line)
        if number % CHECKED_EVERY == 0:
            whole.append(_line({"so_far": digest.hexdigest()}))
            digest.update(whole[-1])
        file.writelines(whole)
    file.write(_line({"sha256": digest.hexdigest()}))
    return counts


def _lines(connection: Connection, counts: Counts) -> Iterator[bytes]:
    following = last_session(connection) + 1
    first = {"format": FORMAT, "version": VERSION, "schema": head(), "next_session": following}
    yield _line(first)
    for table in _tables(connection, head()):
        columns = _columns(connection, table)
        yield _line({"table": table.name, "columns": [column.name for column in columns]})
        rows = select(*columns).order_by(*_order(connection, table))
        for row in connection.execute(rows.execution_options(yield_per=BATCH)):
            counts[table.name] += 1
            yield _line([*row])


def _tables(connection: Connection, schema: str) -> list[Table]:
    """The SQL tables to export at a `schema`, which the database has, parents first."""
    found = as_stored()
    if schema != head():
        found = MetaData()
        found.reflect(connection)
    return [table for table in found.sorted_tables if table.name not in LEFT_OUT]


def _columns(connection: Connection, table: Table) -> list[Column[Any]]:
    """The columns in the database's order, in which migrations have added them."""
    names = connection.execute(select(text("*")).select_from(table).limit(0)).keys()
    return [table.columns[name] for name in names]


def _order(connection: Connection, table: Table) -> Iterator[Any]:
    """The order by primary key, descending if rows refer to later ones of the same table."""
    backwards = any(key.column.table is table for key in table.foreign_keys)
    key = map(partial(sorted_by, connection), table.primary_key)
    return (column.desc() if backwards else column for column in key)


def _line(value: object) -> bytes:
    return f"{_encode(value)}\n".encode()


def load(connection: Connection, file: BinaryIO) -> Counts:
    """Fill an empty database from an export, make the records; return the number of rows by table.

    Raises:
        StorageError: The database is not empty.
        WrongExport: The file is wrong; the caller has to roll the transaction back.
    """
    kept = (table for table in metadata.sorted_tables if table.name not in LEFT_OUT)
    if any(connection.execute(select(table).limit(1)).first() for table in kept):
        raise StorageError(
            "The database is not empty, and two histories cannot be mixed; "
            "name a new one in DATABASE_URL."
        )
    lines = _verified(file)
    schema, following = _first(next(lines, (0, None))[1])
    downgrade(connection, schema)
    loading = Loading(connection, schema)
    for number, value in lines:
        loading.take(value, number)
    loading.write()
    greatest = connection.execute(select(func.max(sessions.c.id))).scalar() or 0
    number_on(connection, max(greatest, following - 1))
    upgrade(connection)
    if has_note(connection, RECOUNT):
        fill(connection)
    if wrong := damages(connection):
        raise WrongExport(wrong[0])
    rebuild(connection)
    return loading.counts


def _verified(file: BinaryIO) -> Iterator[tuple[int, Any]]:
    """The parsed lines with their numbers, without those of digests, which are checked.

    Raises:
        WrongExport: A digest is wrong, or the last line is missing.
    """
    digest, number, checked = sha256(), 0, 0
    for number, line in enumerate(iter(partial(file.readline, LONGEST), b""), 1):
        value = _parsed(line, number)
        match value:
            case {"so_far": found} | {"sha256": found} if found != digest.hexdigest():
                lines = f"lines {checked + 1} to {number - 1}"
                raise WrongExport(f"{lines} are not as they were written.")
            case {"so_far": _}:
                checked = number
            case {"sha256": _}:
                if line != _line({"sha256": digest.hexdigest()}) or file.read(1):
                    raise WrongExport("its last line is not as it was written.")
                return
            case _:
                yield number, value
        digest.update(line)
    ends = f"it ends after line {number}, without its last line." if number else "it is empty."
    raise WrongExport(ends)


def _parsed(line: bytes, number: int) -> Any:  # noqa: ANN401
    try:
        return json.loads(line, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        raise WrongExport(f"line {number} is not written as lines of an export are.") from None


def _finite(written: str) -> float:
    number = float(written)
    if not isfinite(number):  # as of 1e999 or NaN, which no export has
        raise ValueError(written)
    return number


def _first(line: object) -> tuple[str, int]:
    """The schema of an export and the next session's id, from the first line."""
    values = line if isinstance(line, dict) else {}
    schema, following, version = map(values.get, ("schema", "next_session", "version"))
    if values.get("format") != FORMAT:
        raise WrongExport("its first line is not that of an export.")
    if version in range(1, VERSION) or (isinstance(schema, str) and predates_baseline(schema)):
        raise WrongExport(
            "it was written before version 0.4.0; import it with Parlour of commit "
            f"{LAST_OF_OLD} and export it again there."
        )
    if version != VERSION or schema not in revisions() or type(following) is not int:
        raise WrongExport("a newer version of Parlour wrote it; update this one.")
    if not 0 < following < MOST_TABLES:
        raise WrongExport("no next table has the number that its first line says.")
    return schema, following


class Loading:
    """An import under way, into a database at the export's schema."""

    def __init__(self, connection: Connection, schema: str) -> None:
        self.counts = Counts()
        self._connection = connection
        self._tables = {table.name: table for table in _tables(connection, schema)}
        self._columns: Sequence[Column[Any]] = ()
        self._rows: list[Values] = []
        self._since = 0

    def take(self, value: object, number: int) -> None:
        """Take one parsed line: the head of a table, or a row of it.

        Raises:
            WrongExport: The line is neither, or does not fit its table.
        """
        match value:
            case {"table": str(table), "columns": [*columns]}:
                self.write()
                self._columns = self._named(table, columns)
            case [*values] if self._columns and len(values) == len(self._columns):
                row = zip(self._columns, values, strict=True)
                fitting = {c.name: _fitting(c, each, number) for c, each in row}
                self._since = self._since if self._rows else number
                self._rows.append(fitting)
            case _:
                raise WrongExport(f"line {number} is not known here.")
        if len(self._rows) == BATCH:
            self.write()

    def write(self) -> None:
        """Insert the rows taken since the last write."""
        if not self._rows:
            return
        table = self._columns[0].table
        try:
            self._connection.execute(insert(table), self._rows)
        except (SQLAlchemyError, ArithmeticError, ValueError) as error:
            reason, *_ = str(getattr(error, "orig", None) or error).splitlines()
            which = f"rows of {table.name} from line {self._since} on"
            raise WrongExport(f"{which} cannot be stored ({reason}).") from None
        self.counts[table.name] += len(self._rows)
        self._rows.clear()

    def _named(self, name: str, columns: list[object]) -> Sequence[Column[Any]]:
        table = self._tables.get(name)
        if table is None:
            raise WrongExport(f"there is no table {name!r} in its schema.")
        for column in columns:
            if column not in table.columns.keys():  # noqa: SIM118 - which takes any value
                raise WrongExport(f"there is no column {column!r} of {name} in its schema.")
        for key in table.primary_key:
            if key.name not in columns:
                raise WrongExport(f"{name} lacks {key.name}.")
        return [table.columns[str(column)] for column in columns]


def _fitting(column: Column[Any], value: object, number: int) -> object:
    """A value of line `number` converted to the type of its column.

    Raises:
        WrongExport: The column cannot have this value.
    """
    kind = dict if isinstance(column.type, JSON) else column.type.python_type
    if value is None and column.nullable:
        return value
    if kind is bytes and isinstance(value, str):
        with suppress(ValueError):
            return bytes.fromhex(value)
    if type(value) is not kind:
        what = f"{column.table.name} has {column.name} {_encode(value)[:40]}"
        raise WrongExport(f"{what} in line {number}.")
    return value
