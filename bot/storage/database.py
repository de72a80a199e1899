"""A database and the threads that work on it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Any, Final, Generic, TypeAlias, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DatabaseError

from bot.service.guild_settings import WHOLE, Share
from bot.service.meter import Meter, Span
from bot.service.ports import Unavailable
from bot.storage.check.integrity import CHOICES, impossible_values
from bot.storage.dialect import Backend, backend_at, dialect_of
from bot.storage.errors import StorageError
from bot.storage.migrate import check_version, head, upgrade
from bot.storage.records.write import catch_up

log = logging.getLogger(__name__)

PATIENCE: Final = 1.5
"""Seconds for which work is tried again while the database is away; a press waits for it."""

PAUSE: Final = 0.1
"""Seconds between two tries."""

T = TypeVar("T")
Outcome: TypeAlias = Callable[[], None]


@dataclass(frozen=True, slots=True, eq=False)
class Job(Generic[T]):
    """A piece of work, and who waits for it; `erasing` are bytes that it leaves nowhere."""

    work: Callable[[Connection], T]
    waiting: asyncio.Future[T]
    erasing: Collection[bytes] | None
    until: float = field(default_factory=lambda: monotonic() + PATIENCE)

    def succeeded(self, result: T) -> None:
        """Hands over what the work returned, unless nobody waits any more."""
        if not self.waiting.done():
            self.waiting.set_result(result)

    def failed(self, error: Exception) -> None:
        """Hands over what the work, or its commit, raised."""
        if not self.waiting.done():
            self.waiting.set_exception(error)


class Database:
    """Carries out pieces of work, each of them whole or not at all, as they come.

    On SQLite one thread does it, in their order: what has gathered while it was busy shares a
    transaction, and nobody hears of a result before its commit is on the disk. Should one piece
    fail, nothing of the transaction is kept and each is carried out again in one of its own; so a
    piece of work touches its connection alone. On PostgreSQL several threads do it, each piece in a
    transaction of its own. One that the server's absence breaks off is carried out again, perhaps
    although its commit was the last to arrive: so it has to notice what it did before.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._engine = backend.engine()
        self._jobs: SimpleQueue[Job[Any] | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self.meter: Meter | None = None
        self._away = Event()
        self._pause = Event()
        self._threads = [Thread(target=self._work, name="database") for _ in range(backend.writers)]
        for thread in self._threads:
            thread.start()

    async def run(
        self, work: Callable[[Connection], T], *, erasing: Collection[bytes] | None = None
    ) -> T:
        """What `work` returns, once it is on the disk.

        Who waits may be cancelled; the work is carried out all the same. If it is `erasing`
        anything, the database sees to it as far as it can that these bytes are nowhere any more;
        while a reader has the state before, soon after.

        Raises:
            Unavailable: The database is away for longer than a press may wait.
        """
        waiting: asyncio.Future[T] = self._loop.create_future()
        begun = monotonic()
        self._jobs.put(Job(work, waiting, erasing))
        try:
            return await waiting
        finally:
            if self.meter is not None:
                self.meter.took(Span.DATABASE, monotonic() - begun)

    async def close(self) -> None:
        """Ends after the work under way."""
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            await asyncio.to_thread(thread.join)
        self._engine.dispose()

    def _work(self) -> None:
        open_for_work = True
        while open_for_work:
            jobs, open_for_work = self._gathered()
            if jobs:
                outcomes = self._transact(jobs)
                self._erase(jobs)
                self._loop.call_soon_threadsafe(_tell, outcomes)

    def _erase(self, jobs: list[Job[Any]]) -> None:
        wanted = [job.erasing for job in jobs if job.erasing is not None]
        self._backend.erase(self._engine, {*chain(*wanted)} if wanted else None)

    def _gathered(self) -> tuple[list[Job[Any]], bool]:
        """The jobs that have come, waiting for the first; and whether more may follow."""
        jobs: list[Job[Any]] = []
        most = self._backend.together
        while not jobs or (len(jobs) < most and not self._jobs.empty()):
            job = self._jobs.get()
            if job is None:
                return jobs, False
            jobs.append(job)
        return jobs, True

    def _transact(self, jobs: list[Job[Any]]) -> list[Outcome]:
        try:
            results = self._committed(jobs)
        except Exception as error:  # noqa: BLE001 - who waits is told, whatever it is
            if len(jobs) == 1:
                return [partial(jobs[0].failed, error)]
            return [outcome for job in jobs for outcome in self._transact([job])]
        return [partial(job.succeeded, result) for job, result in zip(jobs, results, strict=True)]

    def _committed(self, jobs: list[Job[Any]]) -> list[Any]:
        """What pieces of work return in one transaction, tried again while the database is away."""
        while True:
            try:
                with self._engine.begin() as connection:
                    results = [job.work(connection) for job in jobs]
            except Exception as error:
                if not self._backend.passes(error):
                    raise
                if not self._away.is_set():
                    self._away.set()
                    log.warning("database unavailable error=%s", _line(error))
                if monotonic() > jobs[0].until:
                    raise Unavailable from error
                self._pause.wait(PAUSE)
            else:
                if self._away.is_set():
                    self._away.clear()
                    log.info("database available again")
                return results


def _line(error: Exception) -> str:
    """The first line of an error, which has no more than the fact."""
    return str(getattr(error, "orig", None) or error).strip().partition("\n")[0]


def _tell(outcomes: list[Outcome]) -> None:
    for tell in outcomes:
        tell()


@asynccontextmanager
async def opened(address: str, share: Share = WHOLE) -> AsyncIterator[Database]:
    """The database at a URL, at this version's schema, for this process and those of other shares.

    Raises:
        StorageError: It cannot be used.
    """
    backend = backend_at(address)
    async with AsyncExitStack() as stack:
        stack.enter_context(backend.sole_user(share, head()))
        database = Database(backend)
        stack.push_async_callback(database.close)
        await _prepared(database, backend)
        yield database


@contextmanager
def sole_transaction(address: str, *, there: bool = False) -> Iterator[Connection]:
    """The only transaction on the database at a URL, at this version's schema.

    It may have to be `there` before.

    Raises:
        StorageError: It cannot be used, or another process uses it.
    """
    backend = backend_at(address)
    if there:
        backend.check_there()
    with backend.sole_user(), _transaction(backend, backend.engine()) as connection:
        dialect_of(connection).unhurried(connection)
        upgrade(connection)
        yield connection


@contextmanager
def reading_transaction(address: str) -> Iterator[Connection]:
    """The database at a URL as it is at one moment, beside the bot that writes it.

    Raises:
        StorageError: It is not there, cannot be read, or has the schema of another version.
    """
    backend = backend_at(address)
    backend.check_there()
    with _transaction(backend, backend.reading_engine()) as connection:
        check_version(connection)
        yield connection


@contextmanager
def _transaction(backend: Backend, engine: Engine) -> Iterator[Connection]:
    """The only transaction of an engine."""
    try:
        with engine.begin() as connection:
            yield connection
    except DatabaseError as error:
        raise backend.explained(error) from None
    finally:
        engine.dispose()


def _explained(backend: Backend, error: DatabaseError | Unavailable) -> StorageError:
    cause = error.__cause__ if isinstance(error, Unavailable) else error
    if isinstance(cause, DatabaseError):
        return backend.explained(cause)
    return cause if isinstance(cause, StorageError) else StorageError(f"{cause}")


async def _prepared(database: Database, backend: Backend) -> None:
    try:
        await database.run(upgrade)
        await database.run(catch_up)
        unknown = await database.run(lambda c: next(impossible_values(c, CHOICES), None))
    except (DatabaseError, Unavailable) as error:
        raise _explained(backend, error) from None
    if unknown is not None:
        raise StorageError(f"{unknown} parlour check names all rows of {backend} that cannot be.")
