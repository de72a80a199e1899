"""The queue of searches for computers' moves: by turns among the people who opened the games.

As many searches run at once as there are processes. A free one goes to a turn that is owed since
before, as by a process that was killed; then to the person whose last search began longest ago, so
each waiting person is next within as many searches as there are people.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Final, TypeAlias

from bot.service.ports import Meter, Size, Span, Thinker
from bot.table.refusals import Refusal
from bot.table.seats import Absent, Computer, PersonId
from bot.table.session import Phase, Session
from engine.game import Move

Turn: TypeAlias = asyncio.Future[None]

MOST_WAITING: Final = 6
"""The most waiting searches of a person's games before one more move is refused."""


class SearchQueue:
    """A thinker that asks another for at most `slots` moves at once, each person in turn."""

    def __init__(self, thinker: Thinker, slots: int, meter: Meter | None = None) -> None:
        self._thinker = thinker
        self._free = slots
        self._meter = meter
        self._owed: deque[Turn] = deque()
        self._waiting: dict[PersonId, deque[Turn]] = {}
        self._last: dict[PersonId, int] = {}
        self._begun = count(1)

    def admit(self, session: Session) -> None:
        """Let a change through after which a computer may have to search.

        Raises:
            Refusal: The person who opened the game has too many.
        """
        computers = any(isinstance(seat, Computer | Absent) for seat in session.seats)
        if session.phase is not Phase.RUNNING or not computers:
            return
        if len(self._waiting.get(session.host, ())) >= MOST_WAITING:
            raise Refusal("searches_waiting")

    def quick(self, session: Session) -> Move | None:
        """The other thinker's quick move."""
        return self._thinker.quick(session)

    async def move(self, session: Session, *, owed: bool = False) -> Move:
        """The other thinker's move, when its turn comes."""
        begun = time.monotonic()
        async with self._slot(session.host, owed=owed):
            move = await self._thinker.move(session)
        if self._meter is not None:
            self._meter.took(Span.SEARCH, time.monotonic() - begun)
        return move

    @asynccontextmanager
    async def _slot(self, person: PersonId, *, owed: bool) -> AsyncIterator[None]:
        if self._free:
            self._free -= 1
            self._last[person] = next(self._begun)
        else:
            await self._turn(self._owed if owed else self._waiting.setdefault(person, deque()))
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
            if not turn.cancelled():  # it had come already
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Give a free slot to the next turn."""
        while self._owed:
            turn = self._owed.popleft()
            if not turn.done():
                turn.set_result(None)
                self._measure()
                return
        while self._waiting:
            person = min(self._waiting, key=lambda each: self._last.get(each, 0))
            turns = self._waiting[person]
            turn = turns.popleft()
            if not turns:
                del self._waiting[person]
            if not turn.done():
                self._last[person] = next(self._begun)
                turn.set_result(None)
                self._measure()
                return
        self._last.clear()
        self._free += 1
        self._measure()

    def _measure(self) -> None:
        if self._meter is not None:
            waiting = len(self._owed) + sum(map(len, self._waiting.values()))
            self._meter.set(Size.SEARCHES_WAITING, waiting)
