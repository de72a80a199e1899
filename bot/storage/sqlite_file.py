"""A database in an SQLite file: its connections, its lock, and its checks.

The settings: a write-ahead log, so that reading never waits for writing; `synchronous=FULL`, since
NORMAL loses acknowledged moves when the power fails; and transactions that take the write lock
when they begin, since two that read first and write later overwrite each other (the recipe is in
SQLAlchemy's documentation of its pysqlite dialect). Deleted rows are overwritten.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import weakref
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Engine,
    Float,
    LargeBinary,
    String,
    and_,
    case,
    create_engine,
    event,
    func,
)
from sqlalchemy.engine import URL
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import ConnectionPoolEntry

from bot.storage.database import OpenedFile
from bot.storage.errors import FileGone, StorageAway, StorageError
from bot.storage.shards import WHOLE, Share

log = logging.getLogger(__name__)

PRIVATE: Final = 0o600
"""The rights to files: their owner alone reads and writes them."""

ANYTHING: Final = b""
"""A trace that every file contains, so that the file is vacuumed in any case."""

OLDEST: Final = (3, 35)
"""The first version of SQLite with `RETURNING`."""

PASSING: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
"""Primary codes of errors that pass: another program writes, or the disk is full.

A full disk is an I/O error where SQLite makes the file of its shared memory.
"""

SEARCHED_AT_ONCE: Final = 1 << 20
"""The number of bytes of the file that are searched at a time."""


class SqliteFile:
    """The SQLite database that a URL names.

    One thread writes to it, and all waiting work shares a transaction: under load the disk is the
    bottleneck, and committing sixteen moves then costs as much as one.

    Raises:
        StorageError: The URL names no file, its folder does not exist, or SQLite is too old.
    """

    writers: Final = 1
    together: Final = 64

    def __init__(self, url: URL) -> None:
        if sqlite3.sqlite_version_info < OLDEST:
            raise StorageError(
                f"This Python has SQLite {sqlite3.sqlite_version}, and Parlour needs 3.35 or "
                "newer; start it with a Python that brings its own, as those of uv do, or name a "
                "PostgreSQL database in DATABASE_URL."
            )
        self._url = url
        self.file = database_file(url)
        self._erasing: set[bytes] = set()
        self._descriptor: int | None = None

    def __str__(self) -> str:
        return str(self.file)

    def check_there(self) -> None:
        """Raise `StorageError` if there is no such file."""
        if not self.file.is_file():
            raise StorageError(
                f"There is no database {self.file}; name the one you mean in DATABASE_URL."
            )

    def engine(self) -> Engine:
        """An engine that writes to the file it first opened, and to none that replaces it."""
        engine = sqlite_engine(self._url)
        opened = OpenedFile(self.file)
        ahead = OpenedFile(self.file.with_name(f"{self.file.name}-wal"))
        event.listen(engine, "do_connect", opened.check)
        event.listen(engine, "connect", opened.note)
        event.listen(engine, "connect", ahead.forget)  # the first begins a new log
        event.listen(engine, "begin", opened.check, insert=True)
        event.listen(engine, "begin", ahead.check, insert=True)
        event.listen(engine, "begin", ahead.note)
        return engine

    def snapshots(self, engine: Engine) -> Engine:
        """The same engine: one thread reads and writes."""
        return engine

    def reading_engine(self) -> Engine:
        """An engine whose transactions see a snapshot from their first query on.

        They take no lock for which a writer would have to wait.
        """
        return _engine(self._url, READING, "BEGIN")

    @contextmanager
    def sole_user(self, share: Share = WHOLE, schema: str = "") -> Iterator[None]:  # noqa: ARG002
        """Keep other instances of Parlour off the file; at the end, delete it if new and empty.

        Raises:
            StorageError: Another instance uses it, the folder is not writable, or the share leaves
                shards to other processes, which need PostgreSQL.
        """
        if not share.whole:
            raise StorageError(
                "SHARD_IDS leaves shards to other processes, which needs a PostgreSQL database in "
                "DATABASE_URL; remove SHARD_IDS to have this process do everything."
            )
        lock = FileLock(f"{self.file}.lock", mode=PRIVATE)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            if not Path(lock.lock_file).exists():
                raise _unwritable(self.file.parent) from None
            raise StorageError(
                f"Another Parlour is running on {self.file}; stop it first, "
                "or give this one a database of its own in DATABASE_URL."
            ) from None
        except OSError:
            raise _unwritable(self.file.parent) from None
        there = self.file.exists()
        try:
            self._keep_private()
            yield
        finally:
            with suppress(OSError):
                if not there and self.file.stat().st_size == 0:
                    self.file.unlink()
            lock.release()

    def _keep_private(self) -> None:
        """Make the file and those beside it readable by their owner alone: they hold dice secrets.

        SQLite creates the log with the rights of its database file.
        """
        with suppress(OSError):  # as of a file that belongs to another user
            self.file.touch(mode=PRIVATE)
            for suffix in ("", "-wal", "-shm", ".lock"):
                beside = Path(f"{self.file}{suffix}")
                if beside.is_file():
                    beside.chmod(PRIVATE)

    def passes(self, error: Exception) -> bool:
        """Whether an error may pass: a file that is gone can be put back."""
        return isinstance(error, FileGone)

    def erase(self, engine: Engine, wanted: Collection[bytes]) -> bool:
        """Remove these bytes from the disk; return False while a reader blocks it."""
        self._erasing.update(wanted)
        if not erased(engine, self._content(), self._erasing):
            return False
        self._erasing.clear()
        return True

    def _content(self) -> int:
        """A descriptor to read the file by, which stays open as long as this object lives.

        Closing any descriptor of a file drops all POSIX locks of the process on it, SQLite's too:
        another process would then think itself the last user, and delete the log.
        """
        last = self._descriptor
        if last is None or not os.path.samestat(os.fstat(last), self.file.stat()):
            self._descriptor = last = os.open(self.file, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            weakref.finalize(self, os.close, last)
        return last

    def explained(self, error: DatabaseError) -> StorageError:
        """An error of the database as a sentence for the owner; `StorageAway` if it passes."""
        return meaning(error.orig, self.file)


def database_file(url: URL) -> Path:
    """The file that a URL names.

    Raises:
        StorageError: The URL names no file, or the folder does not exist.
    """
    if not url.database or url.database == ":memory:":
        raise StorageError(
            "DATABASE_URL names no file, so every game would be lost at the end; "
            "write it as sqlite:///parlour.db."
        )
    file = Path(url.database).absolute()
    try:
        foldered = file.parent.is_dir()
        taken = file.exists() and not file.is_file()
    except OSError as error:  # as of a name that is too long, or in a folder of others
        raise StorageError(
            f"DATABASE_URL names a file that cannot be looked for ({error}); name another one."
        ) from None
    if not foldered:
        raise StorageError(
            f"The folder {file.parent} for the database does not exist; "
            "create it, or name another one in DATABASE_URL."
        )
    if taken:
        what = "a folder; name a file in it" if file.is_dir() else "no file; name another one"
        raise StorageError(f"{file}, which DATABASE_URL names, is {what}.")
    return file


def _unwritable(folder: Path) -> StorageError:
    return StorageError(
        f"The folder {folder} cannot be written to; "
        "make it writable for this user, or name another one in DATABASE_URL."
    )


def meaning(error: BaseException | None, file: Path) -> StorageError:
    """An error of SQLite as a sentence for the owner; `StorageAway` if it passes."""
    reason = str(error)
    if isinstance(error, sqlite3.OperationalError):
        if reason.startswith("no such") or "has no column" in reason:
            return StorageError(
                f"The database {file} has another schema than this version of Parlour ({reason}); "
                "put your latest backup in its place with parlour restore FILE, or, if you have "
                "changed the schema, add the migration."
            )
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # Python's own errors have none
        kind = StorageAway if code in PASSING else StorageError
        return kind(
            f"The database {file} cannot be opened or written ({reason}); "
            "check that the file and its folder belong to this user and the disk is not full."
        )
    return StorageError(
        f"The database {file} is damaged or is no SQLite database ({reason}); "
        "put your latest backup in its place with parlour restore FILE."
    )


def erased(engine: Engine, content: int, traces: Collection[bytes]) -> bool:
    """Empty the log, and vacuum if the file has `traces`; return False while a reader blocks it.

    SQLite overwrites deleted rows, but not the copies of rows that moved to another page. A vacuum
    removes these; it takes a while, so the file, with the descriptor `content`, is searched first.
    """
    if not _log_emptied(engine):
        return False
    if not traces:
        return True
    engine.dispose()  # so that a new connection checks that the file was not replaced
    with closing(engine.raw_connection()):
        if not _holds(content, traces):
            return True
    with closing(engine.raw_connection()) as connection:
        connection.cursor().execute("VACUUM")
    return _log_emptied(engine)


def _log_emptied(engine: Engine) -> bool:
    try:
        with closing(engine.raw_connection()) as connection:
            cursor = connection.cursor()
            cursor.execute("PRAGMA busy_timeout=0")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            [(blocked, *_)] = cursor.fetchall()
            cursor.execute(BUSY)
    except (sqlite3.Error, DatabaseError):
        log.debug("log not emptied", exc_info=True)
        return False
    return not blocked


def _holds(content: int, traces: Collection[bytes]) -> bool:
    """Whether a file contains any of the traces.

    It is read in pieces, since one long search would block all other threads (GIL).
    """
    overlap = max(1, *map(len, traces)) - 1
    os.lseek(content, 0, os.SEEK_SET)
    searched = b""
    while piece := os.read(content, SEARCHED_AT_ONCE):
        searched = searched[max(0, len(searched) - overlap) :] + piece
        if any(trace in searched for trace in traces):
            return True
    return False


BUSY_SECONDS: Final = 5

MOST_FAULTS: Final = 100
"""The most faults of the file itself that are reported."""

BUSY: Final = f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}"
SETTINGS: Final = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",
    BUSY,
)
READING: Final = (BUSY, "PRAGMA query_only=ON")


def sqlite_engine(url: URL) -> Engine:
    """An engine for a database file, with the settings above."""
    return _engine(url, SETTINGS, "BEGIN IMMEDIATE")


def _engine(url: URL, settings: Sequence[str], begin: str) -> Engine:
    def configure(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # or the driver would begin transactions of its own
        for setting in settings:
            connection.execute(setting)

    engine = create_engine(url, hide_parameters=True)  # errors are logged without ids of people
    event.listen(engine, "connect", configure)
    event.listen(engine, "begin", partial(Connection.exec_driver_sql, statement=begin))
    return engine


def broken_pages(connection: Connection) -> Iterator[str]:
    """The faults that SQLite finds in its file: pages, indexes, NOT NULL; a sentence each."""
    check = f"PRAGMA integrity_check({MOST_FAULTS})"
    for line in connection.exec_driver_sql(check).scalars():
        if line != "ok":
            yield f"The file is damaged: {line}."


def fits(column: Column[Any], value: ColumnElement[Any]) -> ColumnElement[bool]:
    """The condition that a value is of its column's type, which SQLite does not enforce."""
    fitting = func.typeof(value) == _storage_class(column)
    match column.type:
        case Boolean():
            return and_(fitting, value.in_([0, 1]))
        case JSON():
            shape = case((func.json_valid(value), func.json_type(value)), else_="")
            return and_(fitting, shape == "object")
        case _:
            return fitting


def _storage_class(column: Column[Any]) -> str:
    match column.type:
        case String() | JSON():
            return "text"
        case Float():
            return "real"
        case LargeBinary():
            return "blob"
        case _:
            return "integer"
