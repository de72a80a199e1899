"""The clocks and the chance of a simulation: all that would come from the machine, of a seed.

discord.py, aiohttp and the sandbox read the machine's clock and draw of its entropy, by functions
that they have imported. Within `seeded` they have others of the same names.
"""

from __future__ import annotations

import asyncio
import os
import random
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any, Final

import aiohappyeyeballs
import discord
from discord import backoff, gateway

from bot.sandbox.payload import Timer
from tests.simulation.loop import VirtualLoop

BEGINNING: Final = datetime(2026, 3, 29, 15, tzinfo=UTC).timestamp()
"""The moment when simulations begin: some days before a month ends."""

ROOMS: Final = frozenset(
    ("bot", "engine", "discord", "aiohttp", "sqlalchemy", "random", "secrets", "uuid", "logging")
)
"""The packages and modules whose clocks and chance are replaced."""


class MachineClock:
    """The clock of the bot's machine: it can be set wrongly, while the loop's goes on steadily."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop
        self._begun = loop.time()
        self.wrong = 0.0
        """Seconds that it is ahead of the true time."""

    def time(self) -> float:
        """Seconds since 1970 began, as the machine has them."""
        return BEGINNING + self._loop.time() - self._begun + self.wrong

    def now(self) -> datetime:
        """The time now, in UTC."""
        return datetime.fromtimestamp(self.time(), UTC)

    async def until(self, moment: datetime) -> None:
        """Return at `moment`, or at once if it has passed."""
        await asyncio.sleep(max(0.0, (moment - self.now()).total_seconds()))


class DiscordClock:
    """The clock of the sandbox, which is right."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop
        self._begun = loop.time()

    def now(self) -> float:
        """Seconds since 1970 began, UTC."""
        return BEGINNING + self._loop.time() - self._begun

    def after(self, seconds: float, action: Callable[[], None]) -> Timer:
        """A timer of the loop."""
        return self._loop.call_later(seconds, action)

    def advance(self, seconds: float) -> None:
        """Refuse: time passes by itself."""
        raise NotImplementedError


class TickingClock:
    """A clock for searches, which would never end while time stands still: it ticks when read."""

    def __init__(self, tick: float) -> None:
        self._tick = tick
        self._read = 0

    def __call__(self) -> float:
        """Seconds, one tick more than before."""
        self._read += 1
        return self._read * self._tick


class Dice(Random):
    """Chance that begins anew only where its seed does."""

    def __init__(self, source: Random) -> None:
        super().__init__(source.getrandbits(64))
        self._drawn = True

    def seed(self, *given: Any, **more: Any) -> None:
        """Take a seed once; without one go on."""
        if given and not hasattr(self, "_drawn"):
            super().seed(*given, **more)


class Heartbeat(gateway.KeepAliveHandler):
    """discord.py's heartbeat, which is a thread, as a task of the loop."""

    def start(self) -> None:
        """Beat until stopped."""
        self._beating = asyncio.get_running_loop().create_task(self._beat(), name="heartbeat")

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self.interval or 0)
            if self._stop_ev.is_set():
                return
            if self._last_recv + self.heartbeat_timeout < time.perf_counter():
                self.stop()
                await self.ws.close(4000)
                return
            try:
                await self.ws.send_heartbeat(self.get_payload())
            except Exception:  # noqa: BLE001 - as in discord.py
                self.stop()
                return
            self._last_send = time.perf_counter()


@contextmanager
def seeded(loop: VirtualLoop, clock: MachineClock, chance: Random) -> Iterator[None]:
    """Let no library read the machine's clock, draw of its entropy, or open a socket."""

    def listening(address: tuple[str, int], **_: Any) -> object:
        return loop.network.listener(address[1])

    async def reached(addr_infos: Any, **_: Any) -> object:
        return await loop.network.reach(addr_infos[0][4][1])

    def utcnow() -> datetime:
        return clock.now()

    replaced: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
        (time.time, clock.time),
        (time.monotonic, loop.time),
        (time.perf_counter, loop.time),
        (os.urandom, chance.randbytes),
        (discord.utils.utcnow, utcnow),
        (socket.create_server, listening),
        (aiohappyeyeballs.start_connection, reached),
    ]
    before = random.getstate()
    random.seed(chance.getrandbits(64))
    backoff_random: Any = SimpleNamespace(Random=lambda: Dice(chance))
    with (
        _everywhere({id(old): new for old, new in replaced}),
        _set(backoff, "random", backoff_random),
        _set(gateway, "KeepAliveHandler", Heartbeat),
        _set(threading.Thread, "start", _no_thread),
    ):
        try:
            yield
        finally:
            random.setstate(before)


def _no_thread(thread: threading.Thread) -> None:
    raise AssertionError(f"{thread.name} would be a thread of its own")


@contextmanager
def _everywhere(replaced: Mapping[int, Callable[..., Any]]) -> Iterator[None]:
    """Replace functions in all modules that have them by their ids."""
    done: list[tuple[ModuleType, str, Any]] = []
    for module in _rooms():
        if replaced.keys().isdisjoint(map(id, vars(module).values())):
            continue
        for name, value in [*vars(module).items()]:
            if id(value) in replaced:
                done.append((module, name, value))
                setattr(module, name, replaced[id(value)])
    try:
        yield
    finally:
        for module, name, value in done:
            setattr(module, name, value)


def _rooms() -> Iterator[ModuleType]:
    yield from (time, os, socket, aiohappyeyeballs)
    for name, module in [*sys.modules.items()]:
        if name.partition(".")[0] in ROOMS and isinstance(module, ModuleType):
            yield module


@contextmanager
def _set(where: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(where, name)
    setattr(where, name, value)
    try:
        yield
    finally:
        setattr(where, name, before)
