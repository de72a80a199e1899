"""Copies of a database, made while the bot writes to it, into a file that is whole or not there."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkstemp
from typing import Final

from bot.storage.database import Backend
from bot.storage.dialect import backend_at
from bot.storage.errors import StorageError
from bot.storage.sqlite import BUSY_SECONDS
from bot.storage.sqlite_file import SqliteFile, meaning

SQLITE: Final = b"SQLite format 3\0"
EXPORT: Final = b'{"format":"Parlour export"'
"""The first bytes of a copy and of an export."""


def backup(address: str, file: Path) -> int:
    """Copy a database as it is at one moment into `file`, and return its number of tables.

    SQLite writes all rows anew (`VACUUM INTO`) in one read transaction: nobody waits for it, and
    the copy is as small as can be, without any page of deleted rows.

    Raises:
        StorageError: The database cannot be read, or the file not be written.
    """
    source = _file_of(address)
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


def _file_of(address: str) -> Path:
    backend = backend_at(address)
    if not isinstance(backend, SqliteFile):
        raise StorageError(
            f"The database {backend} is copied by PostgreSQL's own tool; "
            "run pg_dump --format=custom --file=FILE with the URL of DATABASE_URL."
        )
    backend.check_there()
    return backend.file


def check_not_lost(backend: Backend) -> None:
    """Refuse to begin anew in a file that has lost what was in it.

    Raises:
        StorageError: It is empty or gone, and a log, a copy or an export beside it is not.
    """
    if not isinstance(backend, SqliteFile):
        return
    file, log = backend.file, Path(f"{backend.file}-wal")
    if file.exists() and file.stat().st_size:
        return
    if log.exists() and log.stat().st_size:
        raise StorageError(
            f"The database {file} is empty or gone, but its log {log.name} has games; put the file "
            "or a backup of it back, or move the log away to begin anew."
        )
    if file.exists() and newest(file.parent, file) is not None:
        raise StorageError(
            f"The database {file} is empty, but there is a backup beside it; put that in its "
            "place, or delete the empty file to begin anew."
        )


def newest(folder: Path, database: Path) -> datetime | None:
    """The time of the latest copy or export in a folder.

    A database that is in use has its lock beside it.
    """
    made = [
        file.stat().st_mtime
        for file in (folder.iterdir() if folder.is_dir() else ())
        if file.is_file() and file != database and not Path(f"{file}.lock").exists() and _kept(file)
    ]
    return datetime.fromtimestamp(max(made), UTC) if made else None


def _kept(file: Path) -> bool:
    with suppress(OSError, sqlite3.DatabaseError), file.open("rb") as content:
        if content.read(len(SQLITE)) != SQLITE:
            content.seek(0)
            return content.read(len(EXPORT)) == EXPORT
        with _connected(file, "mode=ro&immutable=1") as connection:
            return _count(connection) >= 0
    return False


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


@contextmanager
def new_file(file: Path) -> Iterator[Path]:
    """An empty file that takes the name of `file` once everything is on the disk.

    Raises:
        StorageError: `file` exists, or cannot be written.
    """
    try:
        _check_name(file)
        draft = _draft(file)
        try:
            yield draft
            _sync(draft)
            _check_name(file)
            draft.rename(file)
            _sync(file.parent)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(
            f"{file} cannot be written ({error.strerror or error}); "
            "check that its folder belongs to this user and the disk has room."
        ) from None


def _draft(file: Path) -> Path:
    descriptor, name = mkstemp(dir=file.parent, prefix=f".{file.name[:100]}.")
    os.close(descriptor)
    return Path(name)


def _check_name(file: Path) -> None:
    if file.is_dir():
        raise StorageError(f"{file} is a folder; name a file in it.")
    if file.exists() or file.is_symlink():
        raise StorageError(f"{file} exists and is left as it is; name a new file.")
    if not file.parent.is_dir():
        raise StorageError(
            f"The folder {file.parent} does not exist; create it, or name a file in another one."
        )


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
