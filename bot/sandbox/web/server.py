"""The HTTP server, on 127.0.0.1 alone and for no visitor from elsewhere, and the files it keeps.

It serves the REST API: JSON or a form of JSON and files, and answers with their time.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from email.utils import formatdate
from functools import partial
from mimetypes import guess_type
from typing import Final
from urllib.parse import quote, unquote

from aiohttp import BodyPartReader, web
from yarl import URL

from bot.sandbox.model.files import LARGEST_FILE, MessageFile, Upload
from bot.sandbox.model.world import World
from bot.sandbox.payload import parsed, snowflake
from bot.sandbox.refusals import NOT_JSON, RequestRefused
from bot.sandbox.web import application, messages, webhooks
from bot.sandbox.web.calls import Api, Call, Reply, Route, Sent, Wire

PREFIX: Final = "/api/v10"
_FILE: Final = re.compile(r"files\[(\d{1,2})\]")


class Rest:
    """Serves the API."""

    def __init__(self, api: Api, wire: Wire) -> None:
        self._api = api
        self._wire = wire

    def mount(self, app: web.Application) -> None:
        """Put the routes into `app`."""
        for route in (*application.routes, *messages.routes, *webhooks.routes):
            app.router.add_route(route.method, PREFIX + route.path, partial(self._handle, route))

    async def _handle(self, route: Route, request: web.Request) -> web.Response:
        try:
            sent = await _read(request)
        except RequestRefused as refused:
            return response(Reply.to(refused))
        path, token = request.path.removeprefix(PREFIX), request.headers.get("Authorization")
        reason = unquote(request.headers.get("X-Audit-Log-Reason", ""))
        call = Call(route, path, token, request.match_info, request.query, sent, reason)
        reply = await self._wire.carry(call, self._serve)
        self._api.world.news.stir()
        if reply is None:
            if request.transport is not None:
                request.transport.abort()
            return web.Response()
        answer = response(reply)
        answer.headers["Date"] = formatdate(self._api.world.clock.now(), usegmt=True)
        return answer

    def _serve(self, call: Call) -> Reply:
        try:
            self._wire.check(self._api, call)
            body = call.route.handler(self._api, call)
        except RequestRefused as refused:
            return Reply.to(refused)
        return Reply(204 if body is None else call.route.status, body)


def response(reply: Reply) -> web.Response:
    """The reply over HTTP."""
    if reply.body is None:
        return web.Response(status=reply.status, headers=reply.headers)
    # discord.py takes an answer for JSON only if the type is this and nothing more.
    headers = {**reply.headers, "Content-Type": "application/json"}
    return web.Response(status=reply.status, body=json.dumps(reply.body).encode(), headers=headers)


async def _read(request: web.Request) -> Sent:
    try:
        if request.content_type == "multipart/form-data":
            return await _read_form(request)
        raw = await request.read()
        return Sent(parsed(raw) if raw else None)
    except ValueError:
        raise RequestRefused(NOT_JSON) from None


async def _read_form(request: web.Request) -> Sent:
    body: object = {}
    uploads: list[Upload] = []
    fields: list[str] = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        name, data = part.name or "", bytes(await part.read())
        if name == "payload_json":
            body = parsed(data)
            continue
        fields.append(name)
        if found := _FILE.fullmatch(name):
            kind = part.headers.get("Content-Type", "application/octet-stream")
            uploads.append(Upload(int(found[1]), part.filename or "unknown", kind, data))
    return Sent(body, tuple(uploads), tuple(fields))


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
