"""Whether the bot is connected, for those who watch it: `/health` on 127.0.0.1."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
from aiohttp import web

HERE = "127.0.0.1"


@asynccontextmanager
async def served(client: discord.AutoShardedClient, port: int) -> AsyncIterator[None]:
    """Answers 200 while the bot is connected to Discord, and 503 while it is not.

    Raises:
        OSError: The port is in use.
    """

    async def health(_: web.Request) -> web.Response:
        shards = client.shards
        gone = [number for number, shard in shards.items() if shard.is_closed()]
        well = client.is_ready() and bool(shards) and not gone
        found = {"connected": well, "shards": len(shards), "shards_gone": gone}
        return web.json_response(found, status=200 if well else 503)

    app = web.Application()
    app.router.add_get("/health", health)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, HERE, port).start()
        yield
    finally:
        await runner.cleanup()
