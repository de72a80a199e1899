"""SQLite: the settings of its connections, and its checks.

The settings: a write-ahead log, so that reading never waits for writing; `synchronous=FULL`, since
NORMAL loses acknowledged moves when the power fails; and transactions that take the write lock
when they begin, since two that read first and write later overwrite each other (the recipe is in
SQLAlchemy's documentation of its pysqlite dialect). Deleted rows are overwritten.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

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
from sqlalchemy.pool import ConnectionPoolEntry

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


def reading_engine(url: URL) -> Engine:
    """An engine whose transactions only read, and see the database as it was when they first did.

    They take no lock that a writer would wait for.
    """
    return _engine(url, READING, "BEGIN")


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
