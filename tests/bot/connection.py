"""Unmodified discord.py, connected to a sandbox."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from unittest.mock import patch

import discord
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

import bot.sandbox
from tests.bot.stand_in import Sandbox


@asynccontextmanager
async def pointed_at(sandbox: bot.sandbox.Sandbox) -> AsyncIterator[None]:
    """Clients of discord.py that are made meanwhile know no other Discord than the sandbox."""
    with (
        patch.object(Route, "BASE", sandbox.api),
        patch.object(DiscordWebSocket, "DEFAULT_GATEWAY", URL(sandbox.gateway_url)),
    ):
        yield


@asynccontextmanager
async def connected(
    client: discord.Client, sandbox: Sandbox, *, commands: bool = True
) -> AsyncIterator[discord.Client]:
    """The client, logged in and listening, until the end of the block."""
    async with pointed_at(sandbox):
        running = asyncio.create_task(client.start(sandbox.token))
        ready = asyncio.create_task(sandbox.bot_ready(commands=commands))
        try:
            await asyncio.wait({running, ready}, return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                running.result()
            await ready
            yield client
        finally:
            ready.cancel()
            await client.close()
            with suppress(asyncio.CancelledError):
                await running
