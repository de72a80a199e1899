"""News for a web page, over a websocket: browsers allow only six streams of events to one host."""

from __future__ import annotations

import asyncio
import json
from typing import Final

from aiohttp import web

from bot.sandbox.model.accounts import Account
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
from bot.sandbox.payload import Payload, Snowflake
from bot.sandbox.web.snapshot import commands, place, shown_message, shown_to_self, snapshot

_FAREWELL: Final = 1.0
_HEARTBEAT: Final = 20.0
"""Seconds after which a page that says nothing is asked whether it is still there."""


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
        self._put("world", snapshot(self._world, self._person, online=online))
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
                self._put("me", shown_to_self(self._world, account))
            case ChannelChange(channel, added=True) if channel.open_to(person):
                self._put("channel", place(channel, self._world))
            case BotPresence(online):
                self._put("bot", {"online": online})
            case Notice.COMMANDS:
                self._put("commands", {"commands": commands(self._world)})
            case Notice.CLOCK:
                self._put("clock", {"now": self._world.clock.now()})
            case InteractionChange(interaction):
                self._progress(interaction)

    def _tell(self, message: Message, event: MessageEvent) -> None:
        channel: Payload = {"channel_id": str(message.channel.id)}
        if event in {MessageEvent.WRITTEN, MessageEvent.REWRITTEN}:
            if self._world.sees(self._person, message):
                shown = shown_message(message, self._person)
                self._put("message", {**channel, "message": shown})
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
