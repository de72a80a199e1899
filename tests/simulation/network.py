"""Connections in memory, as TCP promises them: whole, in order, late, or cut.

Each end runs in the context of its process. Bytes of one direction arrive in the order in which
they were written; those of different connections overtake each other.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Never

if TYPE_CHECKING:
    from tests.simulation.loop import VirtualLoop

HOST: Final = "127.0.0.1"

ASKED: Final[ContextVar[End | None]] = ContextVar("asked", default=None)
"""The server's end of the connection over which the request came that is being carried out."""


class Socket:
    """A socket that aiohttp's client connects: the number of a port."""

    def __init__(self, port: int) -> None:
        self.port = port


class Listener:
    """A socket that a server listens on."""

    family = socket.AF_INET

    def __init__(self, port: int) -> None:
        self.port = port

    def getsockname(self) -> tuple[str, int]:
        """The address."""
        return HOST, self.port

    def close(self) -> None:
        """Close nothing."""


class Server(asyncio.AbstractServer):
    """A server on a port, until it is closed."""

    def __init__(
        self, network: Network, port: int, factory: Callable[[], asyncio.BaseProtocol]
    ) -> None:
        self._network = network
        self.port = port
        self.factory = factory
        self.context = copy_context()

    def close(self) -> None:
        """Take no more connections."""
        self._network.stop(self)

    async def wait_closed(self) -> None:
        """Return at once."""

    def get_loop(self) -> asyncio.AbstractEventLoop:
        """The loop of the network."""
        return asyncio.get_running_loop()

    def is_serving(self) -> bool:
        """Whether it takes connections."""
        return self._network.serves(self)

    async def start_serving(self) -> None:
        """Begin nothing: it has been serving since it was made."""

    async def serve_forever(self) -> Never:
        """Wait until cancelled."""
        await self.get_loop().create_future()
        raise AssertionError("nothing ends it")


class End(asyncio.Transport):
    """One end of a connection."""

    def __init__(self, loop: VirtualLoop, port: int, context: Context) -> None:
        address = HOST, port
        super().__init__({"peername": address, "sockname": address})
        self._loop = loop
        self._context = context
        self._protocol: Any = None
        self._last = 0.0
        self._closing = self._lost = self._paused = False
        self._held: list[bytes] = []
        self.peer: End

    def begin(self, factory: Callable[[], asyncio.BaseProtocol]) -> asyncio.BaseProtocol:
        """Make the protocol of this end and tell it of the connection."""
        self._protocol = factory()
        self._protocol.connection_made(self)
        return self._protocol  # type: ignore[no-any-return]

    def write(self, data: Any) -> None:
        if not self._closing and data:
            self._carry(self.peer._receive, bytes(data))

    def can_write_eof(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Bound nothing: what is written leaves at once."""

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self._protocol  # type: ignore[no-any-return]

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = protocol

    def is_closing(self) -> bool:
        return self._closing

    def is_reading(self) -> bool:
        return not self._paused and not self._closing

    def pause_reading(self) -> None:
        self._paused = True

    def resume_reading(self) -> None:
        if self._paused:
            self._paused = False
            self._loop.call_soon(self._receive, b"", context=self._context)

    def close(self) -> None:
        """End after what was written."""
        if not self._closing:
            self._closing = True
            self._carry(self.peer._ended)
            self._loop.call_soon(self._lose, None, context=self._context)

    def abort(self) -> None:
        """Cut the connection."""
        if not self._closing:
            self._closing = True
            self._carry(self.peer._cut)
            self._loop.call_soon(self._lose, None, context=self._context)

    def vanish(self) -> None:
        """Cut the connection as a process does that is killed: it hears nothing of it."""
        if not self._closing:
            self._closing = self._lost = True
            self._carry(self.peer._cut)

    def _carry(self, what: Callable[..., None], *args: Any) -> None:
        self._last = max(self._last, self._loop.time() + self._loop.pace.wire())
        self._loop.call_at(self._last, what, *args, context=self.peer._context)

    def _receive(self, data: bytes) -> None:
        if self._lost or self._closing:
            return
        self._held.append(data)
        while self._held and not self._paused and not self._closing:
            if piece := self._held.pop(0):
                self._protocol.data_received(piece)

    def _ended(self) -> None:
        if not self._closing and not self._protocol.eof_received():
            self.close()

    def _cut(self) -> None:
        if not self._closing:
            self._closing = True
            self._lose(ConnectionResetError("Connection lost"))

    def _lose(self, error: Exception | None) -> None:
        if not self._lost:
            self._lost = True
            self._loop.network.ends.pop(self, None)
            self._protocol.connection_lost(error)


class Network:
    """All servers and connections of a loop."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop
        self._servers: dict[int, Server] = {}
        self._ports = count(40_000)
        self.ends: dict[End, None] = {}

    def listener(self, port: int) -> Listener:
        """A listener on a port; 0 takes a free one."""
        return Listener(port or next(self._ports))

    def serve(self, listener: Listener, factory: Callable[[], asyncio.BaseProtocol]) -> Server:
        """A server that listens from now on."""
        server = self._servers[listener.port] = Server(self, listener.port, factory)
        return server

    def stop(self, server: Server) -> None:
        """Take no more connections to a server."""
        if self.serves(server):
            del self._servers[server.port]

    def serves(self, server: Server) -> bool:
        """Whether a server takes connections."""
        return self._servers.get(server.port) is server

    async def reach(self, port: int) -> Socket:
        """A socket that is connected to a port.

        Raises:
            ConnectionRefusedError: No server listens there.
        """
        await asyncio.sleep(self._loop.pace.wire())
        if port not in self._servers:
            raise ConnectionRefusedError(111, f"Nothing listens on port {port}")
        return Socket(port)

    def connect(
        self, to: Socket, factory: Callable[[], asyncio.BaseProtocol]
    ) -> tuple[End, asyncio.BaseProtocol]:
        """The near end of a new connection, and its protocol.

        Raises:
            ConnectionRefusedError: No server listens there any more.
        """
        server = self._servers.get(to.port)
        if server is None:
            raise ConnectionRefusedError(111, f"Nothing listens on port {to.port}")
        near = End(self._loop, next(self._ports), copy_context())
        far = End(self._loop, to.port, server.context.copy())
        near.peer, far.peer = far, near
        far._context.run(ASKED.set, far)
        self.ends[near] = self.ends[far] = None
        self._loop.call_soon(far.begin, server.factory, context=far._context)
        return near, near.begin(factory)

    def ends_of(self, process: object) -> list[End]:
        """The ends of a process's connections."""
        from tests.simulation.loop import PROCESS  # noqa: PLC0415 - it imports this module

        return [each for each in self.ends if each._context.get(PROCESS) is process]
