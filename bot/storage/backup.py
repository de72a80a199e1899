"""Backups of an SQLite database: made while the bot writes to it, kept beside it, restored.

A backup is written under a draft name that begins with a dot, and renamed when it is complete. If
the process is killed, only the draft remains; the next daily backup deletes it.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, date, datetime
from itertools import chain, count
from pathlib import Path
from tempfile import mkstemp
from typing import Final

from bot.storage.database import Backend
from bot.storage.dialect import backend_at
from bot.storage.errors import StorageError
from bot.storage.migrate import APPLIED, check_known
from bot.storage.sqlite_file import BUSY_SECONDS, SqliteFile, meaning

log = logging.getLogger(__name__)

DAYS, WEEKS = 7, 4
"""The numbers of daily copies kept, and of weekly copies kept before those."""

SQLITE: Final = b"SQLite format 3\0"
EXPORT: Final = b'{"format":"Parlour export"'
"""The first bytes of a copy and of an export."""

REPLACED: Final = "-replaced-"
"""Part of the file name under which `restore` keeps the previous database."""

REDRAWN: Final = (
    "UPDATE session SET shown = 0 WHERE ending IS NULL",
    "UPDATE tournament SET shown = 0 WHERE stage IN ('sign_up', 'running')",
)
"""Has the messages of what is unfinished drawn anew, which may show what came after the copy."""

SANDBOX: Final = "sandbox.db"
"""The default database file of the sandbox."""


def backup(address: str, file: Path) -> int:
    """Copy a snapshot of a database into a new `file`; return how many sessions it has.

    `VACUUM INTO` runs in one read transaction, so writers do not wait for it, and the copy has no
    pages of deleted rows.

    Raises:
        StorageError: The database cannot be read, or the file cannot be written.
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


def restore(address: str, copy: Path, now: datetime) -> Path | None:
    """Replace the database by a backup while Parlour is stopped.

    Return the path under which the previous database is kept, or None if there was none.

    Raises:
        StorageError: Parlour is running, the copy is incomplete or of a version that this one
            cannot bring up to date, or the folder is not writable.
    """
    backend = _sqlite_at(address)
    file = backend.file
    log_of_copy = Path(f"{copy}-wal")
    if file.exists() and copy.exists() and file.samefile(copy):
        raise StorageError(f"{copy} is the database itself; name a copy of it.")
    if log_of_copy.exists() and log_of_copy.stat().st_size:
        raise StorageError(
            f"{copy} has a log, {log_of_copy.name}, as a database in use has; copy it with "
            "parlour backup FILE first."
        )
    with backend.sole_user(), _explained(file):
        draft = _draft(file)
        try:
            try:
                with _connected(copy, "mode=ro&immutable=1") as connection:
                    _check_kind(connection, copy)
                    _copy(connection, draft)
                with _connected(draft, "mode=ro&immutable=1") as made:
                    _check(made)
                    _check_version(made, copy)
                _redraw(draft)
            except sqlite3.DatabaseError as error:
                if _begins(copy, EXPORT):
                    raise StorageError(
                        f"{copy} is an export, which parlour import {copy} reads into an empty "
                        "database."
                    ) from None
                raise StorageError(
                    f"{copy} is no whole copy of a database ({error}); name another one."
                ) from None
            _sync(draft)
            before = _set_aside(file, now)
            draft.replace(file)
            _sync_folder(file.parent)
        finally:
            draft.unlink(missing_ok=True)
    return before


def _set_aside(file: Path, now: datetime) -> Path | None:
    """Keep the previous database and its log under another name; return it, or None if empty.

    A sound database is checkpointed first. A log that remains is moved away even if its database
    is gone: beside the restored file, SQLite would replay it into that file.
    """
    before = _unused(file, f"{file.stem}{REPLACED}{now:%Y%m%d-%H%M%S}")
    filled = file.exists() and file.stat().st_size > 0
    if filled:
        with suppress(sqlite3.DatabaseError), _connected(file, "mode=rw") as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
        try:
            before.hardlink_to(file)
        except OSError:  # as on a disk without hard links
            shutil.copy2(file, before)
    ahead = Path(f"{file}-wal")
    if ahead.exists():
        ahead.replace(f"{before}-wal")
    Path(f"{file}-shm").unlink(missing_ok=True)
    return before if filled else None


def _unused(file: Path, stem: str) -> Path:
    """A path beside `file` that neither a file nor the log of one has."""
    names = (f"{stem}{again}{file.suffix}" for again in chain([""], map("-{}".format, count(2))))
    return next(
        path
        for path in map(file.with_name, names)
        if not os.path.lexists(path) and not os.path.lexists(f"{path}-wal")
    )


class DailyBackups:
    """Backups beside an SQLite file: one of each of the last days, and of each week before those.

    Raises:
        StorageError: The database is not in a file.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._file = _sqlite_at(address).file
        self._name = _daily(self._file)
        self._draft = re.compile(rf"\.({re.escape(self._file.name)}|{self._name.pattern})\..+")

    def make(self, day: date) -> None:
        """Make the backup of a day if there is none yet, then delete outdated ones.

        A failure is logged, not raised.
        """
        for file in self._beside(self._draft):
            file.unlink()
        copy = self._file.with_name(f"{self._file.stem}-{day}{self._file.suffix}")
        if copy.exists():
            return
        try:
            games = backup(self._address, copy)
        except StorageError as error:
            log.error("backup not made: %s", error)  # noqa: TRY400 - its message is for the owner
            return
        for old in self._outdated():
            old.unlink()
        log.info("backup made file=%s games=%d", copy, games)

    def _outdated(self) -> Iterator[Path]:
        """The copies to delete: not among the last `DAYS`, nor the last of one of `WEEKS` weeks."""
        days = sorted(self._beside(self._name), reverse=True)
        weeks: set[tuple[int, int]] = set()
        for copy in days[DAYS:]:
            found = self._name.fullmatch(copy.name)
            week = date.fromisoformat(found[1]).isocalendar()[:2] if found else (0, 0)
            if week in weeks or len(weeks) == WEEKS:
                yield copy
            else:
                weeks.add(week)

    def _beside(self, name: re.Pattern[str]) -> list[Path]:
        return [file for file in self._file.parent.iterdir() if name.fullmatch(file.name)]


def _daily(file: Path) -> re.Pattern[str]:
    """What the names of a database's daily copies match, with the day in the first group."""
    return re.compile(rf"{re.escape(file.stem)}-(\d{{4}}-\d\d-\d\d){re.escape(file.suffix)}")


def _sqlite_at(address: str) -> SqliteFile:
    backend = backend_at(address)
    if not isinstance(backend, SqliteFile):
        raise StorageError(
            f"The database {backend} is copied and restored by PostgreSQL's own tools; run "
            "pg_dump --format=custom --file=FILE with the URL of DATABASE_URL, and pg_restore; "
            "PARLOUR_BACKUP is for SQLite alone."
        )
    return backend


def _file_of(address: str) -> Path:
    backend = _sqlite_at(address)
    backend.check_there()
    return backend.file


def check_not_lost(backend: Backend) -> None:
    """Refuse to start a new database where an older one was lost.

    Raises:
        StorageError: The file is empty or gone but its log has content; or the file is empty and
            there is a backup or export in its folder.
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
            "place with parlour restore FILE, or delete the empty file to begin anew."
        )


def newest(folder: Path, database: Path) -> datetime | None:
    """The time of the latest backup or export in a folder; None if there is none.

    Drafts, databases set aside by `restore`, databases in use (with a lock file), and, unless
    `database` is the sandbox's, that and its daily copies are not counted.

    Raises:
        StorageError: The folder cannot be read.
    """
    try:
        made = [
            file.stat().st_mtime
            for file in (folder.iterdir() if folder.is_dir() else ())
            if file.is_file() and not _is_no_copy(file, database) and _kept(file)
        ]
    except OSError as error:
        raise StorageError(
            f"{folder} cannot be looked through for backups ({error.strerror}); make it readable "
            "for this user, or name another folder."
        ) from None
    return datetime.fromtimestamp(max(made), UTC) if made else None


def _is_no_copy(file: Path, database: Path) -> bool:
    sandbox = database.with_name(SANDBOX)
    return (
        file in (database, sandbox)
        or (database != sandbox and bool(_daily(sandbox).fullmatch(file.name)))
        or file.name.startswith(".")
        or REPLACED in file.name
        or Path(f"{file}.lock").exists()
    )


def _kept(file: Path) -> bool:
    if not _begins(file, SQLITE):
        return _begins(file, EXPORT)
    with suppress(sqlite3.DatabaseError), _connected(file, "mode=ro&immutable=1") as connection:
        return _count(connection) >= 0
    return False


def _begins(file: Path, words: bytes) -> bool:
    with suppress(OSError), file.open("rb") as content:
        return content.read(len(words)) == words
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


def _check_version(made: sqlite3.Connection, copy: Path) -> None:
    revisions = made.execute(f"SELECT version_num FROM {APPLIED.name}")  # noqa: S608
    try:
        check_known({revision for (revision,) in revisions})
    except StorageError as error:
        raise StorageError(f"Nothing of {copy} was restored: {error}") from None


def _redraw(draft: Path) -> None:
    with _connected(draft, "mode=rw") as connection:
        connection.execute("PRAGMA journal_mode=MEMORY")  # no file beside the draft
        try:
            for statement in REDRAWN:
                connection.execute(statement)
        except sqlite3.OperationalError as error:  # such as of a full disk
            raise OSError(str(error)) from None


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
    """Yield an empty draft; rename it to `file` at the end, once it is synced to the disk.

    Raises:
        StorageError: `file` exists, or cannot be written.
    """
    with _explained(file):
        _check_name(file)
        draft = _draft(file)
        try:
            yield draft
            _sync(draft)
            _check_name(file)
            draft.rename(file)
            _sync_folder(file.parent)
        finally:
            draft.unlink(missing_ok=True)


@contextmanager
def _explained(file: Path) -> Iterator[None]:
    """Turn an `OSError` of the block into a sentence for the owner.

    Raises:
        StorageError: The file cannot be written.
    """
    try:
        yield
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


def _sync(file: Path) -> None:
    with file.open("r+b") as written:
        os.fsync(written.fileno())


def _sync_folder(folder: Path) -> None:
    """Sync a folder's entries to the disk, on systems where a folder can be opened."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
