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
from bot.storage.errors import FileGone, StorageError
from bot.storage.shards import WHOLE, Share

log = logging.getLogger(__name__)

PRIVATE: Final = 0o600
"""The rights to files: their owner alone reads and writes them."""

ANYTHING: Final = b""
"""A trace that every file has, so that the file is written anew in any case."""

OLDEST: Final = (3, 35)
"""The first version of SQLite whose changes of rows return them."""

SEARCHED_AT_ONCE: Final = 1 << 20
"""The bytes of a file that are searched at once."""


class SqliteFile:
    """The file that a URL names.

    One thread writes to it: the work that has come meanwhile shares a transaction. Under load the
    disk is the bottleneck, and sixteen moves then cost it as much as one.

    Raises:
        StorageError: It names none, or its folder does not exist; or SQLite is too old.
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
        """An engine that writes to one file, and to no other that takes its place."""
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
        """An engine whose transactions see the file as it was when they first read.

        They take no lock that a writer would wait for.
        """
        return _engine(self._url, READING, "BEGIN")

    @contextmanager
    def sole_user(self, share: Share = WHOLE, schema: str = "") -> Iterator[None]:  # noqa: ARG002
        """Keep other instances of Parlour off the file, and leave no empty one that was not there.

        Raises:
            StorageError: Another instance uses it, or the folder cannot be written to; or the
                share leaves work to others, for which a file is not made.
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
        """Let nobody else read the file, which has the secrets of all dice, nor what is beside it.

        SQLite makes a log with the rights of its file.
        """
        with suppress(OSError):  # as of a file that belongs to another user
            self.file.touch(mode=PRIVATE)
            for suffix in ("", "-wal", "-shm", ".lock"):
                beside = Path(f"{self.file}{suffix}")
                if beside.exists():
                    beside.chmod(PRIVATE)

    def passes(self, error: Exception) -> bool:
        """Whether an error may go away: a file that is gone can be put back."""
        return isinstance(error, FileGone)

    def erase(self, engine: Engine, wanted: Collection[bytes]) -> bool:
        """Remove these bytes from the disk; return False while a reader blocks it."""
        self._erasing.update(wanted)
        if not erased(engine, self._content(), self._erasing):
            return False
        self._erasing.clear()
        return True

    def _content(self) -> int:
        """A descriptor to read the file by, which stays open as long as this is used.

        Who closes a file loses all locks of the process on it, those of SQLite too: then another
        process takes itself for the last one, and deletes the log.
        """
        last = self._descriptor
        if last is None or not os.path.samestat(os.fstat(last), self.file.stat()):
            self._descriptor = last = os.open(self.file, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            weakref.finalize(self, os.close, last)
        return last

    def explained(self, error: DatabaseError) -> StorageError:
        """An error of the database as a sentence for the owner."""
        return meaning(error.orig, self.file)


def database_file(url: URL) -> Path:
    """The file that a URL names.

    Raises:
        StorageError: It names none, or there is no such folder.
    """
    if not url.database or url.database == ":memory:":
        raise StorageError(
            "DATABASE_URL names no file, so every game would be lost at the end; "
            "write it as sqlite:///parlour.db."
        )
    file = Path(url.database).absolute()
    try:
        foldered = file.parent.is_dir()
        file.exists()
    except OSError as error:  # as of a name that is too long, or in a folder of others
        raise StorageError(
            f"DATABASE_URL names a file that cannot be looked for ({error}); name another one."
        ) from None
    if not foldered:
        raise StorageError(
            f"The folder {file.parent} for the database does not exist; "
            "create it, or name another one in DATABASE_URL."
        )
    return file


def _unwritable(folder: Path) -> StorageError:
    return StorageError(
        f"The folder {folder} cannot be written to; "
        "make it writable for this user, or name another one in DATABASE_URL."
    )


def meaning(error: BaseException | None, file: Path) -> StorageError:
    """An error of SQLite as a sentence for the owner."""
    reason = str(error)
    if isinstance(error, sqlite3.OperationalError):
        if reason.startswith("no such") or "has no column" in reason:
            return StorageError(
                f"The database {file} has another schema than this version of Parlour ({reason}); "
                "put your latest backup in its place with parlour restore FILE, or, if you have "
                "changed the schema, add the migration."
            )
        return StorageError(
            f"The database {file} cannot be opened or written ({reason}); "
            "check that the file and its folder belong to this user and the disk is not full."
        )
    return StorageError(
        f"The database {file} is damaged or is no SQLite database ({reason}); "
        "put your latest backup in its place with parlour restore FILE."
    )


def erased(engine: Engine, content: int, traces: Collection[bytes]) -> bool:
    """Empty the log, and vacuum if the file has `traces`; return False while a reader blocks it.

    `content` is a descriptor of the file.

    SQLite overwrites deleted rows, but leaves copies of rows that moved from page to page. Writing
    the file anew removes them; that takes a while, so it is done only if there is such a copy.
    """
    if not _log_emptied(engine):
        return False
    if not traces:
        return True
    engine.dispose()  # a new connection is to this file, and to no other in its place
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
    """Whether any of some bytes is in a file.

    It is read in pieces: a single search would stop all other threads.
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
"""The most faults of the file itself that are named."""

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

    engine = create_engine(url, hide_parameters=True)  # what goes wrong is logged, whose it is not
    event.listen(engine, "connect", configure)
    event.listen(engine, "begin", partial(Connection.exec_driver_sql, statement=begin))
    return engine


def broken_pages(connection: Connection) -> Iterator[str]:
    """The faults that SQLite finds in its file: in pages, indexes, values that must be."""
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
