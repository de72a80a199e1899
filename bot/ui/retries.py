"""Requests that are tried again while Discord has trouble, after growing, uneven pauses.

discord.py's own tries, 1, 3, 5, 7 and 9 s after each other and after some errors alone, are off
(`bot/ui/requests.py`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final, TypeVar

import discord

from bot.clock import Backoff, Clock, LoopClock
from bot.ui.errors import UNDELIVERED, reaching, unavailable

log = logging.getLogger(__name__)

T = TypeVar("T")

MOST_AT_ONCE: Final = 8
"""The most requests that are tried again at once, so that few of them meet an outage."""

TRIED_FOR: Final = 2.0
"""Seconds for which a message is tried again that can wait for another round."""

TEN_MINUTES: Final = 600.0
"""Seconds for which a request is tried again that nobody waits for."""

FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 0.8
"""Seconds between tries: they double from the one to the other, or to a part of a longer time."""

PART: Final = 1 / 30
"""The longest pause as a part of the time for which a request is tried."""


class Retries:
    """Repeats requests, a few of them together, by the loop's clock unless another is given."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or LoopClock()
        self._turns = asyncio.Semaphore(MOST_AT_ONCE)

    async def send(self, request: Callable[[], Awaitable[T]], *, lasting: float = TEN_MINUTES) -> T:
        """Return the result of a request, repeated for `lasting` seconds.

        Discord may ask for longer pauses.

        Raises:
            Whatever the request raised last, once Discord refuses it or time is up.
        """
        until = self._clock.now() + timedelta(seconds=lasting)
        backoff = Backoff(FIRST_PAUSE, max(LONGEST_PAUSE, PART * lasting))
        while True:
            try:
                return await request()
            except (*UNDELIVERED, discord.GatewayNotFound) as error:
                # A variable here would outlive the error, which refers to this frame: both would
                # wait for the garbage collector, with all that was to be sent.
                if not await self._wait(backoff, _failure(error), until):
                    raise _failure(error) from None

    async def send_briefly(self, request: Callable[[], Awaitable[T]]) -> T:
        """Return the result of a request, repeated for a little while.

        Raises:
            Unreachable: Discord has trouble.
            HTTPException: Discord refuses it.
        """
        with reaching():
            return await self.send(request, lasting=TRIED_FOR)

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
