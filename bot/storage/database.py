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

from bot.storage.errors import FileGone, StorageError, Unavailable, Unreadable
from bot.storage.reading import Reader, UnreadableRows
from bot.storage.shards import WHOLE, Share

log = logging.getLogger(__name__)

PATIENCE: Final = 1.5
"""Seconds for which work is tried again while the database is away; a press waits for it."""

PAUSE: Final = 0.1
"""Seconds between two tries."""

GATHERING: Final = 0.004
"""Seconds for which work gathers after a transaction that several pieces shared.

Ten moves cost the disk hardly more than one; and while this thread works, presses wait for it.
"""

T = TypeVar("T")
Outcome: TypeAlias = Callable[[], None]
NewDatabase: TypeAlias = "Callable[[Backend, Callable[[float], None]], Database]"


class Backend(Protocol):
    """A kind of database at a URL; its text names it in sentences, without a password."""

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
        """The same engine for work that only reads: each sees all rows at one moment."""

    def reading_engine(self) -> Engine:
        """An engine for reading: it sees the database at one moment while others write."""

    def sole_user(self, share: Share = WHOLE, schema: str = "", /) -> AbstractContextManager[None]:
        """Keep other instances of Parlour off this one's shards; `StorageError` if one has them.

        Those of other shares have to have the same `schema`.
        """

    def passes(self, error: Exception, /) -> bool:
        """Whether an error goes away by itself."""

    def erase(self, engine: Engine, wanted: Collection[bytes], /) -> bool:
        """Remove these bytes from the disk; return False while a reader blocks it.

        What was left over from before goes with them. Any error leaves them there for now.
        """

    def explained(self, error: DatabaseError, /) -> StorageError:
        """An error as a sentence for the owner."""


class OpenedFile:
    """The file at a path when it was first opened.

    SQLite goes on writing to a file that was deleted or replaced since; nothing of that is left
    when it is closed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._identity: tuple[int, int] | None = None

    def note(self, *_: object) -> None:
        """Take the present file for the one to write to, unless there was one before."""
        self._identity = self._identity or self._found()

    def forget(self, *_: object) -> None:
        """Take the file for closed."""
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
    """A piece of work, the future of its result, and the time to give up.

    `erasing` are bytes to erase from the disk, and `erased` is whether that is done. Work that is
    `reading` writes nothing.
    """

    work: Callable[[Connection], T]
    waiting: asyncio.Future[T]
    erasing: Collection[bytes] | None
    until: float
    reading: bool = False
    erased: bool = False

    def succeeded(self, result: T) -> None:
        """Hand over the result of the work, unless it was cancelled."""
        if not self.waiting.done():
            self.waiting.set_result(result)

    def failed(self, error: Exception) -> None:
        """Hand over the error of the work, or of its commit."""
        if not self.waiting.done():
            self.waiting.set_exception(error)


class Database:
    """A database that carries out pieces of work, each of them whole or not at all.

    On SQLite one thread does it, in their order: the work that has come meanwhile shares a
    transaction, and no result is handed over before its commit is on the disk. Should one piece
    fail, nothing of the transaction is kept and each is carried out again in one of its own; so a
    piece of work touches its connection alone. On PostgreSQL several threads do it, each piece in a
    transaction of its own. Work that a lost connection breaks off is carried out again, perhaps
    although its commit has arrived: so it has to notice what it did before.
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
        self._erased = False  # a crash may have come before it
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
        """The result of `work`, once it is on the disk.

        Work that is `reading` alone sees all rows as they are at one moment.

        Work goes on even if its caller is cancelled. Bytes that it is `erasing` are removed from
        the disk as far as the database can; while a reader blocks that, soon after.

        Raises:
            Unavailable: The database is away for longer than a press may wait.
            Unreadable: The work is about one row, which this version cannot read.
        """
        return await self._result(self._piece(work, erasing, reading=reading))

    async def erase(self, traces: Collection[bytes]) -> bool:
        """Remove bytes from the disk as `run` does; return whether they are gone.

        They are not while a reader blocks it, or if the disk has no room for a copy.

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
        self._take(piece)
        try:
            return await piece.waiting
        except Unreadable as error:
            self.unreadable.note(error)
            raise
        finally:
            self._timed(monotonic() - begun)

    async def read(self, work: Callable[[Reader], T], *, reading: bool = True) -> T:
        """The result of work that reads rows apart from each other, as in `run`."""

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
        """The ids of a table's rows for which some conditions hold, as far as they can be read.

        Conditions are constants, whose query is made once; they take their `values` by name.
        """
        query = _numbers(table, conditions, order, self.unreadable.numbers(table))
        return await self.run(lambda c: c.execute(query, values).scalars().all())

    async def close(self) -> None:
        """End after the work under way."""
        for _ in self._threads:
            self._pieces.put(None)
        for _ in self._threads:
            await self._ended.acquire()
        for thread in self._threads:
            thread.join()
        self._engine.dispose()

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
        """The outcomes of pieces that share a transaction, once it is on the disk."""
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
        """The next pieces, waiting for the first, and whether more may follow."""
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
        except Exception as error:  # noqa: BLE001 - who waits is told, whatever it is
            if len(pieces) == 1:
                return [partial(pieces[0].failed, error)]
            return [outcome for piece in pieces for outcome in self._transact([piece])]
        return [
            partial(piece.succeeded, result) for piece, result in zip(pieces, results, strict=True)
        ]

    def _committed(self, pieces: list[Piece[Any]]) -> list[Any]:
        """The results of pieces in one transaction, tried again while the database is away.

        What has waited too long for its turn then is not tried: a try may last for seconds, and so
        would the wait of all behind it.
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
                if not self._backend.passes(error):
                    raise
                if not self._away.is_set():
                    self._away.set()
                    log.warning("database unavailable error=%s", _line(error))
                if monotonic() > pieces[0].until:
                    raise Unavailable from error
                self._pause.wait(PAUSE)
            else:
                if self._away.is_set():
                    self._away.clear()
                    log.info("database available again")
                return results


def _line(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).strip().partition("\n")[0]


def tell(outcomes: deque[Outcome]) -> None:
    """Hand over one result, and the next when the loop comes round again.

    So each press is on its way to Discord before the next of the same transaction is drawn.
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
    """The query of a table's ids where conditions hold, without those of the unreadable rows."""
    query = select(table.c.id).where(*conditions).order_by(order)
    return query.where(table.c.id.not_in(unreadable)) if unreadable else query
