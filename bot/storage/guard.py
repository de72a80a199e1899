"""Locks that keep other processes of Parlour off a PostgreSQL database; they end with the session.

A process alone keeps all others off. Several share one lock, which stands for their schema and
their number of shards, and have one of their own for each of their shards.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from threading import Lock
from typing import Final

from sqlalchemy import Connection, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from bot.storage.errors import StorageError
from bot.storage.postgres import session_engine
from bot.storage.shards import WHOLE, Share

WHOLE_DATABASE, AGREEMENT, SHARD = 0x7061726C, 0x7061726D, 0x7061726E
"""The first numbers of the locks; the second of the first is 0."""

_ALONE: Final = text("SELECT pg_try_advisory_lock(:word, :number)")
_SHARED: Final = text("SELECT pg_try_advisory_lock_shared(:word, :number)")
_OTHERS: Final = text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = :word "
    "AND objid <> :number AND objsubid = 2 "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class Guard:
    """The session that holds the locks, opened again if it is lost."""

    def __init__(self, url: URL, database: str) -> None:
        self._engine = session_engine(url)
        self._database = database
        self._turn = Lock()
        self._standing = False
        self._share, self._schema = WHOLE, ""
        self._session: Connection | None = None

    def stand(self, share: Share, schema: str) -> None:
        """Take the locks; processes of other shares have to have the same `schema`.

        Raises:
            StorageError: Another Parlour has them.
        """
        self._share, self._schema = share, schema
        self._take()
        self._standing = True

    def confirm(self, *_: object) -> None:
        """Take the locks again if the session was lost, before anything is written.

        Raises:
            StorageError: Another Parlour has come meanwhile.
        """
        with self._turn:
            if self._standing and not self._holds():
                self._drop()
                self._take()

    def leave(self) -> None:
        """Give the locks back."""
        self._standing = False
        self._drop()

    def _take(self) -> None:
        self._session = self._engine.connect()
        fault = next(self._faults(self._session), None)
        if fault is not None:
            self._drop()
            raise StorageError(fault)

    def _faults(self, session: Connection) -> Iterator[str]:
        """Take the locks, and yield a sentence for each that another process has."""
        share, database = self._share, self._database
        taken = _ALONE if share.whole else _SHARED
        if not session.scalar(taken, {"word": WHOLE_DATABASE, "number": 0}):
            yield (
                f"Another Parlour is running on the database {database}; stop it first, "
                "or give this one a database of its own in DATABASE_URL."
            )
        if share.whole:
            return
        agreement = int(self._schema) * 100_000 + (share.count or 0)
        agreed = {"word": AGREEMENT, "number": agreement}
        session.execute(_SHARED, agreed)
        if session.scalar(_OTHERS, agreed):
            yield (
                f"The processes of Parlour on the database {database} are of another version or "
                "have another SHARD_COUNT; stop all of them first, or start this one like them."
            )
        for number in sorted(share.numbers):
            if not session.scalar(_ALONE, {"word": SHARD, "number": number}):
                yield (
                    f"Another Parlour on the database {database} has shard {number}; "
                    "stop it first, or name other shards in SHARD_IDS."
                )

    def _drop(self) -> None:
        if self._session is not None:
            # At once, and not when the server notices that the session is gone.
            with suppress(SQLAlchemyError):
                self._session.execute(text("SELECT pg_advisory_unlock_all()"))
            self._session.close()
            self._session = None

    def _holds(self) -> bool:
        try:
            return self._session is not None and bool(self._session.scalar(text("SELECT true")))
        except SQLAlchemyError:
            return False
