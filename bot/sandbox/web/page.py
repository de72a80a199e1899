"""The web page's endpoints: what a person sees, and what a person does."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from importlib.resources import files
from pathlib import PurePath
from typing import Final

from aiohttp import web

from bot.sandbox.deeds import Deeds
from bot.sandbox.impossible import Impossible
from bot.sandbox.model.accounts import Account
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.interactions import Interaction, NotAnswered
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload
from bot.sandbox.rules.forms import is_array, is_object
from bot.sandbox.rules.interactions import Interactions
from bot.sandbox.rules.options import Typed
from bot.sandbox.snowflakes import Snowflake
from bot.sandbox.web.streams import Stream

_HEADERS: Final = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
}
# Not from the machine's own list of types: where that is wrong, no browser runs the modules.
_KINDS: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}


class Page:
    """Serves the page and acts for whoever sits before it; `online` is whether the bot is there."""

    def __init__(
        self, world: World, interactions: Interactions, deeds: Deeds, online: Callable[[], bool]
    ) -> None:
        self._world = world
        self._interactions = interactions
        self._deeds = deeds
        self._online = online
        self._streams: set[Stream] = set()

    def mount(self, app: web.Application) -> None:
        """Serve all of it in `app`."""
        app.router.add_get("/", _index)
        app.router.add_get("/page/{file}", _file)
        app.router.add_get("/sandbox/world", _told(self._tell_world))
        app.router.add_get("/sandbox/events", self._stream)
        app.router.add_post("/sandbox/interactions", _told(self._act))
        app.router.add_post("/sandbox/dismiss", _told(self._dismiss))

    def close(self) -> None:
        """End the streams of events."""
        for stream in self._streams:
            stream.end()

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        try:
            person = self._person(request.query.get("as"))
        except Impossible as impossible:
            return web.json_response({"error": str(impossible)}, status=400)
        stream = Stream(self._world, person)
        self._streams.add(stream)
        try:
            return await stream.run(request)
        finally:
            self._streams.discard(stream)

    async def _tell_world(self, request: web.Request) -> tuple[int, Payload]:
        world = self._world
        # A page that is opened for the first time knows no ids yet.
        me = self._person(request.query["as"]) if "as" in request.query else world.people[0]
        channels = [channel for channel in world.channels.values() if channel.open_to(me)]
        return 200, {
            "people": [_shown(account) for account in world.people],
            "me": _shown(me),
            "bot": {"id": str(world.bot.id), "name": world.bot.name, "online": self._online()},
            "guild": {
                "id": str(world.guild.id),
                "name": world.guild.name,
                "locale": world.guild.locale,
            },
            "channels": [
                {
                    "id": str(each.id),
                    "name": each.name,
                    "kind": each.place.value,
                    "parent_id": None if each.parent_id is None else str(each.parent_id),
                }
                for each in channels
            ],
            "commands": [command.payload() for command in world.commands],
            "messages": {
                str(each.id): [message.payload() for message in world.seen(me, each)]
                for each in channels
            },
            "users": {str(account.id): account.name for account in world.accounts.values()},
        }

    async def _act(self, request: web.Request) -> tuple[int, Payload]:
        body = await _body(request)
        person = self._person(body.get("as"))
        match body.get("type"):
            case "command":
                return _started(self._type(person, body))
            case "component":
                return _started(self._use(person, body))
            case "modal":
                return _started(self._fill(person, body))
            case "autocomplete":
                return await self._complete(person, body)
        raise Impossible("The type must be command, component, modal or autocomplete.")

    def _type(self, person: Account, body: Payload) -> Interaction:
        options = body.get("options")
        typed = Typed(_text(body, "command"), options if is_object(options) else {})
        return self._deeds.command(person, self._channel(body), typed)

    def _use(self, person: Account, body: Payload) -> Interaction:
        message = self._channel(body).messages.get(_snowflake(body.get("message_id")))
        if message is None:
            raise Impossible("That message is gone.")
        custom_id = _text(body, "custom_id")
        found = (each for each in message.controls if each.custom_id == custom_id)
        control = next(found, None)
        if control is None:
            raise Impossible("The message has changed; that button or menu is gone.")
        values = body.get("values")
        return self._deeds.use(person, message, control, values if is_array(values) else ())

    def _fill(self, person: Account, body: Payload) -> Interaction:
        opened = self._interactions.get(_snowflake(body.get("interaction_id")))
        if opened is None:
            raise Impossible("That form is too old.")
        fields = body.get("fields")
        return self._deeds.fill(person, opened, fields if is_object(fields) else {})

    async def _complete(self, person: Account, body: Payload) -> tuple[int, Payload]:
        options = body.get("options")
        typed = Typed(
            _text(body, "command"), options if is_object(options) else {}, _text(body, "focused")
        )
        interaction = self._deeds.command(person, self._channel(body), typed)
        await interaction.answered()
        choices = [{"name": each.name, "value": each.value} for each in interaction.choices]
        return 200, {"choices": choices}

    async def _dismiss(self, request: web.Request) -> tuple[int, Payload]:
        body = await _body(request)
        person = self._person(body.get("as"))
        message_id = _snowflake(body.get("message_id"))
        for channel in self._world.channels.values():
            message = channel.messages.get(message_id)
            if message is not None and message.reader is person:
                self._world.dismiss(message)
                return 200, {}
        raise Impossible("Only an ephemeral message can be dismissed, by its reader.")

    def _person(self, value: object) -> Account:
        account = self._world.accounts.get(_snowflake(value))
        if account is None or account.bot:
            raise Impossible(f"There is no person with the id {value!r}.")
        return account

    def _channel(self, body: Payload) -> Channel:
        channel = self._world.channels.get(_snowflake(body.get("channel_id")))
        if channel is None:
            raise Impossible("There is no such channel.")
        return channel


def _shown(account: Account) -> Payload:
    return {
        "id": str(account.id),
        "name": account.name,
        "locale": account.locale,
        "color": account.color,
        "bot": account.bot,
    }


def _started(interaction: Interaction) -> tuple[int, Payload]:
    return 202, {"id": str(interaction.id)}


def _text(body: Payload, key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str) or not value:
        raise Impossible(f"{key} must be text.")
    return value


def _snowflake(value: object) -> Snowflake:
    return Snowflake(int(str(value)) if str(value).isdecimal() else 0)


async def _body(request: web.Request) -> Payload:
    try:
        body: object = json.loads(await request.read())
    except ValueError:
        body = None
    if not is_object(body):
        raise Impossible("The body must be a JSON object.")
    return body


def _told(
    handler: Callable[[web.Request], Awaitable[tuple[int, Payload]]],
) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def tell(request: web.Request) -> web.Response:
        try:
            status, payload = await handler(request)
        except (Impossible, NotAnswered) as error:
            status, payload = 400, {"error": str(error)}
        return web.json_response(payload, status=status)

    return tell


async def _index(_: web.Request) -> web.Response:
    return _served("index.html")


async def _file(request: web.Request) -> web.Response:
    return _served(request.match_info["file"])


def _served(name: str) -> web.Response:
    found = files("bot.sandbox").joinpath("page", name)
    if not found.is_file():
        return web.Response(text=f"The sandbox's page has no file {name}.", status=404)
    kind = _KINDS.get(PurePath(name).suffix, "application/octet-stream")
    charset = "utf-8" if kind.startswith("text/") else None
    return web.Response(
        body=found.read_bytes(), content_type=kind, charset=charset, headers=_HEADERS
    )
