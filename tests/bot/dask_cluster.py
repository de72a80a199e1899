"""A Dask cluster on this machine, whose scheduler and workers are processes of their own."""

from __future__ import annotations

import asyncio
import os
import socket
from asyncio.subprocess import Process
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from tests.bot.process import environment, until_done, warm

IMPORTED: Final = ("distributed", "bot.service.search_processes")
"""The imports that take longest at the start of a process of a cluster."""


def _free(port: int) -> bool:
    """Whether nobody listens at a port.

    Those that systems give away by themselves are higher: one of them is soon another's.
    """
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


class DaskCluster:
    """A cluster at an address, once its processes have begun; they end with `stack`."""

    def __init__(self, folder: Path, stack: AsyncExitStack) -> None:
        self._folder, self._stack = folder, stack
        self._port = str(next(filter(_free, range(10_000 + os.getpid() % 10_000, 32_000))))
        self.address = f"tcp://127.0.0.1:{self._port}"

    async def begin(self, workers: int) -> list[Process]:
        """The scheduler, and after it the workers."""
        kinds = ["scheduler", *["worker"] * workers]
        return list(await asyncio.gather(*map(self._begun, kinds)))

    async def add_worker(self) -> Process:
        """One more worker."""
        return await self._begun("worker")

    async def _begun(self, kind: str) -> Process:
        forked = warm(*IMPORTED).start(
            self._folder, environment(), "tests.bot.dask_node", kind, self._port
        )
        process = await self._stack.enter_async_context(until_done(await forked))
        assert process.stdout is not None
        assert await process.stdout.readline() == b"open\n"
        return process
