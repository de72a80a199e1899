"""Requests of the web page, and the news it hears."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp

from tests.bot.sandbox.raw import Answered, Raw

UP = {"type": 2, "style": 1, "label": "Up", "custom_id": "up"}
MENU = {"type": 3, "custom_id": "menu", "options": [{"label": "A", "value": "a"}]}
BOARD = {
    "content": "Board",
    "components": [{"type": 1, "components": [UP]}, {"type": 1, "components": [MENU]}],
}
GAME = {
    "name": "board",
    "description": "Show a board.",
    "type": 1,
    "options": [{"type": 3, "name": "game", "description": "Which.", "autocomplete": True}],
}
FORM = {
    "custom_id": "form",
    "title": "Form",
    "components": [
        {"type": 18, "label": "Name", "component": {"type": 4, "custom_id": "name", "style": 1}}
    ],
}


async def ask(api: Raw, path: str, body: object = None, **headers: str) -> Answered:
    method = "GET" if body is None else "POST"
    url = api.sandbox.url + path
    async with api.session.request(method, url, json=body, headers=headers) as response:
        kind = response.content_type
        told = await response.json() if kind == "application/json" else await response.text()
        return Answered(response.status, told)


async def act(api: Raw, person: str, kind: str, **more: object) -> Answered:
    """Ask for a person's act on the page, in the channel of games unless it says otherwise."""
    who = str(api.sandbox.person(person).id)
    where = str(api.sandbox.channel("games").id)
    return await ask(api, "/sandbox/act", {"as": who, "type": kind, "channel_id": where, **more})


@dataclass
class Events:
    """The page's stream: the whole world, and then the news."""

    socket: aiohttp.ClientWebSocketResponse
    world: Any = None

    async def next(self) -> tuple[str, Any]:
        event = await self.socket.receive_json(timeout=60)
        return event["name"], event["data"]


@asynccontextmanager
async def news(api: Raw, person: str) -> AsyncIterator[Events]:
    """Open the stream of a person's page."""
    url = f"{api.sandbox.url}/sandbox/events?as={person}"
    async with api.session.ws_connect(url) as socket:
        events = Events(socket)
        name, events.world = await events.next()
        assert name == "world"
        yield events
