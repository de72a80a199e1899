"""Gateway sessions: what was sent, and what has to be sent again after a cut."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections import deque
from dataclasses import dataclass, field
from typing import Final

from aiohttp import web

from bot.sandbox.payload import Payload
from bot.sandbox.snowflakes import Snowflake
from bot.sandbox.web.protocol import Close, Closing

_KEPT: Final = 4096
"""So many events that the client has not confirmed are kept for a RESUME."""


class Connection:
    """A websocket; frames go out in the order in which they are sent."""

    def __init__(self, socket: web.WebSocketResponse, request: web.Request) -> None:
        self.session: GatewaySession | None = None
        self._socket = socket
        self._request = request
        self._frames: asyncio.Queue[str] = asyncio.Queue()
        compressed = request.query.get("compress") == "zlib-stream"
        self._deflate = zlib.compressobj(level=1) if compressed else None

    def send(self, frame: str) -> None:
        """Send a frame, soon."""
        self._frames.put_nowait(frame)

    def send_op(self, op: int, data: object = None) -> None:
        """Send anything but an event."""
        self.send(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    async def pump(self) -> None:
        """Carry the frames to the socket, until cancelled."""
        while True:
            frame = await self._frames.get()
            if self._deflate is None:
                await self._socket.send_str(frame)
            else:
                squeezed = self._deflate.compress(frame.encode())
                await self._socket.send_bytes(squeezed + self._deflate.flush(zlib.Z_SYNC_FLUSH))

    async def close(self, code: int) -> None:
        """Close in good order, with a code of Discord's."""
        await self._socket.close(code=code)

    def cut(self) -> None:
        """Break off without a word."""
        if self._request.transport is not None:
            self._request.transport.abort()


@dataclass(eq=False, slots=True)
class GatewaySession:
    """A session of the gateway: begun with IDENTIFY, taken up again with RESUME.

    `shard` is (number, count).
    """

    id: str
    shard: tuple[int, int]
    intents: int
    connection: Connection | None = None
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

    def missed(self, sequence: int) -> list[str] | None:
        """The frames after `sequence`; None if they are not kept any more, or never were sent."""
        oldest = self._unconfirmed[0][0] if self._unconfirmed else self.sequence + 1
        if not oldest - 1 <= sequence <= self.sequence:
            return None
        return [frame for number, frame in self._unconfirmed if number > sequence]


def read_shard(value: object) -> tuple[int, int]:
    """The number of the shard that identifies itself, and how many there are.

    Raises:
        Closing: There can be no such shard.
    """
    match value:
        case [int(number), int(count)] if 0 <= number < count:
            return number, count
        case None:
            return 0, 1
    raise Closing(Close.INVALID_SHARD)
