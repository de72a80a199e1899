"""The web page's endpoints: what a person sees, and what a person does."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from importlib.resources import files
from pathlib import PurePath
from typing import Final

from aiohttp import web

from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload, is_object
from bot.sandbox.refusals import ActRefused, Impossible, NotAnswered
from bot.sandbox.web.actions import PageActions
from bot.sandbox.web.streams import PageStream
from bot.sandbox.words import index, verify_page

_HEADERS: Final = {
    "Cache-Control": "no-cache",
    # Not every browser takes a websocket of this host for its own.
    "Content-Security-Policy": (
        "default-src 'self'; connect-src 'self' ws://127.0.0.1:* ws://localhost:*; "
        "img-src 'self' data:; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
}
# Not from the machine's own list of types: where that is wrong, no browser runs the modules.
_KINDS: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
_FILES: Final = files("bot.sandbox").joinpath("page")
_KEPT: Final = {"Cache-Control": "max-age=31536000, immutable"}


class PageRoutes:
    """Serves the page and acts for its reader; `online` is whether the bot is there."""

    def __init__(self, world: World, actions: PageActions, online: Callable[[], bool]) -> None:
        self._world = world
        self._actions = actions
        self._online = online
        self.streams: set[PageStream] = set()
        """Those of the pages that are open."""

    def mount(self, app: web.Application) -> None:
        """Serve all of it in `app`."""
        app.router.add_get("/", _index)
        app.router.add_get("/page/{file}", _file)
        app.router.add_get("/page/{version}/{file}", _file)
        app.router.add_get("/verify.html", _verify)
        app.router.add_get("/sandbox/events", self._stream)
        app.router.add_post("/sandbox/act", self._act)

    def close(self) -> None:
        """End the streams of events."""
        for stream in self.streams:
            stream.end()

    async def _stream(self, request: web.Request) -> web.WebSocketResponse:
        person = self._actions.person_named(request.query.get("as", ""))
        stream = PageStream(self._world, person.account)
        self.streams.add(stream)
        try:
            return await stream.run(request, online=self._online())
        finally:
            self.streams.discard(stream)
            self._world.news.stir()

    async def _act(self, request: web.Request) -> web.Response:
        try:
            status, payload = await self._actions.act(await _body(request))
        except ActRefused as error:
            status = 400
            payload = {"key": error.key, "values": error.values, "error": str(error)}
        except (Impossible, NotAnswered) as error:
            status, payload = 400, {"error": str(error)}
        return web.json_response(payload, status=status)


async def _body(request: web.Request) -> Payload:
    try:
        body: object = json.loads(await request.read())
    except ValueError:
        body = None
    if not is_object(body):
        raise Impossible("The body must be a JSON object.")
    return body


async def _index(_: web.Request) -> web.Response:
    return _html(index().replace("/page/", f"/page/{_version()}/"))


def _version() -> str:
    """A name for the page's files as they are now, under which a browser may keep them."""
    every = sorted(_FILES.iterdir(), key=lambda file: file.name)
    return sha256(b"".join(file.read_bytes() for file in every)).hexdigest()[:16]


async def _verify(_: web.Request) -> web.Response:
    """The page that checks dice: one file, which says itself what it may do."""
    served = _html(verify_page())
    del served.headers["Content-Security-Policy"]
    return served


def _html(page: str) -> web.Response:
    return web.Response(text=page, content_type="text/html", headers=_HEADERS)


async def _file(request: web.Request) -> web.Response:
    name = request.match_info["file"]
    found = _FILES.joinpath(name)
    if PurePath(name).name != name or not found.is_file():
        return web.Response(text=f"The sandbox's page has no file {name}.", status=404)
    kind = _KINDS.get(PurePath(name).suffix, "application/octet-stream")
    charset = "utf-8" if kind.startswith("text/") else None
    headers = _HEADERS | (_KEPT if "version" in request.match_info else {})
    return web.Response(
        body=found.read_bytes(), content_type=kind, charset=charset, headers=headers
    )
