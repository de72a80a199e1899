"""What has threads and processes elsewhere, carried out by the loop: the database, and searches."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar
from unittest.mock import patch

from pebble import ProcessExpired
from sqlalchemy import Connection, event
from sqlalchemy.exc import OperationalError

from bot.storage.database import Backend, Database, Piece, tell
from tests.simulation.loop import Pace
from tests.simulation.seeded import TickingClock

T = TypeVar("T")

TICK = 0.02
"""Seconds of a search's budget between two looks at its clock."""


def full() -> OperationalError:
    """The error of a disk that is full, as SQLite raises it."""
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return OperationalError("COMMIT", None, error)


class Disk:
    """What a machine's disk does to the transactions of its database."""

    def __init__(
        self,
        pace: Pace,
        now: Callable[[], float],
        note: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.pace = pace
        self.now = now
        """The time of its database, in seconds since 1970."""
        self.note = note
        self.full = False
        self.slow = 0.0
        """Seconds that each transaction takes besides."""

    def database(self, backend: Backend, timed: Callable[[float], None]) -> LoopDatabase:
        """A database on this disk."""
        return LoopDatabase(backend, timed, self)


class LoopDatabase(Database):
    """A database whose work the loop carries out, each transaction at a later moment.

    What has come meanwhile shares it, as with the thread.
    """

    def __init__(self, backend: Backend, timed: Callable[[float], None], disk: Disk) -> None:
        self._disk = disk
        self._queue: deque[Piece[Any]] = deque()
        self._at_work = False
        self._idle: asyncio.Future[None] | None = None
        super().__init__(backend, timed)
        event.listen(self._engine, "connect", self._set_clock)
        event.listen(self._engine, "begin", self._check_room)

    async def _finish(self) -> None:
        if self._at_work:
            self._idle = self._loop.create_future()
            await self._idle

    def killed(self) -> None:
        """Leave the file as a process does that is killed between two transactions."""
        self._engine.dispose()

    def _begin(self) -> None:
        """Begin no thread."""

    def _set_clock(self, connection: sqlite3.Connection, _: object) -> None:
        """Let the database's own time be the virtual one."""
        connection.create_function("julianday", 1, lambda _: 2440587.5 + self._disk.now() / 86400)

    def _check_room(self, _: Connection) -> None:
        if self._disk.full:
            raise full()

    def _take(self, piece: Piece[Any]) -> None:
        self._queue.append(piece)
        if not self._at_work:
            self._at_work = True
            self._later(self._work_off)

    def _later(self, step: Callable[..., None], *args: Any) -> None:
        self._loop.call_later(self._disk.pace.commit() + self._disk.slow, step, *args)

    def _work_off(self) -> None:
        most = min(len(self._queue), self._backend.together)
        pieces = [self._queue.popleft() for _ in range(most)]
        outcomes = self.carried_out(pieces)
        happened = "disk full" if self._disk.full else "commit"
        self._disk.note(f"{happened} pieces={len(pieces)}")
        self._later(self._told, deque(outcomes))

    def _told(self, outcomes: Any) -> None:
        tell(outcomes)
        self._next()

    def _next(self) -> None:
        self._at_work = bool(self._queue)
        if self._at_work:
            self._later(self._work_off)
        elif self._idle is not None and not self._idle.done():
            self._idle.set_result(None)


def _think(thought: asyncio.Future[None]) -> None:
    if not thought.done():
        thought.set_result(None)


class LoopProcesses:
    """Processes that think, as far as the bot can tell: the loop thinks, and answers later.

    What takes longer than allowed is given up, and now and then one of them dies over its work.
    """

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._thinking: dict[asyncio.Future[None], None] = {}
        self._closed = False

    def __call__(self, count: int, niceness: int = 0, /) -> LoopProcesses:
        """Processes of their own."""
        del count, niceness
        return LoopProcesses(self._pace)

    async def answer(self, work: Callable[..., T], about: tuple[object, ...], allowed: float) -> T:
        """The result of work, after a while.

        Raises:
            TimeoutError: It takes longer than `allowed`.
            ProcessExpired: The process dies over it.
            BrokenProcessPool: They are closed.
        """
        if self._closed:
            raise BrokenProcessPool("closed")
        takes = self._pace.search()
        loop = asyncio.get_running_loop()
        thought = loop.create_future()
        self._thinking[thought] = None
        timer = loop.call_later(min(takes, allowed), _think, thought)
        try:
            await thought
        finally:
            timer.cancel()
            del self._thinking[thought]
        if takes > allowed:
            raise TimeoutError
        if self._pace.dies():
            raise ProcessExpired("killed")
        with patch.object(time, "monotonic", TickingClock(TICK)):  # else a search has no end
            return work(*about)

    def close(self) -> None:
        """Cancel all that they think about."""
        self._closed = True
        for thought in self._thinking:
            thought.cancel()
