"""Requests that are tried again while Discord has trouble, after growing, uneven pauses.

discord.py's own repetitions, after 1, 3, 5, 7 and 9 s and for some errors only, are turned off in
`bot/ui/requests.py`.
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
"""The most requests that are tried again at the same time, so that an outage meets few."""

TRIED_FOR: Final = 2.0
"""Seconds of trying for a message that can wait for the next round."""

TEN_MINUTES: Final = 600.0
"""Seconds of trying for a request that nobody waits for."""

FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 0.8
"""Seconds between tries, doubling from the first to the second, or to `PART` of a longer time."""

PART: Final = 1 / 30
"""The longest pause as a part of the time for which a request is tried."""


class Retries:
    """Repeats requests while Discord has trouble; by default with the event loop's clock."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or LoopClock()
        self._turns = asyncio.Semaphore(MOST_AT_ONCE)

    async def send(self, request: Callable[[], Awaitable[T]], *, lasting: float = TEN_MINUTES) -> T:
        """The result of a request, tried for `lasting` seconds; `Retry-After` is respected.

        Raises:
            Whatever the request raised last, once Discord refuses it or time is up.
        """
        until = self._clock.now() + timedelta(seconds=lasting)
        backoff = Backoff(FIRST_PAUSE, max(LONGEST_PAUSE, PART * lasting))
        while True:
            try:
                return await request()
            except (*UNDELIVERED, discord.GatewayNotFound) as error:
                # Not kept in a variable: the error refers to this frame, and both would stay in
                # memory, with the message, until the garbage collector runs.
                if not await self._wait(backoff, _failure(error), until):
                    raise _failure(error) from None

    async def send_briefly(self, request: Callable[[], Awaitable[T]]) -> T:
        """The result of a request, tried for `TRIED_FOR` seconds.

        Raises:
            Unreachable: Discord has trouble.
            HTTPException: Discord refuses it.
        """
        with reaching():
            return await self.send(request, lasting=TRIED_FOR)

    async def _wait(self, backoff: Backoff, failure: Exception, until: datetime) -> bool:
        """Wait before the next try; return False if another is useless, or time is up."""
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
    """Discord's error if another was raised from it, else the error itself."""
    cause = error.__cause__
    return cause if isinstance(cause, discord.HTTPException) else error


def _asked_pause(error: Exception) -> float:
    """The seconds in Discord's header `Retry-After`; 0 without."""
    if not isinstance(error, discord.HTTPException):
        return 0.0
    try:
        return float(error.response.headers.get("Retry-After", 0))
    except ValueError:  # a date
        return 0.0
