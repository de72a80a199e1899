"""The HTTP server: on 127.0.0.1 alone, and for no visitor from elsewhere."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from aiohttp import web
from yarl import URL

from bot.sandbox.rules.message_files import LARGEST_FILE

HOST: Final = "127.0.0.1"
_NAMES: Final = frozenset({HOST, "localhost"})
_LARGEST_REQUEST: Final = 11 * LARGEST_FILE
_TURNS_TO_COME_IN: Final = 4


class HttpServer:
    """Serves one application; `port` 0 takes a free one."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._runner: web.AppRunner | None = None
        self._listener: socket.socket

    @property
    def url(self) -> str:
        """The address, once the server has started."""
        return f"http://{HOST}:{self._port}"

    def application(self) -> web.Application:
        """An application that refuses requests from elsewhere."""
        return web.Application(middlewares=[_guard], client_max_size=_LARGEST_REQUEST)

    async def start(self, app: web.Application) -> None:
        """Begin to serve.

        Raises:
            OSError: The port is in use.
        """
        self._listener = socket.create_server((HOST, self._port), backlog=1024)
        self._port = self._listener.getsockname()[1]
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        await web.SockSite(self._runner, self._listener).start()

    async def close(self) -> None:
        """Stop serving."""
        if self._runner is None:
            return
        # asyncio takes some turns of its loop to let in a connection that it has accepted; if it
        # is told to stop meanwhile, it forgets that connection and leaves it open.
        with suppress(NotImplementedError):
            asyncio.get_running_loop().remove_reader(self._listener)
        for _ in range(_TURNS_TO_COME_IN):
            await asyncio.sleep(0)
        await self._runner.cleanup()
        self._runner = None


# Another page in the same browser could reach 127.0.0.1, even under a name of its own that it lets
# point here (DNS rebinding); such requests carry that page's Origin or Host.
@web.middleware
async def _guard(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    origin = request.headers.get("Origin")
    here = request.url
    if here.host not in _NAMES or (origin is not None and not _is_at(origin, here.port)):
        return web.json_response({"error": "The sandbox answers only to this machine."}, status=403)
    return await handler(request)


def _is_at(origin: str, port: int | None) -> bool:
    try:
        url = URL(origin)
    except ValueError:
        return False
    return url.host in _NAMES and url.port == port
