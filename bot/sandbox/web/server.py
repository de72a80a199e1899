"""The HTTP server, on 127.0.0.1 alone and for no visitor from elsewhere, and the files it keeps."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from mimetypes import guess_type
from typing import Final
from urllib.parse import quote

from aiohttp import web
from yarl import URL

from bot.sandbox.model.files import LARGEST_FILE, MessageFile, Upload
from bot.sandbox.model.world import World
from bot.sandbox.payload import snowflake

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


class FileRoutes:
    """Attachments of messages and pictures of emoji; `address` is that of the sandbox."""

    def __init__(self, world: World, address: Callable[[], str]) -> None:
        self._world = world
        self._address = address
        self._kept: dict[str, MessageFile] = {}

    def mount(self, app: web.Application) -> None:
        """Serve the files in `app`, by paths like those of Discord's own."""
        app.router.add_get("/attachments/{id}/{filename}", self._attachment)
        app.router.add_get(r"/emojis/{id:\d+}.{kind:png|webp}", self._emoji)

    def keep(self, upload: Upload, description: str) -> MessageFile:
        """The file as an attachment with an address."""
        number, name = self._world.mint(), upload.filename
        # Like Discord by the name: discord.py declares every file as octets.
        kind = guess_type(name)[0] or upload.content_type
        url = f"{self._address()}/attachments/{number}/{quote(name)}"
        kept = MessageFile(number, name, description, kind, url, upload.data)
        self._kept[str(number)] = kept
        return kept

    async def _attachment(self, request: web.Request) -> web.Response:
        attachment = self._kept.get(request.match_info["id"])
        if attachment is None or attachment.filename != request.match_info["filename"]:
            raise web.HTTPNotFound(text="There is no such attachment.")
        return _served(attachment.data, attachment.content_type)

    async def _emoji(self, request: web.Request) -> web.Response:
        emoji = self._world.emojis.get(snowflake(request.match_info["id"]))
        if emoji is None:
            raise web.HTTPNotFound(text="There is no such emoji.")
        return _served(emoji.image, "image/png")


def _served(data: bytes, content_type: str) -> web.Response:
    """The bytes as an answer; a file is never allowed to act as a page of the sandbox."""
    headers = {
        "Content-Type": content_type,
        "Cache-Control": "max-age=31536000, immutable",
        "Content-Security-Policy": "sandbox; default-src 'none'",
        "X-Content-Type-Options": "nosniff",
    }
    return web.Response(body=data, headers=headers)
