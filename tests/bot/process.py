"""The bot as a process of its own, as its owner starts it."""

from __future__ import annotations

import asyncio
import atexit
import os
import shutil
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from random import getrandbits

from bot.ui import emojis
from tests.bot.databases import template
from tests.bot.stand_in import Sandbox
from tests.bot.warm import FORK_SEED, Warm

ROOT = Path(__file__).parents[2]


def environment(**settings: str) -> dict[str, str]:
    """This environment with Parlour's settings replaced by `settings`, and a seed of the test.

    People of a test press faster than any other.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("DISCORD_", "PARLOUR_", "DATABASE_"))
    }
    usual = {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "PARLOUR_PRESS_LIMIT": "0"}
    return {**kept, **usual, FORK_SEED: str(getrandbits(64)), **settings}


@cache
def warm(*modules: str) -> Warm:
    """A process that has imported the bot, or some modules; each worker has its own."""
    begun = Warm(environment(), *modules)
    atexit.register(begun.close)
    return begun


def lay_databases(folder: Path) -> None:
    """Puts databases of this version into a folder: a start there has nothing to migrate."""
    for name in ("parlour.db", "sandbox.db"):
        shutil.copy(template(), folder / name)


def give_emoji(sandbox: Sandbox) -> None:
    """Gives the application Parlour's emoji, so that a start there has none to upload."""
    names = emojis.shipped()
    picture = next(iter(names.values()))()
    for name in names:
        sandbox.world.emojis.make(name, picture, sandbox.world.bot)


@asynccontextmanager
async def started(folder: Path, *program: str, **settings: str) -> AsyncIterator[Process]:
    """`python -m bot` or another program, in a folder, killed at the end if it still runs."""
    if program:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *program,
            cwd=folder,
            start_new_session=True,
            env=environment(**settings),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
        )
    else:
        process = await warm().start(folder, environment(**settings))
    async with until_done(process):
        yield process


@asynccontextmanager
async def until_done(process: Process) -> AsyncIterator[Process]:
    """A process that is killed at the end if it still runs."""
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def interrupt(process: Process) -> None:
    """Sends what a terminal sends on Ctrl-C: to the process and to all it has started."""
    os.killpg(process.pid, signal.SIGINT)


async def kill(process: Process) -> None:
    """Ends the process as a power cut would."""
    process.send_signal(signal.SIGKILL)
    await process.wait()


async def outcome(process: Process) -> tuple[int | None, str, str]:
    """The exit code, the output and the errors of a process, once it has ended."""
    async with asyncio.timeout(60):
        out, errors = await process.communicate()
    return process.returncode, out.decode(), errors.decode()
