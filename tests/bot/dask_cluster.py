"""A Dask cluster on this machine, whose scheduler and workers are processes of their own."""

from __future__ import annotations

import asyncio
import socket
from asyncio.subprocess import Process
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from tests.bot.process import started

SCHEDULER: Final = """
import asyncio, sys
from distributed import Scheduler
async def main():
    address = {"host": "127.0.0.1", "port": int(sys.argv[1]), "dashboard_address": "127.0.0.1:0"}
    async with Scheduler(**address, dashboard=False) as scheduler:
        print("open", flush=True)
        await scheduler.finished()
asyncio.run(main())
"""
WORKER: Final = """
import asyncio, sys
from distributed import Worker
async def main():
    async with Worker(f"tcp://127.0.0.1:{sys.argv[1]}", nthreads=1, dashboard=False) as worker:
        print("open", flush=True)
        await worker.finished()
asyncio.run(main())
"""


class DaskCluster:
    """A cluster at an address, once its processes have begun; they end with `stack`."""

    def __init__(self, folder: Path, stack: AsyncExitStack) -> None:
        self._folder, self._stack = folder, stack
        with socket.create_server(("127.0.0.1", 0)) as listening:
            self._port = str(listening.getsockname()[1])
        self.address = f"tcp://127.0.0.1:{self._port}"

    async def begin(self, workers: int) -> list[Process]:
        """The scheduler, and after it so many workers."""
        programs = [SCHEDULER, *[WORKER] * workers]
        return list(await asyncio.gather(*map(self._begun, programs)))

    async def add_worker(self) -> Process:
        """One more worker."""
        return await self._begun(WORKER)

    async def _begun(self, program: str) -> Process:
        begun = started(self._folder, "-c", program, self._port)
        process = await self._stack.enter_async_context(begun)
        assert process.stdout is not None
        assert await process.stdout.readline() == b"open\n"
        return process
