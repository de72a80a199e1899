"""A database and the one thread that works on it, a transaction at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError

from bot.storage.errors import StorageError
from bot.storage.migrate import upgrade
from bot.storage.sqlite import database_file, explained, sole_user, sqlite_engine

T = TypeVar("T")


class Database:
    """Runs functions as transactions: all of one, or nothing of it, and never two at a time."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="database")

    async def run(self, work: Callable[[Connection], T]) -> T:
        """What `work` returns, once its transaction is on the disk.

        Whoever waits may be cancelled; the transaction is carried out all the same.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._transact, work)

    def _transact(self, work: Callable[[Connection], T]) -> T:
        with self._engine.begin() as connection:
            return work(connection)

    def close(self) -> None:
        """Ends after the transactions under way."""
        self._thread.shutdown()
        self._engine.dispose()


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Database]:
    """The database at a URL, at this version's schema, for this process alone.

    Raises:
        StorageError: It cannot be used.
    """
    url = parsed(address)
    file = database_file(url)
    with ExitStack() as stack:
        stack.enter_context(sole_user(file))
        database = Database(sqlite_engine(url))
        stack.callback(database.close)
        await _prepared(database, file)
        yield database


def parsed(address: str) -> URL:
    """The parts of a database URL.

    Raises:
        StorageError: It is none, or of a kind that Parlour does not use.
    """
    try:
        url = make_url(address)
    except ArgumentError:
        raise StorageError(
            "DATABASE_URL is not a database URL; write it as sqlite:///parlour.db."
        ) from None
    if url.get_backend_name() != "sqlite":
        raise StorageError(
            f"DATABASE_URL is for {url.get_backend_name()}, but this version keeps everything in "
            "SQLite; write it as sqlite:///parlour.db."
        )
    return url


async def _prepared(database: Database, file: Path) -> None:
    try:
        await database.run(upgrade)
    except DatabaseError as error:
        raise explained(error, file) from None
