"""A database and the one thread that works on it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, Generic, TypeAlias, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError

from bot.service.meter import NO_METER, Meter, Span
from bot.storage.check.integrity import CHOICES, impossible_values
from bot.storage.errors import StorageError
from bot.storage.migrate import check_version, upgrade
from bot.storage.records.write import catch_up
from bot.storage.sqlite import (
    database_file,
    erased,
    existing,
    explained,
    reading_engine,
    sole_user,
    sqlite_engine,
    transaction,
)

MOST_TOGETHER: Final = 64
"""How many pieces of work may share one commit."""

T = TypeVar("T")
Outcome: TypeAlias = Callable[[], None]


@dataclass(frozen=True, slots=True, eq=False)
class Job(Generic[T]):
    """A piece of work, and whoever waits for it; `erasing` are bytes that it leaves nowhere."""

    work: Callable[[Connection], T]
    waiting: asyncio.Future[T]
    erasing: Collection[bytes] | None

    def succeeded(self, result: T) -> None:
        """Hands over what the work returned, unless nobody waits any more."""
        if not self.waiting.done():
            self.waiting.set_result(result)

    def failed(self, error: Exception) -> None:
        """Hands over what the work, or its commit, raised."""
        if not self.waiting.done():
            self.waiting.set_exception(error)


class Database:
    """Carries out pieces of work, each of them whole or not at all, in the order they came.

    One thread does it. What has gathered while it was busy shares a transaction, and nobody hears
    of a result before its commit is on the disk: under load the disk is the bottleneck, and sixteen
    moves then cost it as much as one. Should one piece fail, nothing of the transaction is kept and
    each is carried out again in one of its own; so a piece of work touches its connection alone.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: SimpleQueue[Job[Any] | None] = SimpleQueue()
        self._thread = Thread(target=self._work, name="database")
        self._loop = asyncio.get_running_loop()
        self.meter: Meter = NO_METER
        self._erasing: set[bytes] | None = set()  # a crash may have come before it
        self._thread.start()

    async def run(
        self, work: Callable[[Connection], T], *, erasing: Collection[bytes] | None = None
    ) -> T:
        """What `work` returns, once it is on the disk.

        Whoever waits may be cancelled; the work is carried out all the same. If it is `erasing`
        anything, the write-ahead log is emptied after it, and the file is written anew if it still
        has one of these bytes anywhere; while somebody reads the state before, soon after.
        """
        waiting: asyncio.Future[T] = self._loop.create_future()
        begun = time.monotonic()
        self._jobs.put(Job(work, waiting, erasing))
        try:
            return await waiting
        finally:
            self.meter.took(Span.DATABASE, time.monotonic() - begun)

    async def close(self) -> None:
        """Ends after the work under way."""
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        self._engine.dispose()

    def _work(self) -> None:
        open_for_work = True
        while open_for_work:
            jobs, open_for_work = self._gathered()
            if jobs:
                outcomes = self._transact(jobs)
                self._erase([job.erasing for job in jobs if job.erasing is not None])
                self._loop.call_soon_threadsafe(_tell, outcomes)

    def _erase(self, wanted: Sequence[Collection[bytes]]) -> None:
        """Sees to it that some bytes are on the disk no more, and those that still were before."""
        if wanted:
            self._erasing = (self._erasing or set()).union(*wanted)
        if self._erasing is not None and erased(self._engine, self._erasing):
            self._erasing = None

    def _gathered(self) -> tuple[list[Job[Any]], bool]:
        """The jobs that have come, waiting for the first; and whether more may follow."""
        jobs: list[Job[Any]] = []
        while not jobs or (len(jobs) < MOST_TOGETHER and not self._jobs.empty()):
            job = self._jobs.get()
            if job is None:
                return jobs, False
            jobs.append(job)
        return jobs, True

    def _transact(self, jobs: list[Job[Any]]) -> list[Outcome]:
        try:
            with self._engine.begin() as connection:
                results = [job.work(connection) for job in jobs]
        except Exception as error:  # noqa: BLE001 - whoever waits is told, whatever it is
            if len(jobs) == 1:
                return [partial(jobs[0].failed, error)]
            return [outcome for job in jobs for outcome in self._transact([job])]
        return [partial(job.succeeded, result) for job, result in zip(jobs, results, strict=True)]


def _tell(outcomes: list[Outcome]) -> None:
    for tell in outcomes:
        tell()


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Database]:
    """The database at a URL, at this version's schema, for this process alone.

    Raises:
        StorageError: It cannot be used.
    """
    url = parsed(address)
    file = database_file(url)
    async with AsyncExitStack() as stack:
        stack.enter_context(sole_user(file))
        database = Database(sqlite_engine(url))
        stack.push_async_callback(database.close)
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
    if url.drivername not in {"sqlite", "sqlite+pysqlite"} or url.query:
        raise StorageError(
            f"DATABASE_URL begins with {url.drivername!r} or has options, but this version keeps "
            "everything in an SQLite file; write it as sqlite:///parlour.db."
        )
    return url


@contextmanager
def sole_transaction(address: str) -> Iterator[Connection]:
    """The only transaction on the database at a URL, at this version's schema.

    Raises:
        StorageError: It cannot be used, or another process uses it.
    """
    url = parsed(address)
    file = database_file(url)
    with sole_user(file), transaction(sqlite_engine(url), file) as connection:
        upgrade(connection)
        yield connection


@contextmanager
def reading_transaction(address: str) -> Iterator[Connection]:
    """The database at a URL as it is at one moment, beside the bot that writes it.

    Raises:
        StorageError: It is not there, cannot be read, or has the schema of another version.
    """
    url = parsed(address)
    file = existing(database_file(url))
    with transaction(reading_engine(url), file) as connection:
        check_version(connection)
        yield connection


async def _prepared(database: Database, file: Path) -> None:
    try:
        await database.run(upgrade)
        await database.run(catch_up)
        unknown = await database.run(lambda c: next(impossible_values(c, CHOICES), None))
    except DatabaseError as error:
        raise explained(error, file) from None
    if unknown is not None:
        raise StorageError(f"{unknown} parlour check names all rows of {file} that cannot be.")
