"""Searches, and the processes of this machine that carry them out.

A watchdog replaces a process that dies or overruns. As measured, eight searches in threads block
the event loop for 330 ms, in processes for 6 ms. This module imports no database, so that a process
starts in a quarter of the time.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext
from multiprocessing.synchronize import RLock
from random import Random
from typing import Final, TypeAlias, TypeVar

from pebble import ProcessPool

from bot.games.catalogue import CATALOGUE
from bot.table.seats import Level
from engine.game import Move, Options
from engine.search.agent import Budget

T = TypeVar("T")

Asked: TypeAlias = Callable[[str, int, Options, Sequence[Move], Budget], T]
"""A function of `engine.review` that answers a question about a game."""

SECONDS: Final = 8.0
"""Seconds for one answer; if a game takes longer, only its last plies are explained."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a worker: a game up to now, and the level of the computer to move."""

    game: str
    level: Level
    seats: int
    options: Options
    moves: tuple[Move, ...]
    seed: int


def think(question: Question) -> Move:
    """The computer's move."""
    entry = CATALOGUE[question.game]
    strength = entry.levels[question.level]
    position = entry.game.replay(question.seats, question.options, question.moves)
    budget = Budget.within(strength.seconds, time.monotonic)
    return strength.agent(Random(question.seed)).think(position, budget).move


def explain(asked: Asked[T], game: str, seats: int, options: Options, moves: tuple[Move, ...]) -> T:
    """The answer of a function of `engine.review`."""
    budget = Budget.within(SECONDS, time.monotonic)
    return asked(game, seats, options, moves, budget)


log = logging.getLogger(__name__)


STARTING_SECONDS: Final = 30.0
"""Seconds in which a process must start a search, or else the whole pool is replaced."""

LOOKS_EVERY: Final = 0.25
"""Seconds between two checks whether the pool has broken."""


class SearchProcesses:
    """Processes of this machine; with a higher `niceness` they yield more to other processes."""

    def __init__(self, count: int, niceness: int = 0) -> None:
        self._count = count
        self._niceness = niceness
        self._closed = False
        self._pool = _pool(count, niceness)
        self._retiring: set[asyncio.Future[None]] = set()

    async def answer(self, work: Callable[..., T], about: tuple[object, ...], allowed: float) -> T:
        """The result of `work(*about)`; see `Workers.answer`.

        If the pool reports a timeout too early, as the machine's clock was set, it counts as lost.
        """
        pool, begun = self._working_pool(), time.monotonic()
        try:
            future: Future[T] = pool.schedule(work, about, timeout=allowed)
        except RuntimeError as error:  # it has broken since
            raise BrokenProcessPool from error
        watchdog = asyncio.timeout(STARTING_SECONDS + allowed)
        try:
            async with watchdog:
                return await _answer_of(pool, future)
        except TimeoutError as error:
            if watchdog.expired():
                self._retire(pool)
                raise BrokenProcessPool("no process has begun") from error
            if time.monotonic() - begun < allowed:
                raise BrokenProcessPool("the clock of the machine was set") from error
            raise

    def close(self) -> None:
        """End the processes at once."""
        self._closed = True
        _end(self._pool)

    def _working_pool(self) -> ProcessPool:
        if not self._pool.active:
            self._retire(self._pool)
        return self._pool

    def _retire(self, pool: ProcessPool) -> None:
        """Replace a broken pool by a new one, and end the old processes in the background."""
        if pool is not self._pool or self._closed:
            return
        log.warning("search pool replaced")
        self._pool = _pool(self._count, self._niceness)
        ended = asyncio.get_running_loop().run_in_executor(None, _end, pool)
        self._retiring.add(ended)
        ended.add_done_callback(self._retiring.discard)


async def _answer_of(pool: ProcessPool, future: Future[T]) -> T:
    """The result of a future of a pool.

    When a pool breaks, Pebble fails all its futures except ones scheduled at the same moment; so
    the pool is checked while waiting.

    Raises:
        BrokenProcessPool: The pool has broken.
    """
    answer = asyncio.wrap_future(future)
    try:
        while not (await asyncio.wait({answer}, timeout=LOOKS_EVERY))[0]:
            if not pool.active:
                raise BrokenProcessPool("it broke as it was asked")
        return answer.result()
    finally:
        answer.cancel()


def _end(pool: ProcessPool) -> None:
    pool.stop()
    pool.join()


class _Starting(SpawnContext):
    """A context that starts processes, and keeps their locks alive as long as the pool.

    Pebble drops the locks before it ends its processes; a process just starting would not find
    them, and print a traceback.
    """

    def __init__(self) -> None:
        super().__init__()
        self._locks: list[RLock] = []

    def RLock(self) -> RLock:  # noqa: N802 - multiprocessing's name
        self._locks.append(lock := super().RLock())
        return lock


def _pool(count: int, niceness: int) -> ProcessPool:
    pool = ProcessPool(
        max_workers=count,
        context=_Starting(),
        initializer=_begin,
        initargs=[niceness],
    )
    with _interrupts_left_to_the_parent():
        pool.schedule(os.getpid)  # starts the pool now, so that nobody waits for it later
    return pool


def _begin(niceness: int) -> None:
    """Lower this process's priority, and have SIGTERM end it at once.

    A Python handler would be gone while the process exits, and a signal then print an error.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if niceness and hasattr(os, "nice"):
        with suppress(PermissionError):  # such as in a service that may not change priorities
            os.nice(niceness)


@contextmanager
def _interrupts_left_to_the_parent() -> Iterator[None]:
    """Block Ctrl-C for threads started in the block, and for the processes that they start.

    A terminal sends SIGINT to every process, but these are ended with the pool.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # started first, since its start unblocks SIGINT
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
