"""A database on a PostgreSQL server."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Final

from sqlalchemy import Engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DatabaseError, DBAPIError

from bot.storage.errors import StorageError
from bot.storage.guard import Guard
from bot.storage.postgres import postgres_engine, snapshot_engine
from bot.storage.shards import WHOLE, Share

log = logging.getLogger(__name__)


PASSING: Final = ("08", "25006", "40001", "40P01", "53", "55P03", "57014", "57P")
"""The beginnings of passing errors' codes: connections, restarts, full servers, locks, limits."""

NAMING_PEOPLE: Final = (
    "session", "seat", "reminder", "person", "block", "result", "standing", "level_record",
    "pairing",
)  # fmt: skip


class PostgresServer:
    """The database that a URL names.

    Several threads write to it, each with a connection and a transaction for each piece of work:
    the server itself lets those that end together share the disk.

    Raises:
        StorageError: The URL names no database, or psycopg is not installed.
    """

    writers: Final = 8
    together: Final = 1

    def __init__(self, url: URL) -> None:
        if not url.database:
            raise StorageError(
                "DATABASE_URL names no database on its server; "
                "write it as postgresql://parlour@localhost/parlour."
            )
        if find_spec("psycopg") is None:
            raise StorageError(
                "DATABASE_URL names a PostgreSQL database, which needs psycopg; "
                "install it in Parlour's folder with pip install -e '.[postgres]'."
            )
        self._url = url.set(drivername="postgresql+psycopg")
        self._guard = Guard(self._url, str(self))

    def __str__(self) -> str:
        return f"{self._url.database} on {self._url.host or 'this machine'}"

    def check_there(self) -> None:
        """Nothing: connecting finds out."""

    def engine(self) -> Engine:
        """An engine that writes; each connection first makes sure of the locks."""
        engine = postgres_engine(self._url, self.writers)
        event.listen(engine, "connect", self._guard.confirm)
        return engine

    def reading_engine(self) -> Engine:
        """An engine that reads beside processes that write."""
        return snapshot_engine(self._url)

    @contextmanager
    def sole_user(self, share: Share = WHOLE, schema: str = "") -> Iterator[None]:
        """Keep other instances of Parlour off the database, or off some shards.

        Raises:
            StorageError: Another instance uses them, or the server is out of reach.
        """
        try:
            self._guard.stand(share, schema)
        except DatabaseError as error:
            raise self.explained(error) from None
        try:
            yield
        finally:
            self._guard.leave()

    def passes(self, error: Exception) -> bool:
        """Whether an error goes away by itself: the server is away, or others are in the way."""
        if not isinstance(error, DBAPIError):
            return isinstance(error, StorageError)
        state = getattr(error.orig, "sqlstate", None)
        lost = error.connection_invalidated or (
            state is None and type(error).__name__ == "OperationalError"
        )
        return lost or str(state).startswith(PASSING)

    def erase(self, engine: Engine, wanted: Collection[bytes]) -> bool:
        """Vacuum the tables with rows of forgotten people; others write over the room later.

        The server decides when, and keeps its log, its replicas and its backups.
        """
        if wanted:
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.exec_driver_sql("SET statement_timeout = 0")
                connection.exec_driver_sql(f"VACUUM {', '.join(NAMING_PEOPLE)}")
                connection.invalidate()
        return True

    def explained(self, error: DatabaseError) -> StorageError:
        """An error of the server as a sentence for the owner."""
        reason = str(error.orig).strip().splitlines()[0]
        return StorageError(
            f"The database {self} cannot be used ({reason}); check DATABASE_URL, that the server "
            "is running, and that this user owns the database."
        )
