"""The gateway: the websocket over which the bot hears of what happens."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from aiohttp import WSMsgType, web

from bot.sandbox.model.guild import Membership
from bot.sandbox.model.news import BotPresence
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload, is_object
from bot.sandbox.web.events import GatewayEvents
from bot.sandbox.web.gateway_session import Connection, GatewaySession, read_shard
from bot.sandbox.web.protocol import HEARTBEAT, PRIVILEGED, Close, Closing, Intent, Op
from bot.sandbox.web.views import guild_event, ready_event
from bot.sandbox.web.wire import Wire

_FAREWELL: Final = 1.0
"""Seconds that a client has to confirm that the connection is closed."""

_ACK_AFTER: Final = 0.05
"""Seconds until a heartbeat is acknowledged."""


class Gateway:
    """All sessions; `address` is the gateway's own."""

    def __init__(self, world: World, wire: Wire, address: Callable[[], str]) -> None:
        self._world = world
        self._address = address
        self.sessions: dict[str, GatewaySession] = {}
        self.connections: set[Connection] = set()
        self.refusing = False
        """Whether nobody finds a way in."""
        self.events = GatewayEvents(world, self.sessions, wire)

    @property
    def online(self) -> bool:
        """Whether the bot is connected and has identified itself."""
        return any(session.connection is not None for session in self.sessions.values())

    async def close(self, code: int = 1001) -> None:
        """Close every connection with a code, such as 4004 for a token that is not valid."""
        for connection in tuple(self.connections):
            await connection.close(code)

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection until it ends."""
        if self.refusing:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(compress=False, timeout=_FAREWELL)
        await socket.prepare(request)
        connection = Connection(socket, request)
        self.connections.add(connection)
        pump = asyncio.create_task(connection.pump())
        try:
            await self._talk(connection, socket, request.query.get("v", "10"))
        finally:
            pump.cancel()
            with suppress(asyncio.CancelledError, ConnectionError):
                await pump
            self.connections.discard(connection)
            self._leave(connection, socket.close_code)
        return socket

    async def _talk(
        self, connection: Connection, socket: web.WebSocketResponse, version: str
    ) -> None:
        if version != "10":
            await socket.close(code=Close.INVALID_VERSION)
            return
        try:
            connection.send_op(Op.HELLO, {"heartbeat_interval": HEARTBEAT})
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    self._hear(connection, message.data)
        except Closing as closing:
            await socket.close(code=closing.code, message=str(closing).encode())

    def _leave(self, connection: Connection, code: int | None) -> None:
        session = connection.session
        if session is None or session.connection is not connection:
            return
        session.connection = None
        if code in {1000, 1001}:
            self.sessions.pop(session.id, None)
        if not self.online:
            self._world.news.tell(BotPresence(online=False))

    def _hear(self, connection: Connection, raw: str) -> None:
        try:
            frame = _object(json.loads(raw))
        except ValueError:
            raise Closing(Close.NOT_JSON) from None
        op, data = frame.get("op"), frame.get("d")
        token = self._world.application.token
        if op in {Op.IDENTIFY, Op.RESUME} and _object(data).get("token") != token:
            raise Closing(Close.WRONG_TOKEN)
        match op:
            case Op.HEARTBEAT:
                self._beat(connection, data)
            case Op.IDENTIFY:
                self._identify(connection, _object(data))
            case Op.RESUME:
                self._resume(connection, _object(data))
            case Op.PRESENCE | Op.VOICE | Op.MEMBERS:
                if connection.session is None:
                    raise Closing(Close.NOT_AUTHENTICATED)
            case _:
                raise Closing(Close.UNKNOWN_OP)

    def _beat(self, connection: Connection, sequence: object) -> None:
        if connection.session is not None:
            connection.session.confirm(_number(sequence))
        # discord.py notes when it sent a heartbeat after sending it: an answer within that moment
        # would look to it like one to the heartbeat before, 41 s late.
        asyncio.get_running_loop().call_later(_ACK_AFTER, connection.send_op, Op.HEARTBEAT_ACK)

    def _identify(self, connection: Connection, data: Payload) -> None:
        if connection.session is not None:
            raise Closing(Close.ALREADY_AUTHENTICATED)
        intents = _number(data.get("intents"))
        if intents & PRIVILEGED:
            raise Closing(Close.DISALLOWED_INTENTS)
        session = GatewaySession(secrets.token_urlsafe(), read_shard(data.get("shard")), intents)
        for old in tuple(self.sessions.values()):
            if old.shard == session.shard and old.connection is None:
                del self.sessions[old.id]
        self.sessions[session.id] = session
        self._attach(session, connection)
        application = self._world.application
        application.starts.append((self._world.clock.now(), session.shard[0]))
        covered = [each for each in self._world.guilds.values() if session.covers(each.id)]
        started: Payload = {
            "session_id": session.id,
            "shard": list(session.shard),
            "resume_gateway_url": self._address(),
        }
        self.events.send(session, "READY", ready_event(self._world, covered) | started)
        for guild in covered:
            if guild.membership is Membership.JOINED and intents & Intent.GUILDS:
                self.events.send(session, "GUILD_CREATE", guild_event(self._world, guild))
        self._world.news.tell(BotPresence(online=True))

    def _resume(self, connection: Connection, data: Payload) -> None:
        session = self.sessions.get(str(data.get("session_id")))
        missed = session.missed(_number(data.get("seq"))) if session is not None else None
        if session is None or missed is None:
            connection.send_op(Op.INVALID_SESSION, data=False)
            return
        for frame in missed:
            connection.send(frame)
        self._attach(session, connection)
        self.events.send(session, "RESUMED", {})
        self._world.news.tell(BotPresence(online=True))

    def _attach(self, session: GatewaySession, connection: Connection) -> None:
        if session.connection is not None:
            session.connection.cut()
        session.connection = connection
        connection.session = session


def _object(value: object) -> Payload:
    return value if is_object(value) else {}


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
