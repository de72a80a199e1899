"""Searches for the computers' moves, at workers that are processes, and the queue for them.

An agent ends its own search at the deadline. If its worker is lost (it died, hung, or seemed late
because the machine's clock was set), a second one is asked. If that is lost too, or a search
overruns or fails, the computer plays a random legal move: a weak move beats a stuck game. While
Parlour shuts down no random moves are played: the computer takes its turn after the next start.

As many searches run at once as there are processes. A free slot first takes searches owed from
before, such as those of a process that was killed. Then hosts of games take turns: the one whose
last search began longest ago is next, so with n hosts waiting, each is served within n searches.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from itertools import count
from random import Random
from typing import Final, TypeAlias, TypeVar

from pebble import ProcessExpired

from bot.games.catalogue import CATALOGUE
from bot.games.entry import Strength
from bot.service.ports import Meter, Occurrence, Size, Span, Thinker, Workers
from bot.service.search_processes import Question, think
from bot.table.refusals import Refusal
from bot.table.seats import Absent, Computer, Level, PersonId
from bot.table.session import Phase, Session
from engine.game import Move
from engine.search.agent import UNLIMITED

Turn: TypeAlias = asyncio.Future[None]

MOST_WAITING: Final = 6
"""The most searches of one host's games that may wait; then their games take no moves."""


class FairSlots:
    """Slots for work that takes long, for which people take turns.

    `measure` is told how much waits.
    """

    def __init__(self, slots: int, measure: Callable[[int], None] = lambda _: None) -> None:
        self._free = slots
        self._measured = measure
        self._owed: deque[Turn] = deque()
        self._waiting: dict[PersonId, deque[Turn]] = {}
        self._last: dict[PersonId, int] = {}
        self._begun = count(1)

    def waiting(self, person: PersonId) -> int:
        """How much waits of one person."""
        return len(self._waiting.get(person, ()))

    @asynccontextmanager
    async def slot(self, person: PersonId | None) -> AsyncIterator[None]:
        """A slot once it is the person's turn; without a person, before all of theirs."""
        if self._free:
            self._free -= 1
            self._serve(person)
        else:
            await self._turn(
                self._owed if person is None else self._waiting.setdefault(person, deque())
            )
        try:
            yield
        finally:
            self._pass_on()

    async def _turn(self, waiting: deque[Turn]) -> None:
        turn: Turn = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        self._measure()
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the slot was given already
                self._pass_on()
            raise

    def _serve(self, person: PersonId | None) -> None:
        if person is not None:
            self._last[person] = next(self._begun)

    def _pass_on(self) -> None:
        """Give a free slot to the next turn."""
        while self._owed or self._waiting:
            person, turn = self._next()
            if not turn.done():
                self._serve(person)
                turn.set_result(None)
                self._measure()
                return
        self._last.clear()
        self._free += 1
        self._measure()

    def _next(self) -> tuple[PersonId | None, Turn]:
        if self._owed:
            return None, self._owed.popleft()
        person = min(self._waiting, key=lambda each: self._last.get(each, 0))
        turns = self._waiting[person]
        turn = turns.popleft()
        if not turns:
            del self._waiting[person]
        return person, turn

    def _measure(self) -> None:
        self._measured(len(self._owed) + sum(map(len, self._waiting.values())))


class SearchQueue:
    """A thinker that asks another one for at most `slots` moves at once; hosts take turns."""

    def __init__(self, thinker: Thinker, slots: int, meter: Meter | None = None) -> None:
        self._thinker = thinker
        self._meter = meter
        self._slots = FairSlots(slots, self._measure)

    def admit(self, session: Session) -> None:
        """Check whether a change may be made after which a computer may have to search.

        Raises:
            Refusal: The game's host has too many searches waiting.
        """
        computers = any(isinstance(seat, Computer | Absent) for seat in session.seats)
        if session.phase is not Phase.RUNNING or not computers:
            return
        if self._slots.waiting(session.host) >= MOST_WAITING:
            raise Refusal("searches_waiting")

    def quick(self, session: Session) -> Move | None:
        """The other thinker's quick move."""
        return self._thinker.quick(session)

    async def move(self, session: Session, *, owed: bool = False) -> Move:
        """The other thinker's move, when its turn comes."""
        begun = time.monotonic()
        async with self._slots.slot(None if owed else session.host):
            move = await self._thinker.move(session)
        if self._meter is not None:
            self._meter.took(Span.SEARCH, time.monotonic() - begun)
        return move

    def _measure(self, waiting: int) -> None:
        if self._meter is not None:
            self._meter.set(Size.SEARCHES_WAITING, waiting)


log = logging.getLogger(__name__)
T = TypeVar("T")

GRACE_SECONDS: Final = 5.0
"""Seconds by which a search may overrun its deadline before its worker is ended."""

TIMES_ASKED: Final = 2


class SearchPool:
    """A thinker whose workers search the computers' moves."""

    def __init__(self, workers: Workers, rng: Random, meter: Meter | None = None) -> None:
        self._workers = workers
        self._rng = rng
        self._meter = meter
        self._ending = False

    async def move(self, session: Session) -> Move:
        """The computer's move; a random legal one if the search was lost, overran or failed."""
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
        """The result of `work(*about)` by a worker, or by a second one if the first is lost.

        Raises:
            ProcessExpired, BrokenProcessPool, MemoryError: The second one was lost too.
            TimeoutError: It took longer than `seconds` and `GRACE_SECONDS`.
            CancelledError: A worker was lost after `end`.
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
        """The move of an agent that needs no worker; None for other agents."""
        strength = _strength(session)
        if not strength.inline(session.position):
            return None
        return strength.agent(self._rng).think(session.position, UNLIMITED).move

    def end(self) -> None:
        """From now on, cancel lost searches instead of playing random moves."""
        self._ending = True

    def close(self) -> None:
        """End all searches at once."""
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
