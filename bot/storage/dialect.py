"""The differences between SQLite and PostgreSQL on a connection, and the database at a URL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Protocol

from sqlalchemy import Column, ColumnElement, Connection
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from bot.storage import postgres, sqlite
from bot.storage.database import Backend
from bot.storage.errors import StorageError
from bot.storage.postgres_server import PostgresServer
from bot.storage.sqlite_file import SqliteFile

FINISHING, MIGRATING = -1, -2
"""Numbers for `in_turn`, besides those of channels, which are positive."""

EXAMPLES: Final = "write it as sqlite:///parlour.db or postgresql://parlour@localhost/parlour."


class Dialect(Protocol):
    """A kind of database, on a connection to it."""

    def in_turn(self, connection: Connection, what: int, /) -> None:
        """Make other transactions that ask for the same number wait for the end of this one."""

    def alone(self, connection: Connection, /) -> None:
        """Make everything that changes tables wait for the end of this transaction."""

    def unhurried(self, connection: Connection, /) -> None:
        """Lift all time limits from this transaction."""

    def tell(self, connection: Connection, news: str, /) -> None:
        """Tell the other processes on the database, once this transaction is committed."""

    def last_session(self, connection: Connection, /) -> int:
        """The greatest number that a session ever had, 0 before the first."""

    def number_on(self, connection: Connection, last: int, /) -> None:
        """Give all further sessions greater numbers than `last`."""

    def broken_pages(self, connection: Connection, /) -> Iterator[str]:
        """The faults that the database itself finds in its files, a sentence each."""

    def fits(self, column: Column[Any], value: ColumnElement[Any], /) -> ColumnElement[bool]:
        """The condition that a value is of the type of its column."""

    def at_most(self, column: Column[Any], high: float, /) -> ColumnElement[bool]:
        """A condition that tells the planner how few rows are below a bound of an index."""

    def sorted_by(self, column: Column[Any], /) -> ColumnElement[Any]:
        """A column to order by as Python orders its values."""


def dialect_of(connection: Connection) -> Dialect:
    """The dialect of a connection."""
    return postgres if connection.dialect.name == "postgresql" else sqlite


def backend_at(address: str) -> Backend:
    """The database at a URL.

    Raises:
        StorageError: The URL names none, or one of a kind that Parlour does not use.
    """
    try:
        url = make_url(address)
    except ArgumentError:
        raise StorageError(f"DATABASE_URL is not a database URL; {EXAMPLES}") from None
    if url.drivername in {"postgresql", "postgres", "postgresql+psycopg"}:
        return PostgresServer(url)
    if url.drivername not in {"sqlite", "sqlite+pysqlite"} or url.query:
        raise StorageError(
            f"DATABASE_URL begins with {url.drivername!r} or has options that Parlour cannot use; "
            f"{EXAMPLES}"
        )
    return SqliteFile(url)
