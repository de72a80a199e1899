"""The pages for watching the bot, on 127.0.0.1: `/health`, and `/metrics` if measured."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import discord
from aiohttp import web
from aiohttp.typedefs import Handler

HERE = "127.0.0.1"
NAMES = frozenset({HERE, "localhost"})
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


@asynccontextmanager
async def served(
    client: discord.AutoShardedClient, port: int, measured: Callable[[], bytes] | None = None
) -> AsyncIterator[None]:
    """Serve `/health`: 200 while the bot is connected to Discord, 503 while it is not.

    `measured` returns the page for Prometheus. Both are served in the bot's own loop, so that a
    bot that has stopped answering people answers nobody. A page elsewhere whose name was made to
    point here (DNS rebinding) is refused by the name that it asks for.

    Raises:
        OSError: The port is in use.
    """

    async def health(_: web.Request) -> web.Response:
        shards = client.shards
        gone = [number for number, shard in shards.items() if shard.is_closed()]
        well = client.is_ready() and bool(shards) and not gone
        found = {"connected": well, "shards": len(shards), "shards_gone": gone}
        return web.json_response(found, status=200 if well else 503)

    async def metrics(_: web.Request) -> web.Response:
        assert measured is not None, "the route is there only then"
        return web.Response(body=measured(), headers={"Content-Type": PROMETHEUS})

    app = web.Application(middlewares=[_for_this_machine])
    app.router.add_get("/health", health)
    if measured is not None:
        app.router.add_get("/metrics", metrics)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, HERE, port).start()
        yield
    finally:
        await runner.cleanup()


@web.middleware
async def _for_this_machine(request: web.Request, handler: Handler) -> web.StreamResponse:
    if request.url.host not in NAMES:
        raise web.HTTPForbidden
    return await handler(request)
