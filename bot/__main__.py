"""Parlour's command line and composition root: what is made of what, and in which order."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from random import SystemRandom

from bot import locales, logs
from bot.clock import SystemClock
from bot.sandbox import Sandbox
from bot.service import Service
from bot.settings import Settings, SettingsError, read_settings
from bot.storage.database import opened
from bot.storage.errors import StorageError
from bot.storage.tables import SqlStore
from bot.thinking import Thinking
from bot.ui.client import ParlourClient
from bot.ui.connection import ConnectionRefused, connected, point_at

CANNOT_START = 2
"""The exit code for what the owner has to put right."""


def main() -> int:
    """Runs Parlour until it is interrupted, and gives the exit code."""
    parser = argparse.ArgumentParser(prog="parlour", description="Board games in Discord channels.")
    parser.parse_args()
    try:
        settings = read_settings(os.environ, Path(".env"))
        logs.set_up(settings.log_level)
        with asyncio.Runner() as runner:
            runner.run(_until_stopped(settings))
    except (SettingsError, StorageError, ConnectionRefused, PortTaken) as error:
        print(f"parlour: {error}", file=sys.stderr)
        return CANNOT_START
    except KeyboardInterrupt:
        pass
    return 0


class PortTaken(Exception):
    """The sandbox cannot listen; the message is a sentence that says what to do about it."""


async def _until_stopped(settings: Settings) -> None:
    running = asyncio.ensure_future(run(settings))
    with suppress(NotImplementedError):  # Windows ends a process without asking it
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    try:
        await running
    except asyncio.CancelledError:
        if not running.cancelled():
            raise


async def run(settings: Settings) -> None:
    """Opens the parlour: on Discord with a token, in a sandbox of its own without."""
    async with AsyncExitStack() as stack:
        clock, rng = SystemClock(), SystemRandom()
        store = SqlStore(await stack.enter_async_context(opened(settings.database_url)), clock)
        thinking = Thinking(settings.search_workers, rng)
        stack.callback(thinking.close)
        thinking.warm_up()
        service = Service(store, thinking, clock, rng)
        token, url, where = settings.token, settings.discord_url, "on Discord"
        if url is None and token is None:
            sandbox = await _sandbox(stack, settings.sandbox_port)
            await store.forget_messages()  # a new sandbox has none
            token, url = sandbox.token, sandbox.url
            where = f"in its sandbox at {url}"
        if url is not None:
            await point_at(url)
        client = ParlourClient(
            service,
            store,
            locales.shipped(),
            clock,
            source=settings.source_url,
            announce=partial(print, f"Parlour is open {where} (Ctrl-C ends it)", flush=True),
        )
        await connected(client, token or "")


async def _sandbox(stack: AsyncExitStack, port: int) -> Sandbox:
    sandbox = Sandbox(port=port)
    try:
        await sandbox.start()
    except OSError as error:
        raise PortTaken(
            f"The sandbox cannot listen on port {port} ({error.strerror}); "
            "choose another in PARLOUR_SANDBOX_PORT, or 0 for any free one."
        ) from None
    stack.push_async_callback(sandbox.close)
    return sandbox


if __name__ == "__main__":
    sys.exit(main())
