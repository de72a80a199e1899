"""Searches for the computers' moves, at workers that are processes, with a deadline and a watchdog.

An agent ends its own search at the deadline. A question whose worker died, stopped, or was taken
for late since the machine's clock had been set goes to another once more; after that, and should a
search overrun or fail, the computer plays a random legal move: a weak move beats a stuck game.
While Parlour ends there are no such moves: the computer makes its turn after the next start.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from random import Random
from typing import Final, TypeVar

from pebble import ProcessExpired

from bot.games.catalogue import CATALOGUE
from bot.games.entry import Strength
from bot.service.ports import Meter, Occurrence, Workers
from bot.service.searches import Question, think
from bot.table.seats import Absent, Computer, Level
from bot.table.session import Session
from engine.game import Move
from engine.search.agent import UNLIMITED

log = logging.getLogger(__name__)
T = TypeVar("T")

GRACE_SECONDS: Final = 5.0
"""The seconds by which a search may overrun its deadline before its worker is given up."""

TIMES_ASKED: Final = 2


class SearchPool:
    """The computers' moves, thought by workers."""

    def __init__(self, workers: Workers, rng: Random, meter: Meter | None = None) -> None:
        self._workers = workers
        self._rng = rng
        self._meter = meter
        self._ending = False

    async def move(self, session: Session) -> Move:
        """A legal move for the computer, at random where the search is lost, late or failed."""
        question = _question(session, seed=self._rng.getrandbits(64))
        try:
            return await self.ask(think, question, seconds=_strength(session).seconds)
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
        """Have a worker do a piece of work within a time, and another once if it is lost.

        Raises:
            ProcessExpired, BrokenProcessPool, MemoryError: That one was lost too.
            TimeoutError: It took longer.
        """
        for again in reversed(range(TIMES_ASKED)):
            try:
                return await self._workers.answer(work, about, seconds + GRACE_SECONDS)
            except (ProcessExpired, BrokenProcessPool, MemoryError):
                if self._ending:
                    raise asyncio.CancelledError from None
                if not again:
                    raise
        raise AssertionError("the last answer is given or raised")

    def quick(self, session: Session) -> Move | None:
        """A move at once of an agent that needs no worker; None for the others."""
        strength = _strength(session)
        if not strength.inline(session.position):
            return None
        return strength.agent(self._rng).think(session.position, UNLIMITED).move

    def end(self) -> None:
        """Have lost searches lead to no move from now on."""
        self._ending = True

    def close(self) -> None:
        """End every search at once."""
        self.end()
        self._workers.close()


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
