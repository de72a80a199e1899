"""`parlour` without a command: Parlour opens, on Discord with a token, else in its sandbox."""

from __future__ import annotations

import argparse
import asyncio
import ctypes
import gc
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final

from bot import app, logs
from bot.cli import CANNOT
from bot.clock import SystemClock
from bot.locales import MissingText
from bot.service.ports import Meter
from bot.settings import Settings, read_settings
from bot.storage.errors import StorageAway
from bot.ui.connection import ConnectionRefused, DiscordAway
from bot.ui.door import SETTLED_AFTER
from engine.workers import NoCluster

if TYPE_CHECKING:
    from bot.sandbox import Sandbox

log = logging.getLogger(__name__)

ENDING_LASTS: Final = 8.0
"""The seconds for everything to end, including answers in progress."""

REVIEWED_AFTER: Final = (5_000, 10, 5)
"""The garbage collector's thresholds (`gc.set_threshold`).

A press makes thousands of objects. Collecting the young ones takes 5 ms, all 50 ms.
"""

HEAP: Final = (
    (-8, 1),  # M_ARENA_MAX: one heap for all threads, so that each can fill all holes
    (-3, 1 << 20),  # M_MMAP_THRESHOLD in bytes: larger blocks are not in the heap
    (-1, 1 << 20),  # M_TRIM_THRESHOLD in bytes; by default both grow with the largest block
)
"""Options of glibc's `mallopt` by their numbers, and their values."""

RETURNED_EVERY: Final = 60.0
"""The seconds between two returns of free pages to the operating system."""


AWAY: Final = 1
"""The exit code of a failed start that may succeed later, unlike `CANNOT`."""


class PortTaken(Exception):
    """A port is taken; the message says how to change it."""


def run(_: argparse.Namespace) -> int:
    """Run Parlour until it is interrupted, and return the exit code."""
    settings = read_settings(os.environ, Path(".env"))
    logs.set_up(settings.log_level, as_json=settings.log_as_json)
    heap = settled_heap()
    try:
        asyncio.run(_until_stopped(_open(settings, heap)))
    except (ConnectionRefused, MissingText, PortTaken, StorageAway) as error:
        print(f"parlour: {error}", file=sys.stderr)
        return AWAY if isinstance(error, DiscordAway | StorageAway) else CANNOT
    except NoCluster as error:
        print(f"parlour: PARLOUR_SEARCH_CLUSTER cannot be used, since {error}.", file=sys.stderr)
        return CANNOT
    except KeyboardInterrupt:  # where an event loop cannot be told of signals
        pass
    return 0


def settled_heap() -> ctypes.CDLL | None:
    """Set how free memory goes back to the system; return the C library, or None if not glibc."""
    try:
        library = ctypes.CDLL(None)
        for option in HEAP:
            library.mallopt(*option)
        library.malloc_trim  # noqa: B018 - only glibc has it
    except (AttributeError, TypeError):
        return None
    return library


async def give_back(heap: ctypes.CDLL) -> None:
    """Return free pages to the operating system, again and again.

    Without this, free pages between blocks that are still in use stay, and grow by the hour.
    """
    while True:
        await asyncio.sleep(RETURNED_EVERY)
        heap.malloc_trim(0)


async def _until_stopped(work: Coroutine[Any, Any, None]) -> None:
    wanted = asyncio.Event()
    for wish in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(wish, wanted.set)
    running, ending = asyncio.create_task(work), asyncio.create_task(wanted.wait())
    try:
        await asyncio.wait({running, ending}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        ending.cancel()
        while not running.done():  # the interrupted code may swallow a cancellation
            running.cancel()
            await asyncio.wait({running}, timeout=ENDING_LASTS)
    if not running.cancelled():
        running.result()


async def _open(settings: Settings, heap: ctypes.CDLL | None) -> None:
    token, url = settings.token, settings.discord_url
    sandbox = _sandbox(settings.sandbox_port) if token is None else None

    meter, measured = _meter() if settings.metrics_port is not None else (None, None)

    def announce() -> None:
        where = "on Discord" if url is None else f"at {url}"
        where = where if sandbox is None else f"in its sandbox {where}"
        print(f"Parlour is open {where} (Ctrl-C ends it)", flush=True)
        gc.collect()
        gc.freeze()  # what exists now stays to the end: no press waits for its collection
        gc.collect()  # a full collection waits for 25 % more objects than the last found: now few
        gc.set_threshold(*REVIEWED_AFTER)

    async with AsyncExitStack() as stack:
        opened = app.open(
            settings,
            clock=SystemClock() if sandbox is None else sandbox.clock,
            rng=SystemRandom(),
            new_sandbox=None if sandbox is None else sandbox.world.bot.id,
            announce=announce,
            checker=lambda: None if sandbox is None else f"{sandbox.url}/verify.html",
            meter=meter,
            settling=SETTLED_AFTER,
        )
        parlour = await stack.enter_async_context(opened)
        if sandbox is not None:
            with _explained("The sandbox", settings.sandbox_port, "PARLOUR_SANDBOX_PORT"):
                await sandbox.start()
            stack.push_async_callback(sandbox.close)
            sandbox.world.change(sandbox.world.guild.owner, has_app=True)
            token, url = sandbox.token, sandbox.url
        if heap is not None:
            giving = asyncio.create_task(give_back(heap), name="memory")
            stack.callback(giving.cancel)
        if settings.metrics_port is not None:
            from bot.ui.health import served  # noqa: PLC0415 - a web server that few need

            with _explained("The health check", settings.metrics_port, "PARLOUR_METRICS_PORT"):
                await stack.enter_async_context(
                    served(parlour.client, settings.metrics_port, measured)
                )
        await parlour.connect(token or "", url)


def _sandbox(port: int) -> Sandbox:
    from bot.sandbox import Sandbox  # noqa: PLC0415 - 18 MB that are not needed on Discord

    return Sandbox(port=port)


def _meter() -> tuple[Meter | None, Callable[[], bytes] | None]:
    """The meter and the text of its measurements, or None without the extra."""
    try:
        from bot.metrics import PrometheusMeter  # noqa: PLC0415 - an extra
    except ModuleNotFoundError:
        log.warning(
            "/metrics is off, and /health alone is on: for both, install the extra 'metrics' "
            "in Parlour's folder with pip install -e '.[metrics]'"
        )
        return None, None
    meter = PrometheusMeter()
    return meter, meter.exposition


@contextmanager
def _explained(what: str, port: int, setting: str) -> Iterator[None]:
    """Raise `PortTaken` where the block fails to listen on the port."""
    try:
        yield
    except OSError as error:
        raise PortTaken(
            f"{what} cannot listen on port {port} ({os.strerror(error.errno or 0)}); "
            f"choose another in {setting}."
        ) from None
