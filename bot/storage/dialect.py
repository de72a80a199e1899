"""What differs between SQLite and PostgreSQL on a connection, and which of them a URL names."""

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
"""What takes turns besides channels, whose own numbers are positive."""

EXAMPLES: Final = "write it as sqlite:///parlour.db or postgresql://parlour@localhost/parlour."


class Dialect(Protocol):
    """What a kind of database does in its own way, on a connection to it."""

    def in_turn(self, connection: Connection, what: int, /) -> None:
        """Lets every other transaction that asks for the same wait for the end of this one."""

    def alone(self, connection: Connection, /) -> None:
        """Lets all that changes tables wait for the end of this transaction."""

    def unhurried(self, connection: Connection, /) -> None:
        """Lets this transaction take as long as it likes."""

    def tell(self, connection: Connection, news: str, /) -> None:
        """Tells the other processes on the database, as soon as this transaction has ended well."""

    def last_session(self, connection: Connection, /) -> int:
        """The greatest number that a session ever had, 0 before the first."""

    def number_on(self, connection: Connection, last: int, /) -> None:
        """Makes all further sessions have greater numbers than `last`."""

    def broken_pages(self, connection: Connection, /) -> Iterator[str]:
        """What the database itself finds wrong with its files, a sentence each."""

    def fits(self, column: Column[Any], value: ColumnElement[Any], /) -> ColumnElement[bool]:
        """That a value is of the type of its column."""

    def at_most(self, column: Column[Any], high: float, /) -> ColumnElement[bool]:
        """What else tells the planner how few rows are below a bound of an index."""

    def sorted_by(self, column: Column[Any], /) -> ColumnElement[Any]:
        """A column to order by as Python orders its values."""


def dialect_of(connection: Connection) -> Dialect:
    """The dialect that a connection speaks."""
    return postgres if connection.dialect.name == "postgresql" else sqlite


def backend_at(address: str) -> Backend:
    """The database that a URL names.

    Raises:
        StorageError: It is none, or of a kind that Parlour does not use.
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
