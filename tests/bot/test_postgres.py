"""The PostgreSQL server of the tests ends with them, however they end."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.bot.postgres import missing_postgres
from tests.bot.process import outcome, started

if reason := missing_postgres():
    pytest.skip(reason, allow_module_level=True)

RUN = """
import signal
from tests.bot.postgres import postgres
with postgres() as server:
    print(server.folder, flush=True)
    signal.pause()
"""


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
async def test_a_server_ends_with_a_run_that_is_killed(tmp_path: Path, ending: int) -> None:
    async with started(tmp_path, "-c", RUN) as run:
        assert run.stdout is not None
        folder = Path((await run.stdout.readline()).decode().strip())
        server = int((folder / "data" / "postmaster.pid").read_text().splitlines()[0])
        running = os.pidfd_open(server)
        run.send_signal(ending)
        await outcome(run)
        assert not folder.exists()
        async with asyncio.timeout(60):
            await readable(running)


async def readable(file: int) -> None:
    """Returns when there is something to read: of a process, that it has ended."""
    loop, there = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(file, there.set)
    try:
        await there.wait()
    finally:
        loop.remove_reader(file)
        os.close(file)
