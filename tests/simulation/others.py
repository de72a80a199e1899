"""Several processes on one database: their news, turns to identify, and what they think about.

Between real ones PostgreSQL carries the news and holds the turns. Here a hub does, with the delays
of a connection; the file is one that several may write, since the loop carries out one transaction
at a time.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, cast

from bot.storage.processes import APART, Claims
from bot.storage.shards import WHOLE, Share
from bot.storage.sqlite_file import SqliteFile
from bot.table.session import SessionId
from tests.simulation.loop import PROCESS, Process, VirtualLoop


class Hub:
    """The server between the processes of a simulation."""

    def __init__(self) -> None:
        self.queues: dict[asyncio.Queue[str], None] = {}
        self.free: defaultdict[int, float] = defaultdict(float)
        self.thinking: dict[SessionId, Process] = {}
        self.twice: Callable[[SessionId], None] = lambda _: None
        """Called when a second process begins to think about a table."""


HUB: Final = Hub()


class LoopOthers:
    """`bot.storage.processes.Processes`, without a PostgreSQL server."""

    def __init__(self, address: str) -> None:
        del address

    async def news(self) -> AsyncIterator[str | None]:
        """The news of the others; None at the beginning."""
        queue: asyncio.Queue[str] = asyncio.Queue()
        HUB.queues[queue] = None
        yield None
        while True:
            yield await queue.get()

    async def take_turn(self, bucket: int) -> None:
        """Wait until a shard of the bucket may identify itself."""
        now = asyncio.get_running_loop().time()
        turn = max(now, HUB.free[bucket])
        HUB.free[bucket] = turn + APART
        await asyncio.sleep(turn - now)

    async def close(self) -> None:
        """Give nothing back: turns end by themselves."""


def notify(connection: object, news: str) -> None:
    """Tell all processes, a little later, as of a transaction that is committed by then."""
    del connection
    loop = cast("VirtualLoop", asyncio.get_running_loop())
    for queue in HUB.queues:
        loop.call_later(0.1 + loop.pace.wire(), queue.put_nowait, news)


@contextmanager
def held(self: Claims, session: SessionId) -> Iterator[None]:
    """Keep a claim as `Claims.held` does, and see that no other living process has it."""
    process = PROCESS.get()
    other = HUB.thinking.get(session)
    if other is not None and other is not process and other.alive:
        HUB.twice(session)
    if process is not None:
        HUB.thinking[session] = process
    try:
        with HELD(self, session):
            yield
    finally:
        if HUB.thinking.get(session) is process:
            del HUB.thinking[session]


HELD: Final = Claims.held
SOLE_USER: Final = SqliteFile.sole_user


def sole_user(self: SqliteFile, share: Share = WHOLE, schema: str = "") -> Any:
    """Keep others off the file, unless the share leaves work to them."""
    return SOLE_USER(self, share, schema) if share.whole else _shared()


@contextmanager
def _shared() -> Iterator[None]:
    yield
