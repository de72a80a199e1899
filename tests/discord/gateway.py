"""A gateway with shards, sessions that can be resumed, compression, and codes to close with."""

from __future__ import annotations

import asyncio
import json
import secrets
import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import reduce
from operator import or_
from typing import Final

from aiohttp import web

from bot.sandbox.model.news import BotPresence
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload, Snowflake, is_object
from bot.sandbox.web.calls import Wire
from bot.sandbox.web.gateway import Connection, Gateway, Op
from tests.discord.application import Application

RECONNECT: Final = 7
_WITHOUT_EFFECT: Final = frozenset({3, 4, 8})
"""The operations for presence, voice and members."""

_PRIVILEGED: Final = 1 << 1 | 1 << 8 | 1 << 15
"""The intents for members, presences, and the content of messages."""

_KEPT: Final = 4096
"""The most unconfirmed events that are kept for a RESUME."""


class Close(IntEnum):
    """Why the gateway closes."""

    UNKNOWN_OP = 4001
    NOT_JSON = 4002
    NOT_AUTHENTICATED = 4003
    WRONG_TOKEN = 4004
    ALREADY_AUTHENTICATED = 4005
    INVALID_SHARD = 4010
    INVALID_VERSION = 4012
    DISALLOWED_INTENTS = 4014


class Closing(Exception):
    """The client has done something for which the gateway closes."""

    def __init__(self, why: Close) -> None:
        super().__init__(why.name)
        self.code = why.value


@dataclass(eq=False, slots=True)
class GatewaySession:
    """A session of the gateway: begun with IDENTIFY, taken up again with RESUME.

    `shard` is (number, count).
    """

    id: str
    shard: tuple[int, int]
    intents: int
    connection: StrictConnection | None = None
    sequence: int = 0
    _unconfirmed: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=_KEPT))

    def covers(self, guild_id: Snowflake | None) -> bool:
        """Whether events of the server (or, with None, direct messages) belong to this shard."""
        number, count = self.shard
        return number == (0 if guild_id is None else (guild_id >> 22) % count)

    def send(self, name: str, data: Payload) -> None:
        """Send an event, now or when the client comes back."""
        self.sequence += 1
        frame = json.dumps({"op": 0, "s": self.sequence, "t": name, "d": data})
        self._unconfirmed.append((self.sequence, frame))
        if self.connection is not None:
            self.connection.send(frame)

    def confirm(self, sequence: int) -> None:
        """Forget the events up to `sequence`, which have arrived."""
        while self._unconfirmed and self._unconfirmed[0][0] <= sequence:
            self._unconfirmed.popleft()

    def repeat(self, count: int) -> list[str]:
        """Send the last few events once more, in their order, and return their frames."""
        last = [frame for _, frame in self._unconfirmed][-count:]
        again = [frame for frame in last if json.loads(frame)["t"] not in {"READY", "RESUMED"}]
        if self.connection is not None:
            for frame in again:
                self.connection.send(frame)
        return again

    def missed(self, sequence: int) -> list[str] | None:
        """The frames after `sequence`; None if they are not kept any more, or never were sent."""
        oldest = self._unconfirmed[0][0] if self._unconfirmed else self.sequence + 1
        if not oldest - 1 <= sequence <= self.sequence:
            return None
        return [frame for number, frame in self._unconfirmed if number > sequence]


class StrictConnection(Connection):
    """A websocket, compressed if that is asked for, whose events its session sends."""

    def __init__(self, socket: web.WebSocketResponse, request: web.Request) -> None:
        super().__init__(socket, request)
        self.session: GatewaySession | None = None
        compressed = request.query.get("compress") == "zlib-stream"
        self._deflate = zlib.compressobj(level=1) if compressed else None
        self.lag = 0.0
        """Seconds for which each frame is held up, and all behind it."""

    async def transmit(self, frame: str) -> None:
        if self.lag:
            await asyncio.sleep(self.lag)
        if self._deflate is None:
            await super().transmit(frame)
        else:
            squeezed = self._deflate.compress(frame.encode())
            await self.socket.send_bytes(squeezed + self._deflate.flush(zlib.Z_SYNC_FLUSH))


class StrictGateway(Gateway):
    """A gateway that closes on clients that misbehave."""

    def __init__(self, world: World, wire: Wire, address: Callable[[], str]) -> None:
        super().__init__(world, wire, address)
        self.sessions: dict[str, GatewaySession] = {}
        self.refusing = False
        """Whether nobody finds a way in."""

    @property
    def online(self) -> bool:
        return any(session.connection is not None for session in self.sessions.values())

    @property
    def listening(self) -> int:
        return reduce(or_, (session.intents for session in self.sessions.values()), 0)

    @property
    def application(self) -> Application:
        """The application whose token opens the gateway."""
        application = self.world.application
        assert isinstance(application, Application)
        return application

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        if self.refusing:
            raise web.HTTPServiceUnavailable
        return await super().connect(request)

    def connection(self, socket: web.WebSocketResponse, request: web.Request) -> Connection:
        return StrictConnection(socket, request)

    async def talk(self, connection: Connection, request: web.Request) -> None:
        if request.query.get("v", "10") != "10":
            await connection.socket.close(code=Close.INVALID_VERSION)
            return
        try:
            await super().talk(connection, request)
        except Closing as closing:
            await connection.socket.close(code=closing.code, message=str(closing).encode())

    def left(self, connection: Connection) -> None:
        assert isinstance(connection, StrictConnection)
        session = connection.session
        if session is None or session.connection is not connection:
            return
        session.connection = None
        if connection.socket.close_code in {1000, 1001}:
            self.sessions.pop(session.id, None)
        if not self.online:
            self.world.news.tell(BotPresence(online=False))

    def hear(self, connection: Connection, raw: str) -> None:
        assert isinstance(connection, StrictConnection)
        try:
            frame = _object(json.loads(raw))
        except ValueError:
            raise Closing(Close.NOT_JSON) from None
        op, data = frame.get("op"), frame.get("d")
        token = self.application.token
        if op in {Op.IDENTIFY, Op.RESUME} and _object(data).get("token") != token:
            raise Closing(Close.WRONG_TOKEN)
        match op:
            case Op.HEARTBEAT:
                if connection.session is not None:
                    connection.session.confirm(_number(data))
                super().heed(connection, op, data)
            case Op.IDENTIFY:
                self._identify(connection, _object(data))
            case Op.RESUME:
                self._resume(connection, _object(data))
            case int() if op in _WITHOUT_EFFECT:
                if connection.session is None:
                    raise Closing(Close.NOT_AUTHENTICATED)
            case _:
                raise Closing(Close.UNKNOWN_OP)

    def _identify(self, connection: StrictConnection, data: Payload) -> None:
        if connection.session is not None:
            raise Closing(Close.ALREADY_AUTHENTICATED)
        intents = _number(data.get("intents"))
        if intents & _PRIVILEGED:
            raise Closing(Close.DISALLOWED_INTENTS)
        session = GatewaySession(secrets.token_urlsafe(), _shard(data.get("shard")), intents)
        for old in tuple(self.sessions.values()):
            if old.shard == session.shard and old.connection is None:
                del self.sessions[old.id]
        self.sessions[session.id] = session
        self._attach(session, connection)
        self.application.starts.append((self.world.clock.now(), session.shard[0]))
        self.welcome(connection, session.id, list(session.shard))

    def _resume(self, connection: StrictConnection, data: Payload) -> None:
        session = self.sessions.get(str(data.get("session_id")))
        missed = session.missed(_number(data.get("seq"))) if session is not None else None
        if session is None or missed is None:
            connection.send_op(Op.INVALID_SESSION, data=False)
            return
        for frame in missed:
            connection.send(frame)
        self._attach(session, connection)
        self.send(connection, "RESUMED", {})
        self.world.news.tell(BotPresence(online=True))

    def _attach(self, session: GatewaySession, connection: StrictConnection) -> None:
        if session.connection is not None:
            session.connection.cut()
        session.connection = connection
        connection.session = session
        connection.intents = session.intents

    def covers(self, connection: Connection, guild_id: Snowflake | None) -> bool:
        assert isinstance(connection, StrictConnection)
        return connection.session is not None and connection.session.covers(guild_id)

    def send(self, connection: Connection, name: str, data: Payload) -> None:
        assert isinstance(connection, StrictConnection)
        if connection.session is not None:
            self._send(connection.session, name, data)

    def _send(self, session: GatewaySession, name: str, data: Payload) -> None:
        session.send(name, data)
        self.wire.told(name, data)

    def dispatch(
        self, name: str, data: Payload, guild_id: Snowflake | None, needs: int = 0
    ) -> None:
        for session in self.sessions.values():
            if session.covers(guild_id) and session.intents & needs == needs:
                self._send(session, name, data)


def _shard(value: object) -> tuple[int, int]:
    match value:
        case [int(number), int(count)] if 0 <= number < count:
            return number, count
        case None:
            return 0, 1
    raise Closing(Close.INVALID_SHARD)


def _object(value: object) -> Payload:
    return value if is_object(value) else {}


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
