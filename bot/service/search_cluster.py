"""Workers of a Dask cluster, for searches beyond this machine.

The scheduler gives the work of a dead worker to another one, and gives up work that has killed
several. While no scheduler answers, a search waits for it, as it waits for a process to start. A
search that overruns on another machine is not ended; its result is ignored.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from importlib.metadata import version
from typing import Any, Final, TypeVar

from bot.clock import Backoff
from bot.service.search_processes import STARTING_SECONDS
from engine.workers import NoCluster, client_of

log = logging.getLogger(__name__)
T = TypeVar("T")

CONNECTING_SECONDS: Final = 5.0
PAUSE: Final = 0.5
"""The first pause, in seconds, before a scheduler that does not answer is tried again."""


class SearchCluster:
    """The workers of the Dask scheduler at an address."""

    def __init__(self, address: str, client: Any) -> None:  # noqa: ANN401 - Dask has no types
        self._address = address
        self._client = client
        self._backoff = Backoff(PAUSE)
        self._connecting: asyncio.Task[None] | None = None
        self._under_way: set[Future[Any]] = set()

    @classmethod
    async def at(cls, address: str) -> SearchCluster:
        """Connect to a scheduler whose workers all have this version of Parlour.

        Raises:
            NoCluster: No scheduler can be used there.
        """
        client = await asyncio.to_thread(_sound_client, address)
        log.info("search cluster address=%s workers=%d", address, len(client.ncores()))
        return cls(address, client)

    async def answer(self, work: Callable[..., T], about: tuple[object, ...], allowed: float) -> T:
        """The result of `work(*about)`; a worker that does not answer in time counts as lost."""
        try:
            async with asyncio.timeout(STARTING_SECONDS + allowed):
                while True:
                    client = await self._connected()
                    try:
                        return await self._asked(client, work, about)
                    except ConnectionError:
                        log.debug("search cluster lost address=%s", self._address)
                        await asyncio.sleep(self._backoff.uneven_pause())
        except TimeoutError as error:
            raise BrokenProcessPool("no worker of the cluster has answered") from error

    def close(self) -> None:
        """Leave the cluster, and drop the work under way."""
        for future in list(self._under_way):
            future.cancel()
        self._client.close()

    async def _connected(self) -> Any:  # noqa: ANN401
        while self._client.status == "closed":
            if self._connecting is None or self._connecting.done():
                self._connecting = asyncio.create_task(self._connect(), name="search cluster")
            await asyncio.shield(self._connecting)
        return self._client

    async def _connect(self) -> None:
        try:
            self._client = await asyncio.to_thread(
                client_of, self._address, seconds=CONNECTING_SECONDS
            )
        except NoCluster as error:
            log.warning("search cluster away error=%s", error)
            await asyncio.sleep(self._backoff.uneven_pause())
        else:
            log.info("search cluster back address=%s", self._address)

    async def _asked(
        self,
        client: Any,  # noqa: ANN401
        work: Callable[..., T],
        about: tuple[object, ...],
    ) -> T:
        """Have the cluster do a piece of work; cancelling the wait drops it there."""
        its_loop = client.loop.asyncio_loop
        future = asyncio.run_coroutine_threadsafe(_result(client, work, about), its_loop)
        self._under_way.add(future)
        try:
            return await asyncio.wrap_future(future)
        finally:
            self._under_way.discard(future)


async def _result(client: Any, work: Callable[..., T], about: tuple[object, ...]) -> T:  # noqa: ANN401
    """The cluster's result; must run on the loop of its client.

    Raises:
        BrokenProcessPool: Several workers died while they had this work.
        ConnectionError: The scheduler is gone, and the work with it.
    """
    killed: type[Exception] = import_module("distributed.scheduler").KilledWorker
    try:
        future = client.submit(work, *about, pure=False)
        try:
            result: T = await future
        finally:
            future.release()
    except killed as error:
        raise BrokenProcessPool("several workers have died") from error
    except (CancelledError, OSError) as error:
        raise ConnectionError from error
    except Exception as error:
        if client.status == "closed":
            raise ConnectionError from error
        raise
    return result


def _sound_client(address: str) -> Any:  # noqa: ANN401
    """A client of the scheduler at `address`, whose workers all have this version of Parlour.

    Raises:
        NoCluster: `client_of` fails, no worker answers, or one has another version.
    """
    client = client_of(address)
    own = _version()
    try:
        versions = client.run(_version, on_error="return").values()
    except (OSError, CancelledError) as error:
        client.close()
        raise NoCluster(f"the workers of {address} do not answer: {error}") from None
    if other := next((each for each in versions if each != own), None):
        client.close()
        raise NoCluster(
            f"a worker of {address} has another Parlour than {own}, or none ({other}); "
            "install the same there, with what it needs"
        )
    return client


def _version() -> str:
    return version("parlour")
