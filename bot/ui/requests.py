"""The path of every request to Discord: counted, and ended at once where it is tried again."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Final

import aiohttp
from yarl import URL

from bot.service.meter import Meter, Occurrence
from bot.ui.errors import FIRST_TROUBLE, DiscordTrouble
from bot.ui.retries import FAILING_AT_ONCE

TOKEN: Final = re.compile(r"(/webhooks/|/interactions/)\d+/[^/]+")
ID: Final = re.compile(r"/\d+(?=/|$)")
VERSION: Final = re.compile(r"^/api/v\d+")


def trace(meter: Meter | None) -> aiohttp.TraceConfig:
    """Return the trace of discord.py's requests.

    It counts them by method, route and status, and lets those fail at once that are tried again
    by `Retries`: an error that it raises is what the request raises.
    """

    async def ended(
        _: aiohttp.ClientSession, __: SimpleNamespace, answered: aiohttp.TraceRequestEndParams
    ) -> None:
        status = answered.response.status
        if meter is not None:
            count(meter, answered.method, answered.url, status)
        if status >= FIRST_TROUBLE and FAILING_AT_ONCE.get():
            raise DiscordTrouble(status)

    async def failed(
        _: aiohttp.ClientSession, __: SimpleNamespace, lost: aiohttp.TraceRequestExceptionParams
    ) -> None:
        if meter is not None and not isinstance(lost.exception, DiscordTrouble):
            count(meter, lost.method, lost.url, "lost")

    config = aiohttp.TraceConfig()
    config.on_request_end.append(ended)
    config.on_request_exception.append(failed)
    return config


def count(meter: Meter, method: str, url: URL, outcome: int | str) -> None:
    """Count a request by its method, route and outcome."""
    meter.count(Occurrence.REQUESTS, f"{method} {route(url.path)} {outcome}")


def route(path: str) -> str:
    """Return a path without the ids and tokens in it: there are as many as requests."""
    return ID.sub("/*", TOKEN.sub(r"\1*/*", VERSION.sub("", path)))
