"""Requests to Discord, counted by method, route and status as they are answered."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Final

import aiohttp

from bot.service.meter import NO_METER, Meter, Occurrence
from bot.ui.attempts import watched

TOKEN: Final = re.compile(r"(/webhooks/|/interactions/)\d+/[^/]+")
ID: Final = re.compile(r"/\d+(?=/|$)")
VERSION: Final = re.compile(r"^/api/v\d+")


def counted(meter: Meter) -> aiohttp.TraceConfig:
    """What discord.py's requests go through to be counted, and to fail at once where they may."""

    async def ended(
        _: aiohttp.ClientSession,
        __: SimpleNamespace,
        answered: aiohttp.TraceRequestEndParams,
    ) -> None:
        status = answered.response.status
        meter.count(Occurrence.REQUESTS, f"{answered.method} {route(answered.url.path)} {status}")

    async def failed(
        _: aiohttp.ClientSession,
        __: SimpleNamespace,
        lost: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        meter.count(Occurrence.REQUESTS, f"{lost.method} {route(lost.url.path)} lost")

    trace = aiohttp.TraceConfig()
    if meter is not NO_METER:
        trace.on_request_end.append(ended)
        trace.on_request_exception.append(failed)
    return watched(trace)


def route(path: str) -> str:
    """A path without the ids and tokens in it: there are as many as requests."""
    return ID.sub("/*", TOKEN.sub(r"\1*/*", VERSION.sub("", path)))
