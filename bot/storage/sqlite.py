"""What is particular about SQLite: its file, its settings, its lock, its complaints.

The settings: a write-ahead log, so that reading never waits for writing; `synchronous=FULL`, since
NORMAL loses acknowledged moves when the power fails; and transactions that take the write lock
when they begin, since two that read first and write later overwrite each other (the recipe is in
SQLAlchemy's documentation of its pysqlite dialect). What is deleted is overwritten, and `erased`
sees to it that no copy is left.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import ConnectionPoolEntry

from bot.storage.errors import StorageError

log = logging.getLogger(__name__)

BUSY_SECONDS: Final = 5

ANYTHING: Final = b""
"""A trace that every file has: it is written anew in any case."""

SEARCHED_AT_ONCE: Final = 1 << 20
"""Bytes of a file."""

SETTINGS: Final = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",
    f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}",
)


def sqlite_engine(url: URL) -> Engine:
    """An engine for a database file, with the settings above."""
    engine = create_engine(url, hide_parameters=True)  # what goes wrong is logged, whose it is not
    event.listen(engine, "connect", _configure)
    event.listen(engine, "begin", partial(Connection.exec_driver_sql, statement="BEGIN IMMEDIATE"))
    return engine


def reading_engine(url: URL) -> Engine:
    """An engine whose transactions see the database as it was when they first read, and only read.

    They take no lock that a writer would wait for.
    """
    engine = create_engine(url, hide_parameters=True)
    event.listen(engine, "connect", _configure_reading)
    event.listen(engine, "begin", partial(Connection.exec_driver_sql, statement="BEGIN"))
    return engine


def _configure_reading(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    connection.execute("PRAGMA query_only=ON")


def _configure(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # or the driver would begin transactions of its own
    for setting in SETTINGS:
        connection.execute(setting)


def erased(engine: Engine, traces: Collection[bytes]) -> bool:
    """Whether what was deleted is gone from the disk; if not, somebody reads the state before.

    `traces` are bytes that may be nowhere in the file. Where rows have moved from page to page,
    SQLite leaves copies of them in what no row uses, although it overwrites what is deleted; if
    there is such a copy the file is written anew, and only then, since that takes a while.
    """
    if not _log_emptied(engine):
        return False
    if not traces:
        return True
    engine.dispose()  # whoever closes a file loses the locks that SQLite has on it beside them
    try:
        if not _holds(database_file(engine.url), traces):
            return True
        with closing(engine.raw_connection()) as connection:
            connection.cursor().execute("VACUUM")
    except (sqlite3.Error, DatabaseError, OSError) as error:  # as on a disk without room for both
        log.warning("database not written anew, so deleted rows may be in it error=%r", error)
        return True
    return _log_emptied(engine)


def _log_emptied(engine: Engine) -> bool:
    """Whether the log could be emptied: nobody waits for a backup that is reading it."""
    try:
        with closing(engine.raw_connection()) as connection:
            cursor = connection.cursor()
            cursor.execute("PRAGMA busy_timeout=0")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            [(blocked, *_)] = cursor.fetchall()
            cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    except (sqlite3.Error, DatabaseError):
        log.debug("log not emptied", exc_info=True)
        return False
    return not blocked


def _holds(file: Path, traces: Collection[bytes]) -> bool:
    """Whether any of some bytes is in a file.

    It is read in pieces: a single search would keep all other threads from going on.
    """
    overlap = max(1, *map(len, traces)) - 1
    with file.open("rb") as content:
        searched = b""
        while piece := content.read(SEARCHED_AT_ONCE):
            searched = searched[max(0, len(searched) - overlap) :] + piece
            if any(trace in searched for trace in traces):
                return True
    return False


def database_file(url: URL) -> Path:
    """The file that a URL names.

    Raises:
        StorageError: It names none, or its folder cannot be written to.
    """
    if not url.database or url.database == ":memory:":
        raise StorageError(
            "DATABASE_URL names no file, so every game would be lost at the end; "
            "write it as sqlite:///parlour.db."
        )
    file = Path(url.database).absolute()
    if not file.parent.is_dir():
        raise StorageError(
            f"The folder {file.parent} for the database does not exist; "
            "create it, or name another one in DATABASE_URL."
        )
    return file


def existing(file: Path) -> Path:
    """A database file that is there.

    Raises:
        StorageError: It is not, or is no file.
    """
    if not file.is_file():
        raise StorageError(f"There is no database {file}; name the one you mean in DATABASE_URL.")
    return file


@contextmanager
def sole_user(file: Path) -> Iterator[None]:
    """Keeps every other instance of Parlour off a database file.

    Raises:
        StorageError: Another instance uses the file, or the folder cannot be written to.
    """
    lock = FileLock(f"{file}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        if not Path(lock.lock_file).exists():
            raise _unwritable(file.parent) from None
        raise StorageError(
            f"Another Parlour is running on {file}; stop it first, "
            "or give this one a database of its own in DATABASE_URL."
        ) from None
    except OSError:
        raise _unwritable(file.parent) from None
    try:
        yield
    finally:
        lock.release()


def _unwritable(folder: Path) -> StorageError:
    return StorageError(
        f"The folder {folder} cannot be written to; "
        "make it writable for this user, or name another one in DATABASE_URL."
    )


@contextmanager
def transaction(engine: Engine, file: Path) -> Iterator[Connection]:
    """The only transaction of an engine on a file.

    Raises:
        StorageError: The database could not do what was asked of it.
    """
    try:
        with engine.begin() as connection:
            yield connection
    except DatabaseError as error:
        raise explained(error, file) from None
    finally:
        engine.dispose()


def explained(error: DatabaseError, file: Path) -> StorageError:
    """What an error of the database means to whoever runs Parlour."""
    return meaning(error.orig, file)


def meaning(error: BaseException | None, file: Path) -> StorageError:
    """What an error of SQLite means to whoever runs Parlour."""
    reason = str(error)
    if isinstance(error, sqlite3.OperationalError):
        return StorageError(
            f"The database {file} cannot be opened or written ({reason}); "
            "check that the file and its folder belong to this user and the disk is not full."
        )
    return StorageError(
        f"The database {file} is damaged or is no SQLite database ({reason}); "
        "move it away and put your latest backup in its place."
    )


def last_session(connection: Connection) -> int:
    """The greatest number that a session ever had, though it may be gone; 0 before the first."""
    query = "SELECT seq FROM sqlite_sequence WHERE name = 'session'"
    return connection.exec_driver_sql(query).scalar() or 0


def number_on(connection: Connection, last: int) -> None:
    """Makes all further sessions have greater numbers than `last`."""
    connection.exec_driver_sql("DELETE FROM sqlite_sequence WHERE name = 'session'")
    if last:
        add = "INSERT INTO sqlite_sequence (name, seq) VALUES ('session', ?)"
        connection.exec_driver_sql(add, (last,))
