"""The differences between SQLite and PostgreSQL on a connection, and the database at a URL.

On SQLite a writing transaction has the only write lock, without a time limit, and no other process
writes to the file: most functions below do nothing there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Connection,
    MetaData,
    String,
    Table,
    func,
    select,
    true,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from bot.storage import sqlite_file
from bot.storage.database import Backend
from bot.storage.errors import StorageError
from bot.storage.postgres_server import NEWS, NUMBERS, VACUUMING, PostgresServer
from bot.storage.sqlite_file import SqliteFile

FINISHING, MIGRATING, NUMBERING, ANSWERING = -1, -2, -3, -4
"""Numbers for `advisory_lock`; ids of channels and guilds, which are positive, serve too."""

POSTGRES: Final = "postgresql"
"""SQLAlchemy's name of PostgreSQL's dialect."""

_NEXT: Final = select(func.setval(NUMBERS, func.nextval(NUMBERS))).select_from(
    func.pg_advisory_xact_lock(NUMBERING)
)

EXAMPLES: Final = "write it as sqlite:///parlour.db or postgresql://parlour@localhost/parlour."


def advisory_lock(connection: Connection, what: int) -> None:
    """Wait for other transactions with this lock, then hold it until this transaction ends."""
    if _on_postgres(connection):
        connection.execute(select(func.pg_advisory_xact_lock(what)))


def lock_tables(connection: Connection) -> None:
    """Make transactions that change game tables wait for the end of this one.

    A running vacuum is awaited first, since those transactions would have to wait for it as well.
    """
    if _on_postgres(connection):
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        connection.exec_driver_sql("SET LOCAL lock_timeout = '10s'")
        advisory_lock(connection, VACUUMING)
        connection.exec_driver_sql("LOCK TABLE session IN EXCLUSIVE MODE")


def unhurried(connection: Connection) -> None:
    """Lift all time limits from this transaction."""
    if _on_postgres(connection):
        for limit in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
            connection.exec_driver_sql(f"SET LOCAL {limit} = 0")


def notify(connection: Connection, news: str) -> None:
    """Send `news` to the other processes on the database once this transaction is committed."""
    if _on_postgres(connection):
        connection.execute(select(func.pg_notify(NEWS, news)))


def last_session(connection: Connection) -> int:
    """The greatest id that a session ever had, even one deleted since; 0 before the first."""
    query = "SELECT seq FROM sqlite_sequence WHERE name = 'session'"
    if _on_postgres(connection):
        query = f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {NUMBERS}"  # noqa: S608
    return connection.exec_driver_sql(query).scalar() or 0


def next_number(connection: Connection) -> Mapping[str, int]:
    """The `id` for the row of a new session on PostgreSQL; empty on SQLite, which counts by itself.

    PostgreSQL logs a sequence 32 numbers ahead and skips those after a crash, unless `setval` sets
    it. Other processes wait for that only, not for the end of this transaction.
    """
    if not _on_postgres(connection):
        return {}
    with connection.begin_nested() as moment:
        number = connection.execute(_NEXT).scalar_one()
        moment.rollback()  # releases the lock; a sequence is not rolled back
    return {"id": number}


def number_on(connection: Connection, last: int) -> None:
    """Give new sessions ids from `last` + 1 on."""
    if _on_postgres(connection):
        connection.execute(select(func.setval(NUMBERS, max(last, 1), last > 0)))
        return
    connection.exec_driver_sql("DELETE FROM sqlite_sequence WHERE name = 'session'")
    if last:
        add = "INSERT INTO sqlite_sequence (name, seq) VALUES ('session', ?)"
        connection.exec_driver_sql(add, (last,))


def broken_pages(connection: Connection) -> Iterator[str]:
    """The faults that SQLite finds in its file, a sentence each.

    PostgreSQL looks after its files itself (`pg_amcheck`, data checksums).
    """
    return iter(()) if _on_postgres(connection) else sqlite_file.broken_pages(connection)


def fits(dialect: str, column: Column[Any], value: ColumnElement[Any]) -> ColumnElement[bool]:
    """The condition that a value has its column's type, which PostgreSQL enforces itself.

    A value of a JSON column has to be an object, on both.
    """
    if dialect != POSTGRES:
        return sqlite_file.fits(column, value)
    return func.json_typeof(value) == "object" if isinstance(column.type, JSON) else true()


@contextmanager
def hidden(connection: Connection, tables: Sequence[Table]) -> Iterator[Mapping[Table, Table]]:
    """Hide tables behind empty temporary ones of the same names while the block runs.

    Statements on a table then use the temporary one; the mapping leads from it to the stored one.
    """
    schema = connection.dialect.default_schema_name or ""
    copies = [_temporary(table) for table in tables]
    with _writable(connection):
        for copy in copies:
            copy.create(connection, checkfirst=False)
        yield {table: _stored(table, schema) for table in tables}
        for copy in copies:
            copy.drop(connection, checkfirst=False)


@cache
def _stored(table: Table, schema: str) -> Table:
    """A stored table named with its schema; cached, so that its statements are compiled once."""
    return table.to_metadata(MetaData(), schema=schema)


@cache
def _temporary(table: Table) -> Table:
    columns = (
        Column(each.name, each.type, primary_key=each.primary_key, autoincrement=False)
        for each in table.columns
    )
    return Table(table.name, MetaData(), *columns, prefixes=["TEMPORARY"], sqlite_with_rowid=False)


@contextmanager
def _writable(connection: Connection) -> Iterator[None]:
    """Let a connection fill temporary tables that hide others.

    On SQLite the connection may be read-only, which is lifted. On PostgreSQL, statements prepared
    before would still use the stored tables, so psycopg's prepared statements are turned off.
    """
    if _on_postgres(connection):
        driver: Any = connection.connection.driver_connection
        threshold, driver.prepare_threshold = driver.prepare_threshold, None
        try:
            yield
        finally:
            driver.prepare_threshold = threshold
        return
    only = connection.exec_driver_sql("PRAGMA query_only").scalar_one()
    connection.exec_driver_sql("PRAGMA query_only=OFF")
    try:
        yield
    finally:
        connection.exec_driver_sql(f"PRAGMA query_only={only}")


def sorted_by(connection: Connection, column: ColumnElement[Any]) -> ColumnElement[Any]:
    """A column to order by as Python orders its values, whatever the server's collation is."""
    bytewise = _on_postgres(connection) and isinstance(column.type, String)
    return column.collate("C") if bytewise else column


def _on_postgres(connection: Connection) -> bool:
    return connection.dialect.name == POSTGRES


def backend_at(address: str) -> Backend:
    """The database at a URL.

    Raises:
        StorageError: The URL names none, or one of a kind that Parlour does not use.
    """
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):  # ValueError: the port is no number
        raise StorageError(f"DATABASE_URL is not a database URL; {EXAMPLES}") from None
    if "@" in f"{url.host}{url.database}" and url.drivername.startswith("postgres"):
        # What follows the first @ of a password would be printed as the host's name.
        raise StorageError(
            "DATABASE_URL has an @ too many, since the last one stands before the host; in a "
            "password write @ as %40, / as %2F, : as %3A and % as %25."
        )
    if url.drivername in {"postgresql", "postgres", "postgresql+psycopg"}:
        return PostgresServer(url)
    if url.drivername not in {"sqlite", "sqlite+pysqlite"} or url.query:
        raise StorageError(
            f"DATABASE_URL begins with {url.drivername!r} or has options that Parlour cannot use; "
            f"{EXAMPLES}"
        )
    return SqliteFile(url)
