"""PostgreSQL as a dialect: its settings, its locks, its numbers.

Transactions are READ COMMITTED: a change names the revision that it starts from, and rows that many
may add are added `ON CONFLICT`. Where an order is drawn, or room is counted, transactions take
turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Connection,
    Engine,
    String,
    create_engine,
    event,
    func,
    select,
    true,
)
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

CONNECTING: Final = {
    "application_name": "parlour",
    "connect_timeout": 2,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 5000,
}
"""Options of connections; a server that has vanished without a word is given up after seconds."""

SETTINGS: Final = (
    "SET statement_timeout = '10s'",
    "SET lock_timeout = '2s'",
    "SET idle_in_transaction_session_timeout = '1min'",
    "SET max_parallel_workers_per_gather = 0",  # whose start takes longer than what is asked
    """SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') IN ('off', 'local')""",
)
"""Settings of sessions: no statement blocks others for long, and a commit is on the disk."""

_NUMBERS: Final = "session_id_seq"

NEWS: Final = "parlour"
"""The channel on which processes tell each other."""


def postgres_engine(url: URL, connections: int) -> Engine:
    """An engine with at most so many connections, with the settings above."""
    engine = create_engine(
        url,
        hide_parameters=True,  # what goes wrong is logged, whose it is not
        pool_size=connections,
        max_overflow=0,
        isolation_level="READ COMMITTED",
        connect_args=CONNECTING,
    )
    event.listen(engine, "connect", _configure)
    return engine


def snapshot_engine(url: URL) -> Engine:
    """An engine whose transactions see the database as it was when they first read.

    They have no time limit.
    """
    return create_engine(
        url,
        hide_parameters=True,
        connect_args=CONNECTING,
        execution_options={"isolation_level": "REPEATABLE READ", "postgresql_readonly": True},
    )


def _configure(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    for setting in SETTINGS:
        cursor.execute(setting)
    cursor.close()
    connection.commit()


def in_turn(connection: Connection, what: int) -> None:
    """Make other transactions that ask for the same number wait for the end of this one."""
    connection.execute(select(func.pg_advisory_xact_lock(what)))


def alone(connection: Connection) -> None:
    """Make everything that changes tables wait for the end of this transaction."""
    connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
    connection.exec_driver_sql("SET LOCAL lock_timeout = '10s'")
    connection.exec_driver_sql("LOCK TABLE session IN EXCLUSIVE MODE")


def unhurried(connection: Connection) -> None:
    """Lift all time limits from this transaction."""
    for limit in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
        connection.exec_driver_sql(f"SET LOCAL {limit} = 0")


def tell(connection: Connection, news: str) -> None:
    """Tell the other processes on the database, once this transaction is committed."""
    connection.execute(select(func.pg_notify(NEWS, news)))


def last_session(connection: Connection) -> int:
    """The greatest number that a session ever had, though it may be gone; 0 before the first."""
    query = f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {_NUMBERS}"  # noqa: S608
    return connection.exec_driver_sql(query).scalar() or 0


def number_on(connection: Connection, last: int) -> None:
    """Give all further sessions greater numbers than `last`."""
    connection.execute(select(func.setval(_NUMBERS, max(last, 1), last > 0)))


def broken_pages(_: Connection) -> Iterator[str]:
    """Nothing: PostgreSQL looks after its files itself (`pg_amcheck`, data checksums)."""
    return iter(())


def fits(column: Column[Any], value: ColumnElement[Any]) -> ColumnElement[bool]:
    """The condition that options are an object; PostgreSQL itself sees to the types."""
    return func.json_typeof(value) == "object" if isinstance(column.type, JSON) else true()


def at_most(column: Column[Any], high: float) -> ColumnElement[bool]:
    """The condition that a column is below a bound: PostgreSQL misjudges pairs of columns."""
    return column <= high


def sorted_by(column: Column[Any]) -> ColumnElement[Any]:
    """A column in the order of its bytes, whatever language the server speaks."""
    return column.collate("C") if isinstance(column.type, String) else column
