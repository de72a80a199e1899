"""A database on a PostgreSQL server, and the locks that keep other processes of Parlour off it.

A process with all shards keeps all others off. Several share one lock, which stands for their
schema and their number of shards, and have one of their own for each of their shards. The locks end
with the session.

Transactions that write are READ COMMITTED: a change names the revision that it starts from, and
rows that many may add are added `ON CONFLICT`. Where an order is drawn, or room is counted,
transactions take turns.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from threading import Lock
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError, DBAPIError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from bot.storage.errors import StorageAway, StorageError
from bot.storage.schema.base import IdKind, marked
from bot.storage.shards import WHOLE, Share

log = logging.getLogger(__name__)


PASSING: Final = ("08", "25006", "40001", "40P01", "53", "55P03", "57014", "57P")
"""The beginnings of passing errors' codes: connections, restarts, full servers, locks, limits."""


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

    def snapshots(self, engine: Engine) -> Engine:
        """The same engine for work that only reads, and sees all rows at one moment."""
        return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

    def reading_engine(self) -> Engine:
        """An engine whose transactions see the database as it was when they first read.

        They have no time limit, and may fill temporary tables.
        """
        engine = create_engine(self._url, **_OPTIONS)
        return engine.execution_options(isolation_level="REPEATABLE READ")

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
        """Vacuum the tables whose rows name people; later rows are written over forgotten ones.

        When that is, the server decides; its log, replicas and backups stay as they are.
        """
        if wanted:
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                try:
                    connection.exec_driver_sql("SET statement_timeout = 0")
                    connection.exec_driver_sql(f"SELECT pg_advisory_lock({VACUUMING})")
                    naming = {column.table.name: None for column, _ in marked(IdKind.PERSON)}
                    connection.exec_driver_sql(f"VACUUM {', '.join(naming)}")
                finally:
                    connection.invalidate()  # the limit is lifted, and the lock taken, for good
        return True

    def explained(self, error: DatabaseError) -> StorageError:
        """An error of the server as a sentence for the owner; `StorageAway` if it passes."""
        reason = str(error.orig).strip().splitlines()[0]
        away = self.passes(error) and not self._refused(error)
        kind = StorageAway if away else StorageError
        return kind(
            f"The database {self} cannot be used ({reason}); check DATABASE_URL, that the server "
            "is running, and that this user owns the database."
        )

    def _refused(self, error: DatabaseError) -> bool:
        """Whether no connection came about although the server takes some, as to another database.

        The refusal itself comes without a code, and in the server's language.
        """
        from psycopg.pq import PGconn, Ping  # noqa: PLC0415 - an extra

        if error.connection_invalidated or getattr(error.orig, "sqlstate", None) is not None:
            return False
        asked = self._url.set(drivername="postgresql").update_query_dict(
            {"connect_timeout": str(CONNECTING["connect_timeout"])}
        )
        answer = PGconn.ping(asked.render_as_string(hide_password=False).encode())
        return answer not in (Ping.REJECT, Ping.NO_RESPONSE)


ENCODING: Final = "UTF8"

WHOLE_DATABASE, AGREEMENT, SHARD = 0x7061726C, 0x7061726D, 0x7061726E
"""The first numbers of the locks; the second of the first is 0."""

_EXCLUSIVE: Final = text("SELECT pg_try_advisory_lock(:word, :number)")
_SHARED: Final = text("SELECT pg_try_advisory_lock_shared(:word, :number)")
_OTHERS: Final = text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = :word "
    "AND objid <> :number AND objsubid = 2 "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class Guard:
    """The session that holds the locks, opened again if it is lost."""

    def __init__(self, url: URL, database: str) -> None:
        # Its connections are sessions, without transactions, and end when closed.
        self._engine = create_engine(
            url, **_OPTIONS, poolclass=NullPool, isolation_level="AUTOCOMMIT"
        )
        event.listen(self._engine, "connect", partial(_configure, settings=HOLDING))
        self._database = database
        self._turn = Lock()
        self._standing = False
        self._share, self._schema = WHOLE, ""
        self._session: Connection | None = None

    def stand(self, share: Share, schema: str) -> None:
        """Take the locks; processes of other shares have to have the same `schema`.

        Raises:
            StorageAway: Another Parlour has them.
            StorageError: The database cannot keep every word.
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
            raise fault

    def _faults(self, session: Connection) -> Iterator[StorageError]:
        """Take the locks, and yield an error for each that another process has.

        That may be one that has just lost its power, of which the server does not know yet. Before
        that, one for a database that cannot keep every word.
        """
        share, database = self._share, self._database
        encoding = session.scalar(text("SHOW server_encoding"))
        if encoding != ENCODING:
            yield StorageError(
                f"The database {database} is encoded in {encoding}, which has no emoji; make "
                f"another by createdb --encoding={ENCODING} --locale=C --template=template0, and "
                "move what is in it with parlour export and parlour import."
            )
        taken = _EXCLUSIVE if share.whole else _SHARED
        if not session.scalar(taken, {"word": WHOLE_DATABASE, "number": 0}):
            yield StorageAway(
                f"Another Parlour is running on the database {database}; stop it first, "
                "or give this one a database of its own in DATABASE_URL."
            )
        if share.whole:
            return
        agreement = int(self._schema) * 100_000 + (share.count or 0)
        agreed = {"word": AGREEMENT, "number": agreement}
        session.execute(_SHARED, agreed)
        if session.scalar(_OTHERS, agreed):
            yield StorageAway(
                f"The processes of Parlour on the database {database} are of another version or "
                "have another SHARD_COUNT; stop all of them first, or start this one like them."
            )
        for number in sorted(share.numbers):
            if not session.scalar(_EXCLUSIVE, {"word": SHARD, "number": number}):
                yield StorageAway(
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


CONNECTING: Final = {
    "application_name": "parlour",
    "client_encoding": "utf8",
    "connect_timeout": 2,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 5000,
}
"""Options of connections; a server that has vanished without a word is given up after seconds."""

_OPTIONS: Final[Mapping[str, Any]] = {
    "connect_args": CONNECTING,
    "hide_parameters": True,  # what goes wrong is logged, whose it is not
    "use_native_hstore": False,  # or each engine would ask the server for that type
}
"""Options of engines."""

SETTINGS: Final = (
    "SET statement_timeout = '10s'",
    "SET lock_timeout = '2s'",
    "SET idle_in_transaction_session_timeout = '1min'",
    "SET max_parallel_workers_per_gather = 0",  # whose start takes longer than what is asked
    """SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') IN ('off', 'local')""",
)
"""Settings of sessions: no statement blocks others for long, and a commit is on the disk."""

HOLDING: Final = (
    "SET tcp_keepalives_idle = 5",
    "SET tcp_keepalives_interval = 2",
    "SET tcp_keepalives_count = 3",
    """SELECT set_config('idle_session_timeout', '0', false)
    WHERE current_setting('idle_session_timeout', true) IS NOT NULL""",  # of 14 or newer
)
"""Settings of sessions that hold locks: the server ends one soon whose process has vanished.

By default it asks after two hours, in which nobody else gets the locks.
"""

VACUUMING: Final = -5
"""The number of the advisory lock of a vacuum; `dialect` has the others."""

NUMBERS: Final = "session_id_seq"
"""The sequence of sessions' numbers."""

NEWS: Final = "parlour"
"""The channel on which processes tell each other."""


def postgres_engine(url: URL, connections: int) -> Engine:
    """An engine with a number of connections at most, and the settings above."""
    engine = create_engine(
        url,
        **_OPTIONS,
        pool_size=connections,
        max_overflow=0,
        isolation_level="READ COMMITTED",
    )
    event.listen(engine, "connect", partial(_configure, settings=SETTINGS))
    return engine


def _configure(
    connection: DBAPIConnection, _: ConnectionPoolEntry, *, settings: Sequence[str]
) -> None:
    cursor = connection.cursor()
    cursor.execute("; ".join(settings))  # at once, since each would be a round trip
    cursor.close()
    connection.commit()
