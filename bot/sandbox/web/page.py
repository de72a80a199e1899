"""The web page's endpoints: its files, what its person does, and a websocket with what they see.

A websocket, because browsers allow only six streams of events to one host.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from hashlib import sha256
from importlib.resources import files
from pathlib import PurePath
from typing import Final

from aiohttp import web

from bot.sandbox.model.accounts import Account
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.commands import LOCALES
from bot.sandbox.model.interactions import Act, Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.model.news import (
    AccountChange,
    BotPresence,
    Change,
    ChannelChange,
    InteractionChange,
    MessageChange,
    MessageEvent,
    Notice,
)
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload, Snowflake, is_object, parsed
from bot.sandbox.refusals import ActRefused, Impossible, NotAnswered, index, verify_page, words
from bot.sandbox.web.actions import PageActions

_FAREWELL: Final = 1.0
_HEARTBEAT: Final = 20.0
"""Seconds after which a page that says nothing is asked whether it is still there."""

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
        status, payload = 400, Payload()
        try:
            body = parsed(await request.read())
            if not is_object(body):
                raise Impossible("The body must be a JSON object.")
            status, payload = await self._actions.act(body)
        except ActRefused as error:
            payload = {"key": error.key, "values": error.values, "error": str(error)}
        except (ValueError, NotAnswered) as error:  # no JSON, or `Impossible`
            payload = {"error": str(error)}
        return web.json_response(payload, status=status)


async def _index(_: web.Request) -> web.Response:
    return _html(index().replace("/page/", f"/page/{_version()}/"))


def _version() -> str:
    """A version of the page's files for their addresses, so that browsers can cache them."""
    every = sorted(_FILES.iterdir(), key=lambda file: file.name)
    return sha256(b"".join(file.read_bytes() for file in every)).hexdigest()[:16]


async def _verify(_: web.Request) -> web.Response:
    """The page that checks dice: one file, with its own content security policy."""
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


class PageStream:
    """The whole world as `person` sees it, and then what happens, as far as `person` notices."""

    def __init__(self, world: World, person: Account) -> None:
        self._world = world
        self._person = person
        self._pending: asyncio.Queue[str | None] = asyncio.Queue()
        self._opened: set[Snowflake] = set()

    def end(self) -> None:
        """Send nothing more."""
        self._pending.put_nowait(None)

    async def run(self, request: web.Request, *, online: bool) -> web.WebSocketResponse:
        """Send the events until the page or the sandbox is closed."""
        socket = web.WebSocketResponse(heartbeat=_HEARTBEAT, timeout=_FAREWELL)
        await socket.prepare(request)
        stop = self._world.news.listen(self._hear)
        self._put("world", _snapshot(self._world, self._person, online=online))
        pump = asyncio.create_task(self._pump(socket))
        try:
            async for _ in socket:  # the page says nothing but goodbye
                pass
        finally:
            stop()
            self.end()
            await pump
        return socket

    async def _pump(self, socket: web.WebSocketResponse) -> None:
        try:
            while (event := await self._pending.get()) is not None:
                await socket.send_str(event)
            await socket.close()
        except ConnectionError:
            return

    def _put(self, event: str, data: Payload) -> None:
        self._pending.put_nowait(json.dumps({"name": event, "data": data}))

    def _hear(self, change: Change) -> None:
        person = self._person
        match change:
            case MessageChange(message, event):
                self._tell(message, event)
            case AccountChange(account) if account is person:
                self._put("me", _self(self._world, account))
            case ChannelChange(channel, added=True) if channel.open_to(person):
                self._put("channel", _place(channel, self._world))
            case ChannelChange(channel, removed=True) if channel.open_to(person):
                self._put("channel_delete", {"id": str(channel.id)})
            case BotPresence(online):
                self._put("bot", {"online": online})
            case Notice.COMMANDS:
                self._put("commands", {"commands": _commands(self._world)})
            case Notice.CLOCK:
                self._put("clock", {"now": self._world.clock.now()})
            case InteractionChange(interaction):
                self._progress(interaction)

    def _tell(self, message: Message, event: MessageEvent) -> None:
        channel: Payload = {"channel_id": str(message.channel.id)}
        if event in {MessageEvent.WRITTEN, MessageEvent.REWRITTEN}:
            if self._world.sees(self._person, message):
                self._put("message", {**channel, "message": _message(message, self._person)})
        elif message.reader in {None, self._person} and message.channel.open_to(self._person):
            self._put("message_delete", {**channel, "id": str(message.id)})

    def _progress(self, interaction: Interaction) -> None:
        if interaction.person is not self._person or interaction.act is Act.AUTOCOMPLETE:
            return
        told: Payload = {
            "id": str(interaction.id),
            "state": interaction.progress.value,
            "channel_id": str(interaction.channel.id),
        }
        if interaction.source is not None:
            told["message_id"] = str(interaction.source.id)
        self._put("interaction", told)
        if interaction.modal is not None and interaction.id not in self._opened:
            self._opened.add(interaction.id)
            opened: Payload = {"interaction_id": str(interaction.id)}
            self._put("modal", opened | interaction.modal.payload())


def _snapshot(world: World, me: Account, *, online: bool) -> Payload:
    """All that `me` sees; `online` is whether the bot is there."""
    channels = [channel for channel in world.channels.values() if channel.open_to(me)]
    guild = world.guild
    return {
        "people": [_shown(account) for account in world.people],
        "me": _self(world, me),
        "bot": {"id": str(world.bot.id), "name": world.bot.name, "online": online},
        "guild": {
            "id": str(guild.id),
            "name": guild.name,
            "locale": guild.locale,
            "roles": {str(role.id): role.name for role in guild.roles},
        },
        "channels": [_place(channel, world) for channel in channels],
        "commands": _commands(world),
        "messages": {
            str(channel.id): [_message(message, me) for message in world.seen(me, channel)]
            for channel in channels
        },
        "users": {str(account.id): account.name for account in world.accounts.values()},
        "locales": sorted(LOCALES),
        "now": world.clock.now(),
    }


def _commands(world: World) -> list[Payload]:
    return [command.payload() for command in world.commands]


def _message(message: Message, me: Account) -> Payload:
    return message.payload() | {"pinged": me.name in message.pinged}


def _self(world: World, me: Account) -> Payload:
    return _shown(me) | {
        "permissions": str(me.permissions.value),
        "owner": me is world.guild.owner,
        "takes_direct_messages": me.takes_direct_messages,
        "has_app": me.has_app,
        "words": words(me.locale),
    }


def _shown(account: Account) -> Payload:
    told = {"id": str(account.id), "name": account.name, "locale": account.locale}
    return {**told, "color": account.color, "bot": account.bot}


def _place(channel: Channel, world: World) -> Payload:
    return {
        "id": str(channel.id),
        "name": channel.name,
        "kind": channel.kind.value,
        "type": channel.payload()["type"],
        "parent_id": None if channel.parent_id is None else str(channel.parent_id),
        "context": channel.context,
        "inside": world.inside(channel),
    }
