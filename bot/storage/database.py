"""A database and the threads that work on it."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

from sqlalchemy import ColumnElement, Connection, Engine, Select, Table, select
from sqlalchemy.exc import DatabaseError

from bot.storage.errors import FileGone, StorageAway, StorageError, Unavailable, Unreadable
from bot.storage.reading import Reader, UnreadableRows
from bot.storage.shards import WHOLE, Share

log = logging.getLogger(__name__)

PATIENCE: Final = 1.5
"""Seconds for which work is tried again while the database is away; a press waits for it."""

PAUSE: Final = 0.1
"""Seconds between two tries."""

GATHERING: Final = 0.004
"""Seconds to wait for more work after a transaction that several pieces shared.

Committing ten moves takes hardly longer than one, and while this thread works, presses wait.
"""

T = TypeVar("T")
Outcome: TypeAlias = Callable[[], None]
NewDatabase: TypeAlias = "Callable[[Backend, Callable[[float], None]], Database]"


class Backend(Protocol):
    """A database of some kind at a URL; `str()` gives its name for sentences, without password."""

    @property
    def writers(self) -> int:
        """The number of threads that write to it, each with a connection of its own."""

    @property
    def together(self) -> int:
        """The most pieces of work that may share a transaction."""

    def check_there(self) -> None:
        """Raise `StorageError` if there is no database."""

    def engine(self) -> Engine:
        """An engine that writes."""

    def snapshots(self, engine: Engine, /) -> Engine:
        """The same engine for work that only reads, in which all queries see one snapshot."""

    def reading_engine(self) -> Engine:
        """An engine for reading: a transaction sees one snapshot while others write."""

    def sole_user(self, share: Share = WHOLE, schema: str = "", /) -> AbstractContextManager[None]:
        """Keep other instances of Parlour off this share of the shards; all must agree on `schema`.

        Raises:
            StorageError: Another instance has one of the shards, or another schema.
        """

    def passes(self, error: Exception, /) -> bool:
        """Whether an error goes away by itself."""

    def erase(self, engine: Engine, wanted: Collection[bytes], /) -> bool:
        """Remove all copies of these bytes from the disk; return False while a reader blocks it.

        Bytes of earlier calls that failed are removed too.
        """

    def explained(self, error: DatabaseError, /) -> StorageError:
        """An error as a sentence for the owner."""


class OpenedFile:
    """The identity of the file at a path when it was first opened.

    SQLite would go on writing to a file that was deleted or replaced, and these writes would be
    lost when it is closed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._identity: tuple[int, int] | None = None

    def note(self, *_: object) -> None:
        """Remember the file at the path, unless one is remembered already."""
        self._identity = self._identity or self._found()

    def forget(self, *_: object) -> None:
        """Forget the file, as it is closed."""
        self._identity = None

    def check(self, *_: object) -> None:
        """Raise `FileGone` if the opened file was deleted, or another is in its place."""
        if self._identity is not None and self._found() != self._identity:
            raise FileGone(
                f"The database file {self._path} was deleted or replaced, so nothing is saved; "
                "put the same file back, or start Parlour again to go on with what is there."
            )

    def _found(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino


@dataclass(slots=True, eq=False)
class Piece(Generic[T]):
    """A piece of work, the future of its result, and the time (`monotonic`) to give up.

    After work with `erasing`, even an empty collection, deleted rows and these bytes are erased
    from the disk; `erased` says whether that succeeded. Work that is `reading` writes nothing.
    """

    work: Callable[[Connection], T]
    waiting: asyncio.Future[T]
    erasing: Collection[bytes] | None
    until: float
    reading: bool = False
    erased: bool = False


class Database:
    """A database whose threads carry out pieces of work, each completely or not at all.

    On SQLite one thread takes the pieces in order. All that are waiting share a transaction, and
    results are handed over after its commit is on the disk. If one fails, the transaction is rolled
    back and each is run again in its own: work must have no effect but on its connection. On
    PostgreSQL several threads run each piece in its own transaction. Work cut off by a lost
    connection is run again, possibly after its commit succeeded: it must notice its own traces.
    """

    def __init__(self, backend: Backend, timed: Callable[[float], None] = lambda _: None) -> None:
        self.unreadable = UnreadableRows()
        self._backend = backend
        self._timed = timed
        self._engine = backend.engine()
        self._snapshots = backend.snapshots(self._engine)
        self._pieces: SimpleQueue[Piece[Any] | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._away = Event()
        self._pause = Event()
        self._closed = False
        self._erased = False  # a crash may have left deleted rows on the disk
        self._ended = asyncio.Semaphore(0)
        self._threads: list[Thread] = []
        self._begin()

    async def run(
        self,
        work: Callable[[Connection], T],
        *,
        erasing: Collection[bytes] | None = None,
        reading: bool = False,
    ) -> T:
        """The result of `work`, once its commit is on the disk.

        Work that is only `reading` sees one snapshot of all rows. Work goes on even if its caller
        is cancelled, who is told once it has ended. Bytes in `erasing` are then removed from the
        disk, or soon after if a reader blocks that.

        Raises:
            Unavailable: The database is away for longer than a press may wait, or its disk is full.
            Unreadable: The work is about one row, which this version cannot read.
        """
        return await self._result(self._piece(work, erasing, reading=reading))

    async def erase(self, traces: Collection[bytes]) -> bool:
        """Remove bytes from the disk as `run` does; return whether that succeeded.

        It fails while a reader blocks it, and if the disk has no room for a copy of the file.

        Raises:
            Unavailable: The database is away for longer than a press may wait.
        """
        piece = self._piece(lambda _: None, traces)
        await self._result(piece)
        return piece.erased

    def _piece(
        self,
        work: Callable[[Connection], T],
        erasing: Collection[bytes] | None,
        *,
        reading: bool = False,
    ) -> Piece[T]:
        until = monotonic() + PATIENCE
        return Piece(work, self._loop.create_future(), erasing, until, reading)

    async def _result(self, piece: Piece[T]) -> T:
        begun = monotonic()
        if self._closed:
            piece.waiting.cancel()
        else:
            self._take(piece)
        piece.waiting.add_done_callback(_retrieve)
        try:
            return await asyncio.shield(piece.waiting)
        except asyncio.CancelledError:
            await asyncio.wait([piece.waiting])  # else another thread might read what was before it
            raise
        except Unreadable as error:
            self.unreadable.note(error)
            raise
        finally:
            self._timed(monotonic() - begun)

    async def read(self, work: Callable[[Reader], T], *, reading: bool = True) -> T:
        """The result of work that reads rows one by one, so that unreadable ones are skipped."""

        def carried_out(connection: Connection) -> tuple[T, list[Unreadable]]:
            reader = Reader(connection)
            return work(reader), reader.unreadable

        result, unreadable = await self.run(carried_out, reading=reading)
        for error in unreadable:
            self.unreadable.note(error)
        return result

    async def numbers(
        self,
        table: Table,
        *conditions: ColumnElement[bool],
        order: ColumnElement[Any],
        **values: object,
    ) -> Sequence[int]:
        """The ids of a table's rows that meet all conditions, without rows known as unreadable.

        Conditions must be module constants, as their query is cached; `values` are its parameters.
        """
        query = _numbers(table, conditions, order, self.unreadable.numbers(table))
        return await self.run(lambda c: c.execute(query, values).scalars().all())

    async def close(self) -> None:
        """Finish the work that was handed in and close the connections; cancel what comes later."""
        self._closed = True
        await self._finish()
        self._engine.dispose()

    async def _finish(self) -> None:
        for _ in self._threads:
            self._pieces.put(None)
        for _ in self._threads:
            await self._ended.acquire()
        for thread in self._threads:
            thread.join()

    def _begin(self) -> None:
        writers = range(self._backend.writers)
        self._threads = [Thread(target=self._work, name="database") for _ in writers]
        for thread in self._threads:
            thread.start()

    def _take(self, piece: Piece[Any]) -> None:
        self._pieces.put(piece)

    def _work(self) -> None:
        try:
            self._work_on()
        finally:
            self._loop.call_soon_threadsafe(self._ended.release)

    def _work_on(self) -> None:
        open_for_work = True
        while open_for_work:
            pieces, open_for_work = self._gathered()
            if pieces:
                self._loop.call_soon_threadsafe(tell, deque(self.carried_out(pieces)))
                if len(pieces) > 1:
                    self._pause.wait(GATHERING)

    def carried_out(self, pieces: list[Piece[Any]]) -> list[Outcome]:
        """Run pieces in one transaction; return calls that hand over their results or errors."""
        outcomes = self._transact(pieces)
        self._erase(pieces)
        return outcomes

    def _erase(self, pieces: list[Piece[Any]]) -> None:
        erasing = [piece for piece in pieces if piece.erasing is not None]
        if not erasing and self._erased:
            return
        wanted = {*chain(*(piece.erasing or () for piece in erasing))}
        try:
            erased = self._erased = self._backend.erase(self._engine, wanted)
        except Exception as error:  # noqa: BLE001 - as on a disk without room for a copy
            log.warning("deleted rows may be left on the disk error=%s", _line(error))
            erased, self._erased = False, True
        for piece in erasing:
            piece.erased = erased

    def _gathered(self) -> tuple[list[Piece[Any]], bool]:
        """Wait for a piece, take all that are there, and return them and whether to go on."""
        pieces: list[Piece[Any]] = []
        most = self._backend.together
        while not pieces or (len(pieces) < most and not self._pieces.empty()):
            piece = self._pieces.get()
            if piece is None:
                return pieces, False
            pieces.append(piece)
        return pieces, True

    def _transact(self, pieces: list[Piece[Any]]) -> list[Outcome]:
        try:
            results = self._committed(pieces)
        except Exception as error:  # noqa: BLE001 - the caller of each piece gets it
            if len(pieces) == 1:
                return [partial(pieces[0].waiting.set_exception, error)]
            return [outcome for piece in pieces for outcome in self._transact([piece])]
        told = zip(pieces, results, strict=True)
        return [partial(piece.waiting.set_result, result) for piece, result in told]

    def _committed(self, pieces: list[Piece[Any]]) -> list[Any]:
        """The results of pieces in one transaction, tried again while the database is away.

        While it is away, a piece that has waited too long is not tried at all: a try may take
        seconds, which everything behind it would wait as well. A disk that is full is not tried
        again, since reading goes on meanwhile.
        """
        reading = all(piece.reading for piece in pieces)
        engine = self._snapshots if reading else self._engine
        if self._away.is_set() and monotonic() > pieces[0].until + PAUSE:
            raise Unavailable
        while True:
            try:
                with engine.begin() as connection:
                    results = [piece.work(connection) for piece in pieces]
            except Exception as error:
                again = self._backend.passes(error)
                if not again and not self._is_away(error):
                    raise
                if not self._away.is_set():
                    self._away.set()
                    log.warning("database unavailable error=%s", _line(error))
                if not again or monotonic() > pieces[0].until:
                    raise Unavailable from error
                self._pause.wait(PAUSE)
            else:
                if self._away.is_set():
                    self._away.clear()
                    log.info("database available again")
                return results

    def _is_away(self, error: Exception) -> bool:
        """Whether an error means that the database takes nothing for now, as on a full disk."""
        if not isinstance(error, DatabaseError):
            return False
        return isinstance(self._backend.explained(error), StorageAway)


def _line(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).strip().partition("\n")[0]


def _retrieve(done: asyncio.Future[Any]) -> None:
    """Retrieve the error, if there is one; asyncio logs an error that nobody retrieves."""
    if not done.cancelled():
        done.exception()


def tell(outcomes: deque[Outcome]) -> None:
    """Hand over one result now, and the others in later iterations of the event loop.

    So the answer to one press is sent before the next press of the same transaction is drawn.
    """
    outcomes.popleft()()
    if outcomes:
        asyncio.get_running_loop().call_soon(tell, outcomes)


@lru_cache(maxsize=128)
def _numbers(
    table: Table,
    conditions: Sequence[ColumnElement[bool]],
    order: ColumnElement[Any],
    unreadable: Sequence[int],
) -> Select[Any]:
    """The query of a table's ids that meet all conditions, without `unreadable` ones."""
    query = select(table.c.id).where(*conditions).order_by(order)
    return query.where(table.c.id.not_in(unreadable)) if unreadable else query
