"""Requests to Discord: counted, failing at once where they may, and tried again with care.

discord.py waits 1, 3, 5, 7 and 9 s between its own tries, longer than a person who pressed does. So
requests that are tried here fail at once for it, and are repeated after short, uneven pauses.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from random import uniform
from types import SimpleNamespace
from typing import Final, TypeVar

import aiohttp
import discord

from bot.service.meter import Meter, Occurrence
from bot.ui.errors import FIRST_TROUBLE, UNDELIVERED, lacks_emoji, unavailable

log = logging.getLogger(__name__)

T = TypeVar("T")

FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 0.8
"""Seconds between two tries: they double from the one to the other."""

TRIED_TOGETHER: Final = 8
"""How many requests may be tried again at once, so that an outage is met by few of them."""

TOKEN: Final = re.compile(r"(/webhooks/|/interactions/)\d+/[^/]+")
ID: Final = re.compile(r"/\d+(?=/|$)")
VERSION: Final = re.compile(r"^/api/v\d+")

_FAILING_AT_ONCE: Final[ContextVar[bool]] = ContextVar("failing at once", default=False)


class DiscordTrouble(OSError):
    """Discord answers with an error of its own, a status from 500 on."""

    def __init__(self, status: int) -> None:
        super().__init__(f"status {status}")
        self.status = status


def traced(meter: Meter | None) -> aiohttp.TraceConfig:
    """The trace of discord.py's requests: it ends those that may fail at once, and counts all."""

    def count(method: str, path: str, how: str) -> None:
        if meter is not None:
            meter.count(Occurrence.REQUESTS, f"{method} {route(path)} {how}")

    async def ended(
        _: aiohttp.ClientSession, __: SimpleNamespace, answered: aiohttp.TraceRequestEndParams
    ) -> None:
        status = answered.response.status
        if _FAILING_AT_ONCE.get() and status >= FIRST_TROUBLE:
            answered.response.close()
            raise DiscordTrouble(status)  # aiohttp tells `failed` of it
        count(answered.method, answered.url.path, str(status))

    async def failed(
        _: aiohttp.ClientSession, __: SimpleNamespace, lost: aiohttp.TraceRequestExceptionParams
    ) -> None:
        error = lost.exception
        how = str(error.status) if isinstance(error, DiscordTrouble) else "lost"
        count(lost.method, lost.url.path, how)

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)
    return trace


@contextmanager
def failing_at_once() -> Iterator[None]:
    """Requests meanwhile that Discord answers with an error of its own fail without more tries."""
    before = _FAILING_AT_ONCE.set(True)
    try:
        yield
    finally:
        _FAILING_AT_ONCE.reset(before)


def uneven(pause: float) -> float:
    """About so many seconds, so that those who wait do not come back together."""
    return pause * uniform(0.5, 1.5)


async def without_lost_emoji(
    send: Callable[[], Awaitable[T]], lose: Callable[[discord.HTTPException], None]
) -> T:
    """Sends what is drawn with emoji; anew, once `lose` has heard of it, if Discord lacks one."""
    try:
        return await send()
    except discord.HTTPException as error:
        if not lacks_emoji(error):
            raise
        lose(error)
    return await send()


class Attempts:
    """Repeats requests until a moment of the event loop's time, a few of them together."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(TRIED_TOGETHER)

    async def send(self, request: Callable[[], Awaitable[T]], *, until: float) -> T:
        """What the request gives, as soon as Discord takes it.

        Raises:
            Whatever the request raised last, once it is refused or too late.
        """
        loop, pause = asyncio.get_running_loop(), FIRST_PAUSE
        while True:
            try:
                with failing_at_once():
                    return await request()
            except UNDELIVERED as error:
                if not unavailable(error) or loop.time() + pause > until:
                    raise
                log.info("answer tried again in=%.1f error=%r", pause, error)
                async with self._turns:
                    await asyncio.sleep(uneven(pause))
                if loop.time() > until:
                    raise
            pause = min(2 * pause, LONGEST_PAUSE)


def route(path: str) -> str:
    """A path without the ids and tokens in it: there are as many as requests."""
    return ID.sub("/*", TOKEN.sub(r"\1*/*", VERSION.sub("", path)))
