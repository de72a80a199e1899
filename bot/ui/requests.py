"""The path of every request to Discord: counted, and ended at once by Discord's trouble.

They share a bounded number of connections, of which answers to people never wait for the rest. No
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
"""The most connections to Discord's API at a time; each shard has one to its gateway besides."""

UNASKED: Final = 96
"""The most of them for what nobody has just pressed for, so that answers find one at once."""


def connections() -> aiohttp.TCPConnector:
    """Return the connections that a client's requests share.

    discord.py's own are as many as there are requests at one time.
    """
    return aiohttp.TCPConnector(limit=0, limit_per_host=CONNECTIONS)


def trace(meter: Meter | None) -> aiohttp.TraceConfig:
    """Return the trace of discord.py's requests.

    It counts them by method, route and status. Requests that answer nobody wait until the press is
    acknowledged whose handler makes them, and while there are too many of them. Where Discord has
    trouble they fail at once by an error raised here, and discord.py does not repeat them.
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
    """Return a path without the ids and tokens in it: there are as many as requests."""
    return ID.sub("/*", TOKEN.sub(r"\1*/*", VERSION.sub("", path)))
