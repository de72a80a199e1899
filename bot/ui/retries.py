"""Requests that are tried again while Discord has trouble, after growing, uneven pauses.

discord.py waits 1, 3, 5, 7 and 9 s between tries of its own, after some errors and not after
others. A request that is tried again here fails at once for it, and its pauses are chosen here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Final, TypeVar

import discord

from bot.backoff import Backoff
from bot.clock import Clock
from bot.service.ports import Unreachable
from bot.ui.errors import UNDELIVERED, unavailable

log = logging.getLogger(__name__)

T = TypeVar("T")

TRIED_TOGETHER: Final = 8
"""The most requests that are tried again at once, so that few of them meet an outage."""

TRIED_FOR: Final = 2.0
"""Seconds for which a message is tried again that can wait for another round."""

TEN_MINUTES: Final = 600.0
"""Seconds for which a request is tried again that nobody waits for."""

FAILING_AT_ONCE: Final[ContextVar[bool]] = ContextVar("failing at once", default=False)
"""Whether the request that is being sent does without discord.py's own tries."""


class LoopClock:
    """The event loop's clock, which goes on steadily whatever the machine's is set to."""

    def now(self) -> datetime:
        """Return the loop's time as if the loop had begun in 1970."""
        return datetime.fromtimestamp(asyncio.get_running_loop().time(), UTC)

    async def until(self, moment: datetime) -> None:
        """Return at `moment`, or at once when it has passed."""
        await asyncio.sleep(max(0.0, (moment - self.now()).total_seconds()))


def nonce(*parts: object) -> str:
    """Return the nonce of a new message: of several requests with one, Discord carries out one.

    It is made of stored values, so that a request after a restart has it too, with the channel
    among them: Discord does not say whether a nonce is for one channel. At most 25 characters.
    """
    return blake2b(repr(parts).encode(), digest_size=12).hexdigest()


class Retries:
    """Repeats requests, a few of them together.

    Pauses double from `first` to `longest`, in seconds. Discord may ask for longer ones.
    """

    def __init__(self, clock: Clock, *, first: float, longest: float) -> None:
        self._clock = clock
        self._first = first
        self._longest = longest
        self._turns = asyncio.Semaphore(TRIED_TOGETHER)

    @classmethod
    def brief(cls) -> Retries:
        """Return those of requests that a person waits for."""
        return cls(LoopClock(), first=0.1, longest=0.8)

    @classmethod
    def patient(cls, clock: Clock) -> Retries:
        """Return those of requests that nobody waits for, such as a start makes."""
        return cls(clock, first=1.0, longest=20.0)

    async def send(self, request: Callable[[], Awaitable[T]], *, lasting: float = TEN_MINUTES) -> T:
        """Return the result of a request, repeated for `lasting` seconds.

        Raises:
            Whatever the request raised last, once Discord refuses it or time is up.
        """
        until = self._clock.now() + timedelta(seconds=lasting)
        backoff = Backoff(self._first, self._longest)
        while True:
            try:
                with failing_at_once():
                    return await request()
            except (*UNDELIVERED, discord.GatewayNotFound) as error:
                # A variable here would outlive the error, which refers to this frame: both would
                # wait for the garbage collector, with all that was to be sent.
                if not await self._wait(backoff, _failure(error), until):
                    raise _failure(error) from None

    async def _wait(self, backoff: Backoff, failure: Exception, until: datetime) -> bool:
        """Wait before the next try; return False if it makes no sense, or there is no time."""
        if not unavailable(failure):
            return False
        pause = max(backoff.uneven_pause(), _asked_pause(failure))
        again = self._clock.now() + timedelta(seconds=pause)
        if again > until:
            return False
        log.info("request tried again in=%.1f error=%r", pause, failure)
        async with self._turns:
            await self._clock.until(again)
        return self._clock.now() <= until


@contextmanager
def failing_at_once() -> Iterator[None]:
    """Let requests fail without discord.py's own tries where Discord has trouble."""
    before = FAILING_AT_ONCE.set(True)
    try:
        yield
    finally:
        FAILING_AT_ONCE.reset(before)


def _failure(error: Exception) -> Exception:
    """The error of Discord that another was made of, or the error itself."""
    cause = error.__cause__
    return cause if isinstance(cause, discord.HTTPException) else error


def _asked_pause(error: Exception) -> float:
    """Return the seconds for which Discord asks to wait; 0 if it asks for none."""
    if not isinstance(error, discord.HTTPException):
        return 0.0
    try:
        return float(error.response.headers.get("Retry-After", 0))
    except ValueError:  # a date
        return 0.0


async def tried(retries: Retries, request: Callable[[], Awaitable[T]]) -> T:
    """The result of a request, tried again for a little while.

    Raises:
        Unreachable: Discord has trouble.
        HTTPException: Discord refuses it.
    """
    try:
        return await retries.send(request, lasting=TRIED_FOR)
    except UNDELIVERED as error:
        if unavailable(error):
            log.info("Discord has trouble error=%r", error)
            raise Unreachable from error
        raise
