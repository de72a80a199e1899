"""News for a web page, as server-sent events."""

from __future__ import annotations

import asyncio
import json
from typing import Final

from aiohttp import web

from bot.sandbox.model.accounts import Account
from bot.sandbox.model.interactions import Act, Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.model.news import (
    BotPresence,
    Change,
    CommandsChanged,
    Deleted,
    Dismissed,
    Permitted,
    Progressed,
    Rewritten,
    Started,
    Written,
)
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload
from bot.sandbox.snowflakes import Snowflake
from bot.sandbox.web.snapshot import rights

_QUIET: Final = 15.0
"""Seconds of silence after which a comment is sent, so that nobody takes the stream for dead."""


class Stream:
    """What happens from now on, as far as `person` notices it."""

    def __init__(self, world: World, person: Account) -> None:
        self._world = world
        self._person = person
        self._pending: asyncio.Queue[str | None] = asyncio.Queue()
        self._opened: set[Snowflake] = set()

    def end(self) -> None:
        """Send nothing more."""
        self._pending.put_nowait(None)

    async def run(self, request: web.Request) -> web.StreamResponse:
        """Send the events until the page or the sandbox is closed."""
        headers = {"Content-Type": "text/event-stream", "Cache-Control": "no-cache"}
        response = web.StreamResponse(headers=headers)
        stop = self._world.news.listen(self._hear)
        try:
            await response.prepare(request)
            self._put("hello", {})
            while (event := await self._next()) is not None:
                await response.write(event.encode())
        except ConnectionError:
            return response
        finally:
            stop()
        return response

    async def _next(self) -> str | None:
        try:
            async with asyncio.timeout(_QUIET):
                return await self._pending.get()
        except TimeoutError:
            return ": still here\n\n"

    def _put(self, event: str, data: Payload) -> None:
        self._pending.put_nowait(f"event: {event}\ndata: {json.dumps(data)}\n\n")

    def _hear(self, change: Change) -> None:
        match change:
            case Written(message) | Rewritten(message):
                if self._world.sees(self._person, message):
                    where = str(message.channel.id)
                    self._put("message", {"channel_id": where, "message": message.payload()})
            case Deleted(message) | Dismissed(message):
                self._remove(message)
            case CommandsChanged():
                commands = [command.payload() for command in self._world.commands]
                self._put("commands", {"commands": commands})
            case Permitted(account):
                if account is self._person:
                    self._put("me", rights(self._world, account))
            case BotPresence(online):
                self._put("bot", {"online": online})
            case Started(interaction) | Progressed(interaction):
                self._progress(interaction)

    def _remove(self, message: Message) -> None:
        own = message.reader in {None, self._person}
        if own and message.channel.open_to(self._person):
            where = str(message.channel.id)
            self._put("message_delete", {"channel_id": where, "id": str(message.id)})

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
