"""The composition root: what Parlour is made of, in which order, and how it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import Any, Final

from bot import locales, logs
from bot.games.catalogue import CATALOGUE
from bot.sandbox import Sandbox
from bot.service.admission import Admission
from bot.service.guilds import Departures
from bot.service.privacy import Privacy
from bot.service.search_pool import SearchPool
from bot.service.tables import Service
from bot.settings import Settings, SettingsError, read_settings
from bot.storage.database import opened
from bot.storage.errors import StorageError
from bot.storage.guild_settings import SqlGuilds
from bot.storage.people import SqlPeople
from bot.storage.privacy.guilds import SqlGuildData
from bot.storage.privacy.read import SqlPersonalData
from bot.storage.records.queries import SqlRecords
from bot.storage.tables import SqlStore
from bot.ui.client import ParlourClient
from bot.ui.connection import ConnectionRefused, connected, point_at

CANNOT_START: Final = 2
"""The exit code for what the owner has to put right."""

ENDING_LASTS: Final = 8.0
"""Seconds in which everything has come to its end, answers under way included."""


def main() -> int:
    """Runs Parlour until it is interrupted, and gives the exit code."""
    try:
        settings = read_settings(os.environ, Path(".env"))
        logs.set_up(settings.log_level)
        asyncio.run(_until_stopped(run(settings)))
    except (SettingsError, StorageError, ConnectionRefused, PortTaken) as error:
        print(f"parlour: {error}", file=sys.stderr)
        return CANNOT_START
    except KeyboardInterrupt:  # where an event loop cannot be told of signals
        pass
    return 0


class PortTaken(Exception):
    """The sandbox cannot listen; the message is a sentence that says what to do about it."""


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        """The time now, in UTC."""
        return datetime.now(UTC)

    async def until(self, moment: datetime) -> None:
        """Returns at `moment`, or at once when it has passed."""
        await asyncio.sleep(max(0.0, (moment - self.now()).total_seconds()))


async def _until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Does the work until it ends, or until somebody wants it to."""
    wanted = asyncio.Event()
    for wish in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(wish, wanted.set)
    running, ending = asyncio.create_task(work), asyncio.create_task(wanted.wait())
    try:
        await asyncio.wait({running, ending}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        ending.cancel()
        while not running.done():  # a cancellation may get lost in what it interrupts
            running.cancel()
            await asyncio.wait({running}, timeout=ENDING_LASTS)
    if not running.cancelled():
        running.result()


async def run(settings: Settings) -> None:
    """Opens the parlour: on Discord with a token, in a sandbox of its own without."""
    async with AsyncExitStack() as stack:
        clock, rng = SystemClock(), SystemRandom()
        database = await stack.enter_async_context(opened(settings.database_url))
        store = SqlStore(database, clock)
        thinking = SearchPool(settings.search_workers, rng)
        stack.callback(thinking.close)
        people, servers = await SqlPeople.loaded(database), await SqlGuilds.loaded(database)
        service = Service(store, Admission(people, servers), thinking, clock, rng)
        token, url, where = settings.token, settings.discord_url, "on Discord"
        sandboxed = url is None and token is None
        if sandboxed:
            sandbox = await _sandbox(stack, settings.sandbox_port)
            await store.forget_messages()  # a new sandbox has none
            token, url = sandbox.token, sandbox.url
            where = f"in its sandbox at {url}"
        elif url is not None:
            where = f"at {url}"
        if url is not None:
            await point_at(url)
        client = ParlourClient(
            service,
            store,
            people,
            servers,
            SqlRecords(database),
            departures=Departures(SqlGuildData(database, store, servers), clock),
            privacy=Privacy(SqlPersonalData(database, store, people), service.depart, rng),
            languages=locales.shipped(),
            clock=clock,
            sprites={name: paint for entry in CATALOGUE for name, paint in entry.sprites.items()},
            source=settings.source_url,
            knows_all_servers=not sandboxed,  # it knows none of those on Discord
            announce=partial(print, f"Parlour is open {where} (Ctrl-C ends it)", flush=True),
        )
        await connected(client, token or "")


async def _sandbox(stack: AsyncExitStack, port: int) -> Sandbox:
    sandbox = Sandbox(port=port)
    try:
        await sandbox.start()
    except OSError as error:
        raise PortTaken(
            f"The sandbox cannot listen on port {port} ({os.strerror(error.errno or 0)}); "
            "choose another in PARLOUR_SANDBOX_PORT, or 0 for any free one."
        ) from None
    stack.push_async_callback(sandbox.close)
    return sandbox
