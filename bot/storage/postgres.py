"""PostgreSQL: the settings of its connections.

Transactions are READ COMMITTED: a change names the revision that it starts from, and rows that many
may add are added `ON CONFLICT`. Where an order is drawn, or room is counted, transactions take
turns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

_CONNECTING: Final = {
    "application_name": "parlour",
    "connect_timeout": 2,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 5000,
}
"""Options of connections; a server that has vanished without a word is given up after seconds."""

_OPTIONS: Final[Mapping[str, Any]] = {
    "connect_args": _CONNECTING,
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

NUMBERS: Final = "session_id_seq"
"""The sequence of sessions' numbers."""

NEWS: Final = "parlour"
"""The channel on which processes tell each other."""


def postgres_engine(url: URL, connections: int) -> Engine:
    """An engine with at most so many connections, with the settings above."""
    engine = create_engine(
        url,
        **_OPTIONS,
        pool_size=connections,
        max_overflow=0,
        isolation_level="READ COMMITTED",
    )
    event.listen(engine, "connect", _configure)
    return engine


def snapshot_engine(url: URL) -> Engine:
    """An engine whose transactions see the database as it was when they first read.

    They have no time limit, and may fill temporary tables.
    """
    return create_engine(url, **_OPTIONS).execution_options(isolation_level="REPEATABLE READ")


def session_engine(url: URL) -> Engine:
    """An engine whose connections are sessions, without transactions, and end when closed."""
    return create_engine(url, **_OPTIONS, poolclass=NullPool, isolation_level="AUTOCOMMIT")


def _configure(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute("; ".join(SETTINGS))  # at once, since each would be a round trip
    cursor.close()
    connection.commit()
