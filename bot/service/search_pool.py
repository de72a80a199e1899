"""Where computers think: in processes of their own, under a deadline, with a watchdog.

Eight searches in threads were measured to hold the event loop up for 330 ms, in processes for 6.
An agent ends its own search at the deadline. Should it not, or should its process die, the pool
replaces the process. What a process or a pool was asked that died, stopped, or was taken for late
since the machine's clock had been set, another is asked once more; after that, and should a search
overrun or fail, the computer plays a random legal move: a weak move beats a stuck game. While
Parlour ends there are no such moves: the computer makes its turn after the next start.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from random import Random
from typing import Final, TypeVar

from pebble import ProcessExpired, ProcessPool

from bot.games.catalogue import CATALOGUE
from bot.games.entry import Strength
from bot.service.meter import Meter, Occurrence
from bot.table.seats import Absent, Computer, Level
from bot.table.session import Session
from engine.game import Move, Options
from engine.search.budget import UNLIMITED, Budget

log = logging.getLogger(__name__)
T = TypeVar("T")

GRACE_SECONDS: Final = 5.0
"""How long a search may overrun its deadline before its process is ended."""

STARTING_SECONDS: Final = 30.0
"""How long a process may take to begin a search before the whole pool is replaced."""

TIMES_ASKED: Final = 2


@dataclass(frozen=True, slots=True)
class Question:
    """What a process is asked: a game up to now, and the level that is to move."""

    game: str
    level: Level
    seats: int
    options: Options
    moves: tuple[Move, ...]
    seed: int


class SearchPool:
    """A pool of `workers` processes that choose the computers' moves.

    The higher their `niceness`, the more they give way to other processes of the machine.
    """

    def __init__(
        self, workers: int, rng: Random, meter: Meter | None = None, *, niceness: int = 0
    ) -> None:
        self._rng = rng
        self._meter = meter
        self._workers = workers
        self._niceness = niceness
        self._ending = False
        self._pool = _pool(workers, niceness)
        self._retiring: set[asyncio.Future[None]] = set()

    async def move(self, session: Session) -> Move:
        """See `bot.service.ports.Thinker`."""
        question = _question(session, seed=self._rng.getrandbits(64))
        try:
            return await self.ask(_think, question, seconds=_strength(session).seconds)
        except (ProcessExpired, BrokenProcessPool, MemoryError) as error:
            self._lost("process gone")
            log.info("search lost game=%s level=%s %r", question.game, question.level, error)
        except TimeoutError:
            self._lost("late")
            log.warning("search overrun game=%s level=%s", question.game, question.level)
        except Exception:
            self._lost("failed")
            log.exception("search failed game=%s level=%s", question.game, question.level)
        log.warning("search given up game=%s level=%s", question.game, question.level)
        legal: Sequence[Move] = session.position.moves()
        return self._rng.choice(legal)

    def _lost(self, why: str) -> None:
        if self._meter is not None:
            self._meter.count(Occurrence.SEARCHES_LOST, why)

    async def ask(self, work: Callable[..., T], *about: object, seconds: float) -> T:
        """What a process makes of something in so many seconds; if it is lost, another is asked.

        Raises:
            ProcessExpired, BrokenProcessPool, MemoryError: That one was lost too.
            TimeoutError: It took longer.
        """
        allowed = seconds + GRACE_SECONDS
        for again in reversed(range(TIMES_ASKED)):
            try:
                return await self._answer(work, about, allowed)
            except (ProcessExpired, BrokenProcessPool, MemoryError):
                if self._ending:
                    raise asyncio.CancelledError from None
                if not again:
                    raise
        raise AssertionError("the last answer is given or raised")

    async def _answer(self, work: Callable[..., T], about: tuple[object, ...], allowed: float) -> T:
        """The answer of a process that has so many seconds for it.

        Raises:
            ProcessExpired, BrokenProcessPool, MemoryError: Another process may have one.
            TimeoutError: It took longer.
        """
        pool, begun = self._working_pool(), time.monotonic()
        try:
            future: Future[T] = pool.schedule(work, about, timeout=allowed)
        except RuntimeError as error:  # it has broken since
            raise BrokenProcessPool from error
        watchdog = asyncio.timeout(STARTING_SECONDS + allowed)
        try:
            async with watchdog:
                return await asyncio.wrap_future(future)
        except TimeoutError as error:
            if watchdog.expired():
                self._retire(pool)
                raise BrokenProcessPool("no process has begun") from error
            if time.monotonic() - begun < allowed:
                raise BrokenProcessPool("the clock of the machine was set") from error
            raise

    def quick(self, session: Session) -> Move | None:
        """See `bot.service.ports.Thinker`."""
        strength = _strength(session)
        if not strength.inline:
            return None
        return strength.agent(self._rng).think(session.position, UNLIMITED).move

    def end(self) -> None:
        """From now on a search that is lost leads to no move."""
        self._ending = True

    def close(self) -> None:
        """Ends every search at once, and with it the wait for each."""
        self.end()
        _end(self._pool)

    def _working_pool(self) -> ProcessPool:
        """The pool, or another if it cannot replace its processes any more."""
        if not self._pool.active and not self._ending:
            self._retire(self._pool)
        return self._pool

    def _retire(self, pool: ProcessPool) -> None:
        """Puts a new pool in the place of one, whose processes end meanwhile."""
        if pool is not self._pool or self._ending:
            return
        log.warning("search pool replaced")
        self._pool = _pool(self._workers, self._niceness)
        ended = asyncio.get_running_loop().run_in_executor(None, _end, pool)
        self._retiring.add(ended)
        ended.add_done_callback(self._retiring.discard)


def _end(pool: ProcessPool) -> None:
    pool.stop()
    pool.join()


def _pool(workers: int, niceness: int) -> ProcessPool:
    pool = ProcessPool(
        max_workers=workers,
        context=multiprocessing.get_context("spawn"),
        initializer=_give_way,
        initargs=[niceness],
    )
    with _interrupts_left_to_the_parent():
        pool.schedule(os.getpid)  # starts the pool now, so that nobody waits for it later
    return pool


def _give_way(niceness: int) -> None:
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)


def _question(session: Session, seed: int) -> Question:
    return Question(
        game=session.game.key,
        level=_level(session),
        seats=len(session.seats),
        options=dict(session.options),
        moves=session.moves,
        seed=seed,
    )


def _level(session: Session) -> Level:
    mover = session.mover
    assert isinstance(mover, Computer | Absent), "a computer is to move"
    return mover.level


def _strength(session: Session) -> Strength:
    return CATALOGUE[session.game.key].levels[_level(session)]


def _think(question: Question) -> Move:
    entry = CATALOGUE[question.game]
    strength = entry.levels[question.level]
    position = entry.game.replay(question.seats, question.options, question.moves)
    budget = Budget.within(strength.seconds, time.monotonic)
    return strength.agent(Random(question.seed)).think(position, budget).move


@contextmanager
def _interrupts_left_to_the_parent() -> Iterator[None]:
    """Threads started meanwhile, and the processes that these start, never see a Ctrl-C.

    A terminal sends it to every process; ours end with the pool.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which lets interrupts through again when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
