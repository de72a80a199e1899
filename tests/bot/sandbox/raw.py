"""Requests as no library would make them, sent with the bot's token or with another."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp

from bot.sandbox import Interaction, Payload
from tests.bot.stand_in import Sandbox

GO: Payload = {"name": "go", "description": "Go on.", "type": 1}
V2 = 1 << 15
EPHEMERAL = 1 << 6


@dataclass(frozen=True)
class Answered:
    """A status and the JSON that came with it."""

    status: int
    body: Any

    @property
    def refusal(self) -> tuple[int, int]:
        """The status and Discord's code for the error."""
        return self.status, self.body["code"]

    def faults(self) -> dict[str, list[str]]:
        """The codes of the faults of single fields, by the path of the field."""
        return dict(_faults(self.body.get("errors", {})))


def _faults(tree: Mapping[str, Any], path: str = "") -> Any:
    for step, below in tree.items():
        if step == "_errors":
            yield path, [fault["code"] for fault in below]
        else:
            yield from _faults(below, f"{path}.{step}" if path else step)


class Raw:
    """Talks to the REST API."""

    def __init__(self, sandbox: Sandbox, session: aiohttp.ClientSession) -> None:
        self.sandbox = sandbox
        self.session = session
        self.application = sandbox.person("Parlour").id

    async def send(
        self, method: str, path: str, body: object = None, *, token: str | None = None
    ) -> Answered:
        headers = {"Authorization": f"Bot {self.sandbox.token if token is None else token}"}
        url = self.sandbox.api + path
        async with self.session.request(method, url, json=body, headers=headers) as response:
            text = await response.text()
            return Answered(response.status, await response.json() if text else None)

    async def register(self, *commands: Payload) -> Answered:
        """Replace the global commands."""
        path = f"/applications/{self.application}/commands"
        return await self.send("PUT", path, list(commands) or [GO])

    async def typed(self, person: str = "Ann", channel: str = "games") -> Interaction:
        """`/go`, typed by a person, as the bot hears of it."""
        await self.register()
        return await self.sandbox.person(person).type(self.sandbox.channel(channel), "go")

    async def respond(
        self, interaction: Interaction, kind: int, data: object = None, *, query: str = ""
    ) -> Answered:
        path = f"/interactions/{interaction.id}/{interaction.token}/callback{query}"
        return await self.send("POST", path, {"type": kind, "data": data}, token="")

    async def webhook(
        self, method: str, interaction: Interaction, path: str = "", body: object = None
    ) -> Answered:
        start = f"/webhooks/{self.application}/{interaction.token}"
        return await self.send(method, start + path, body, token="")

    async def post(self, channel: str, body: object) -> Answered:
        """A message of the bot, without any interaction."""
        channel_id = self.sandbox.channel(channel).id
        return await self.send("POST", f"/channels/{channel_id}/messages", body)


@asynccontextmanager
async def raw(sandbox: Sandbox) -> AsyncIterator[Raw]:
    """Requests to the sandbox."""
    async with aiohttp.ClientSession() as session:
        yield Raw(sandbox, session)
