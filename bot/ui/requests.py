"""What every request to Discord goes through: it is counted, and fails at once on trouble.

Requests share a bounded number of connections, some of which are reserved for answers to people. No
handler makes another request before its press or command is acknowledged.
"""

from __future__ import annotations

import asyncio
import re
from types import SimpleNamespace
from typing import Final

import aiohttp
from yarl import URL

from bot.service.ports import Meter, Occurrence
from bot.ui.errors import FIRST_TROUBLE, DiscordTrouble
from bot.ui.response import acknowledge_first

TOKEN: Final = re.compile(r"(/webhooks/|/interactions/)\d+/[^/]+")
ID: Final = re.compile(r"/\d+(?=/|$)")
VERSION: Final = re.compile(r"^/api/v\d+")
ANSWER: Final = re.compile("/interactions/|/webhooks/")

CONNECTIONS: Final = 128
"""The most connections to Discord's API at a time, besides each shard's to the gateway."""

UNASKED: Final = 96
"""The most of them for requests that answer no interaction, so that answers need not wait."""


def connections() -> aiohttp.TCPConnector:
    """The connector with which a client's requests share connections.

    discord.py's own would open as many as there are requests at a time.
    """
    return aiohttp.TCPConnector(limit=0, limit_per_host=CONNECTIONS)


def trace(meter: Meter | None) -> aiohttp.TraceConfig:
    """The hooks of aiohttp for discord.py's requests, which count them by method and route.

    A request that answers no interaction first acknowledges the interaction whose handler makes it,
    and waits while there are too many such. On a server error `DiscordTrouble` is raised here, so
    that discord.py does not repeat the request.
    """
    unasked = asyncio.Semaphore(UNASKED)

    async def begun(
        _: aiohttp.ClientSession, request: SimpleNamespace, asked: aiohttp.TraceRequestStartParams
    ) -> None:
        request.unasked = ANSWER.search(asked.url.path) is None
        if request.unasked:
            await acknowledge_first()
            await unasked.acquire()

    def over(request: SimpleNamespace) -> None:
        if request.unasked:
            request.unasked = False
            unasked.release()

    async def ended(
        _: aiohttp.ClientSession, request: SimpleNamespace, answered: aiohttp.TraceRequestEndParams
    ) -> None:
        over(request)
        status = answered.response.status
        if meter is not None:
            count(meter, answered.method, answered.url, status)
        if status >= FIRST_TROUBLE:
            raise DiscordTrouble(status)

    async def failed(
        _: aiohttp.ClientSession,
        request: SimpleNamespace,
        lost: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        over(request)
        if meter is not None and not isinstance(lost.exception, DiscordTrouble):
            count(meter, lost.method, lost.url, "lost")

    config = aiohttp.TraceConfig()
    config.on_request_start.append(begun)
    config.on_request_end.append(ended)
    config.on_request_exception.append(failed)
    return config


def count(meter: Meter, method: str, url: URL, outcome: int | str) -> None:
    """Count a request by its method, route and outcome."""
    meter.count(Occurrence.REQUESTS, f"{method} {route(url.path)} {outcome}")


def route(path: str) -> str:
    """A path without ids and tokens, so that there are few different ones."""
    return ID.sub("/*", TOKEN.sub(r"\1*/*", VERSION.sub("", path)))
