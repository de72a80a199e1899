"""A process of a Dask cluster: `python -m tests.bot.dask_node scheduler PORT`, or `worker`."""

from __future__ import annotations

import asyncio
import sys
from importlib import import_module
from typing import Any

distributed: Any = import_module("distributed")


def node(kind: str, port: str) -> Any:
    """The scheduler at a port, or a worker of it."""
    if kind == "worker":
        return distributed.Worker(f"tcp://127.0.0.1:{port}", nthreads=1, dashboard=False)
    address = {"host": "127.0.0.1", "port": int(port), "dashboard_address": "127.0.0.1:0"}
    return distributed.Scheduler(**address, dashboard=False)


async def main() -> None:
    """Says when it is open, and goes on until it is closed."""
    async with node(*sys.argv[1:]) as opened:
        print("open", flush=True)  # noqa: T201 - whoever began it waits for it
        await opened.finished()


if __name__ == "__main__":
    asyncio.run(main())
