"""Copies a database while the bot writes to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bot.storage.database import parsed
from bot.storage.errors import StorageError
from bot.storage.new_file import new_file
from bot.storage.sqlite import BUSY_SECONDS, database_file, existing, meaning


def backup(address: str, file: Path) -> int:
    """Makes `file` a copy of a database as it is at one moment, and says how many tables it has.

    SQLite writes all rows anew (`VACUUM INTO`), in one read transaction: nobody waits for it, and
    the copy is as small as can be, without any page of what was deleted.

    Raises:
        StorageError: The database cannot be read, or the file not be written.
    """
    source = existing(database_file(parsed(address)))
    with new_file(file) as draft:
        try:
            with _connected(source, "mode=rw") as connection:
                _check_kind(connection, source)
                _copy(connection, draft)
            with _connected(draft, "mode=ro&immutable=1") as copy:
                _check(copy)
                return _count(copy)
        except sqlite3.DatabaseError as error:
            raise meaning(error, source) from None


def _check_kind(connection: sqlite3.Connection, source: Path) -> None:
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    if ("session",) not in tables.fetchall():
        raise StorageError(f"The database {source} has nothing of Parlour's in it.")


def _copy(connection: sqlite3.Connection, draft: Path) -> None:
    try:
        connection.execute("VACUUM INTO ?", (str(draft),))
    except sqlite3.OperationalError as error:
        raise OSError(str(error)) from None


def _check(copy: sqlite3.Connection) -> None:
    (finding,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    if finding != "ok":
        raise sqlite3.DatabaseError(finding)


def _count(connection: sqlite3.Connection) -> int:
    (many,) = connection.execute("SELECT count(*) FROM session").fetchone()
    return int(many)


@contextmanager
def _connected(file: Path, how: str) -> Iterator[sqlite3.Connection]:
    address = f"{file.absolute().as_uri()}?{how}"
    with closing(
        sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    ) as connection:
        yield connection
