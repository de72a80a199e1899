"""Several processes on one PostgreSQL database: the news between them, and turns to identify."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import create_engine
from sqlalchemy.engine import make_url

from bot.backoff import Backoff
from bot.storage.postgres_server import NEWS

if TYPE_CHECKING:
    from psycopg import AsyncConnection

log = logging.getLogger(__name__)

IDENTIFYING: Final = 0x7061726F
"""The first number of the lock for identifying a shard; the second is the bucket."""

APART: Final = 5.0
"""Seconds that Discord wants between two."""

PAUSE: Final = 1.0
"""Seconds until a server that was away is asked again."""


class Processes:
    """This process among the others on a database."""

    def __init__(self, address: str) -> None:
        url = make_url(address).set(drivername="postgresql+psycopg")
        self._given = create_engine(url).dialect.create_connect_args(url)[1]
        self._holding: set[asyncio.Task[None]] = set()

    async def news(self) -> AsyncIterator[str | None]:
        """The news of the others; None when some may have been missed, as at the beginning."""
        backoff = Backoff(PAUSE)
        while True:
            try:
                async with self._connected() as session:
                    await session.execute(f"LISTEN {NEWS}")
                    yield None
                    async for notice in session.notifies():
                        yield notice.payload
            except _lost() as error:
                log.debug("news of other processes broke off error=%r", error)
            await asyncio.sleep(backoff.uneven_pause())

    async def take_turn(self, bucket: int) -> None:
        """Wait until a shard of the bucket may identify itself; for 5 s no other one may."""
        taken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        holding = asyncio.create_task(self._hold(bucket, taken), name=f"identify {bucket}")
        self._holding.add(holding)
        holding.add_done_callback(self._holding.discard)
        try:
            await taken
        except asyncio.CancelledError:
            holding.cancel()
            raise

    async def close(self) -> None:
        """Give all turns back."""
        for holding in self._holding:
            holding.cancel()
        await asyncio.gather(*self._holding, return_exceptions=True)

    async def _hold(self, bucket: int, taken: asyncio.Future[None]) -> None:
        """Take the lock of a bucket, and keep it for as long as Discord wants."""
        backoff = Backoff(PAUSE)
        while not taken.done():
            try:
                async with self._connected() as session:
                    await session.execute("SELECT pg_advisory_lock(%s, %s)", (IDENTIFYING, bucket))
                    taken.set_result(None)
                    await asyncio.sleep(APART)
            except _lost() as error:
                log.debug("turn to identify broke off error=%r", error)
                await asyncio.sleep(backoff.uneven_pause())

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[AsyncConnection[Any]]:
        from psycopg import AsyncConnection  # noqa: PLC0415 - an extra

        async with await AsyncConnection.connect(autocommit=True, **self._given) as session:
            yield session


def _lost() -> type[Exception]:
    from psycopg import OperationalError  # noqa: PLC0415 - an extra

    lost: type[Exception] = OperationalError
    return lost
