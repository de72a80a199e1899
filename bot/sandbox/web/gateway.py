"""The gateway: the websocket over which the bot hears of what happens."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from enum import IntEnum, IntFlag
from functools import reduce
from operator import or_
from typing import Final

from aiohttp import WSMsgType, web

from bot.sandbox.model.accounts import Membership
from bot.sandbox.model.channels import ChannelKind
from bot.sandbox.model.messages import Message
from bot.sandbox.model.news import (
    BotPresence,
    Change,
    ChannelChange,
    InteractionChange,
    MessageChange,
    MessageEvent,
)
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload, Snowflake, is_object, parsed
from bot.sandbox.web.calls import Wire
from bot.sandbox.web.views import guild_event, in_event, interaction_event, ready_event

_HEARTBEAT: Final = 41_250
"""Milliseconds between the client's heartbeats."""

_FAREWELL: Final = 1.0
"""Seconds that a client has to confirm that the connection is closed."""

_ACK_AFTER: Final = 0.05
"""Seconds until a heartbeat is acknowledged."""


class Op(IntEnum):
    """The purposes of frames."""

    HEARTBEAT = 1
    IDENTIFY = 2
    RESUME = 6
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Intent(IntFlag):
    """The events that a bot can ask for, as far as the sandbox has them."""

    GUILDS = 1 << 0
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12


class Connection:
    """A websocket; frames go out in the order in which they are sent."""

    def __init__(self, socket: web.WebSocketResponse, request: web.Request) -> None:
        self.intents: int | None = None
        """The events that the bot has asked for, once it has identified itself."""
        self.sequence = 0
        self.socket = socket
        self._request = request
        self._frames: asyncio.Queue[str] = asyncio.Queue()

    def send(self, frame: str) -> None:
        """Send a frame, soon."""
        self._frames.put_nowait(frame)

    def send_op(self, op: int, data: object = None) -> None:
        """Send anything but an event."""
        self.send(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    def send_event(self, name: str, data: Payload) -> None:
        """Send an event."""
        self.sequence += 1
        self.send(json.dumps({"op": 0, "s": self.sequence, "t": name, "d": data}))

    async def pump(self) -> None:
        """Carry the frames to the socket, until cancelled."""
        while True:
            await self.transmit(await self._frames.get())

    async def transmit(self, frame: str) -> None:
        """Carry one frame to the socket."""
        await self.socket.send_str(frame)

    def cut(self) -> None:
        """Cut the connection without a close frame."""
        if self._request.transport is not None:
            self._request.transport.abort()


class Gateway:
    """All connections of the bot; `address` is the gateway's own."""

    def __init__(self, world: World, wire: Wire, address: Callable[[], str]) -> None:
        self.world = world
        self.wire = wire
        self.address = address
        self.connections: dict[Connection, None] = {}  # the oldest first
        world.news.listen(self._pass_on)

    @property
    def online(self) -> bool:
        """Whether the bot is connected and has identified itself."""
        return any(connection.intents is not None for connection in self.connections)

    @property
    def listening(self) -> int:
        """The intents that anybody has asked for."""
        return reduce(or_, (each.intents or 0 for each in self.connections), 0)

    async def close(self, code: int = 1001) -> None:
        """Close every connection with a code, such as 4004 for a token that is not valid."""
        for connection in tuple(self.connections):
            await connection.socket.close(code=code)

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection until it ends."""
        socket = web.WebSocketResponse(compress=False, timeout=_FAREWELL)
        await socket.prepare(request)
        connection = self.connection(socket, request)
        self.connections[connection] = None
        pump = asyncio.create_task(connection.pump())
        try:
            await self.talk(connection, request)
        finally:
            pump.cancel()
            with suppress(asyncio.CancelledError, ConnectionError):
                await pump
            self.connections.pop(connection, None)
            self.left(connection)
        return socket

    def connection(self, socket: web.WebSocketResponse, request: web.Request) -> Connection:
        """The connection over a socket."""
        return Connection(socket, request)

    async def talk(self, connection: Connection, request: web.Request) -> None:  # noqa: ARG002 - what it asks for, a strict Discord reads
        """Handle the client's frames until it disconnects."""
        connection.send_op(Op.HELLO, {"heartbeat_interval": _HEARTBEAT})
        async for message in connection.socket:
            if message.type is WSMsgType.TEXT:
                self.hear(connection, message.data)

    def left(self, connection: Connection) -> None:
        """Note that a connection has ended."""
        if connection.intents is not None and not self.online:
            self.world.news.tell(BotPresence(online=False))

    def hear(self, connection: Connection, raw: str) -> None:
        """Handle a frame from the client."""
        try:
            frame = parsed(raw)
        except ValueError:
            return
        if is_object(frame):
            self.heed(connection, frame.get("op"), frame.get("d"))

    def heed(self, connection: Connection, op: object, data: object) -> None:
        """Carry out a frame's operation."""
        match op:
            case Op.HEARTBEAT:
                # discord.py notes when it sent a heartbeat after sending it: an answer within that
                # moment would look to it like one to the heartbeat before, 41 s late.
                loop = asyncio.get_running_loop()
                loop.call_later(_ACK_AFTER, connection.send_op, Op.HEARTBEAT_ACK)
            case Op.IDENTIFY if is_object(data):
                intents = data.get("intents")
                connection.intents = intents if isinstance(intents, int) else 0
                self.welcome(connection, secrets.token_urlsafe(), data.get("shard") or [0, 1])
            case Op.RESUME:
                connection.send_op(Op.INVALID_SESSION, data=False)

    def welcome(self, connection: Connection, session: str, shard: object) -> None:
        """Send the initial state to a client that has just identified itself."""
        told: Payload = {"session_id": session, "shard": shard}
        told["resume_gateway_url"] = self.address()
        guilds = [each for each in self.world.guilds.values() if self.covers(connection, each.id)]
        self.send(connection, "READY", ready_event(self.world, guilds) | told)
        for guild in guilds:
            joined = guild.membership is Membership.JOINED
            if joined and (connection.intents or 0) & Intent.GUILDS:
                self.send(connection, "GUILD_CREATE", guild_event(self.world, guild))
        self.world.news.tell(BotPresence(online=True))

    def covers(self, connection: Connection, guild_id: Snowflake | None) -> bool:  # noqa: ARG002 - there is one connection, without shards
        """Whether events of the server (or, with None, direct messages) are for the connection."""
        return True

    def send(self, connection: Connection, name: str, data: Payload) -> None:
        """Send an event over one connection."""
        connection.send_event(name, data)
        self.wire.told(name, data)

    def dispatch(
        self, name: str, data: Payload, guild_id: Snowflake | None, needs: int = 0
    ) -> None:
        """Send an event over each connection that it is for and that asked for what it `needs`."""
        for connection in self.connections:
            asked = connection.intents
            if asked is not None and asked & needs == needs and self.covers(connection, guild_id):
                self.send(connection, name, data)

    def _pass_on(self, change: Change) -> None:
        match change:
            case InteractionChange(interaction, started=True):
                told = interaction_event(interaction, self.world)
                self.dispatch("INTERACTION_CREATE", told, interaction.channel.guild_id)
            case MessageChange(message, event):
                self._tell(message, event)
            case ChannelChange(channel, removed, added) if self.world.inside(channel):
                kind = "THREAD" if channel.kind is ChannelKind.THREAD else "CHANNEL"
                name = f"{kind}_{'DELETE' if removed else 'CREATE' if added else 'UPDATE'}"
                self.dispatch(name, channel.payload(), channel.guild_id, Intent.GUILDS)

    def _tell(self, message: Message, event: MessageEvent) -> None:
        guild_id = message.channel.guild_id
        needs = Intent.DIRECT_MESSAGES if guild_id is None else Intent.GUILD_MESSAGES
        heard = self.listening & needs
        if heard and not message.ephemeral and self.world.inside(message.channel):
            gone = event is MessageEvent.DELETED
            told = {"id": str(message.id)} | message.place if gone else in_event(message)
            self.dispatch(event.value, told, guild_id, needs)
