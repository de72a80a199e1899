"""A database on a PostgreSQL server, and the locks that keep other processes of Parlour off it.

A process with all shards keeps all others off. Processes with some of the shards share a lock whose
number stands for their schema and count of shards, and each takes a lock for each of its shards.
All are advisory locks, which end with the session.

Transactions that write are READ COMMITTED: an update names the revision that it starts from, and
inserts that may meet use `ON CONFLICT`. Advisory locks serialise the transactions that number
finished games or count the tables in a channel.
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
"""SQLSTATE prefixes of errors that pass: connections, restarts, full servers, locks, limits."""


class PostgresServer:
    """The PostgreSQL database that a URL names.

    Several threads write to it, each with a connection and a transaction for each piece of work:
    the server groups the commits itself.

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
        """Do nothing: connecting raises the error."""

    def engine(self) -> Engine:
        """An engine that writes; each new connection first confirms that the locks are held."""
        engine = postgres_engine(self._url, self.writers)
        event.listen(engine, "connect", self._guard.confirm)
        return engine

    def snapshots(self, engine: Engine) -> Engine:
        """The same engine for work that only reads: each transaction sees one snapshot."""
        return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

    def reading_engine(self) -> Engine:
        """An engine whose transactions see a snapshot from their first query on.

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
        """Vacuum the tables that name people, so that deleted rows can be overwritten; return True.

        The server decides when that happens; its log, replicas and backups keep the rows.
        """
        if wanted:
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                try:
                    connection.exec_driver_sql("SET statement_timeout = 0")
                    connection.exec_driver_sql(f"SELECT pg_advisory_lock({VACUUMING})")
                    naming = {column.table.name: None for column, _ in marked(IdKind.PERSON)}
                    connection.exec_driver_sql(f"VACUUM {', '.join(naming)}")
                finally:
                    connection.invalidate()  # ends the session, and with it lock and setting
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
        """Whether a running server refused the connection, such as for an unknown database.

        The refusal itself has no code, and its text is in the server's language.
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
"""First numbers of advisory locks; the second is 0, the agreement's number, or the shard."""

_EXCLUSIVE: Final = text("SELECT pg_try_advisory_lock(:word, :number)")
_SHARED: Final = text("SELECT pg_try_advisory_lock_shared(:word, :number)")
_OTHERS: Final = text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = :word "
    "AND objid <> :number AND objsubid = 2 "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class Guard:
    """The database session that holds the locks; it is opened again if it is lost."""

    def __init__(self, url: URL, database: str) -> None:
        # Connections work without transactions, and their session ends when they are closed.
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
        """Take the locks; processes of other shares must have the same `schema`.

        Raises:
            StorageAway: Another instance of Parlour has one of them.
            StorageError: The database's encoding is not UTF-8.
        """
        self._share, self._schema = share, schema
        self._take()
        self._standing = True

    def confirm(self, *_: object) -> None:
        """Take the locks again if their session was lost.

        Raises:
            StorageError: Another instance of Parlour has taken one meanwhile.
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
        """Take the locks one by one, and yield an error for each that another process has.

        That process may have lost its power, which the server has not noticed yet. An error for a
        database whose encoding is not UTF-8 comes first.
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
            # Release them at once, not when the server notices that the session is gone.
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
"""Options of connections, by which a server that no longer responds is given up in seconds."""

_OPTIONS: Final[Mapping[str, Any]] = {
    "connect_args": CONNECTING,
    "hide_parameters": True,  # errors are logged, without the ids of people
    "use_native_hstore": False,  # or each engine would query the server for that type
}
"""Options of all engines."""

SETTINGS: Final = (
    "SET statement_timeout = '10s'",
    "SET lock_timeout = '2s'",
    "SET idle_in_transaction_session_timeout = '1min'",
    "SET max_parallel_workers_per_gather = 0",  # starting one takes longer than our queries
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
"""Settings of sessions that hold locks: the server soon ends those of a process that vanished.

By default it probes after two hours, in which no other process gets the locks.
"""

VACUUMING: Final = -5
"""The number of the advisory lock of a vacuum; `dialect` has the others."""

NUMBERS: Final = "session_id_seq"
"""The sequence of the ids of `session`."""

NEWS: Final = "parlour"
"""The channel of NOTIFY on which processes tell each other of changes."""


def postgres_engine(url: URL, connections: int) -> Engine:
    """An engine with at most `connections` connections, and the `SETTINGS`."""
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
