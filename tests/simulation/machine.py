"""A machine on which the bot runs: its clock, its disk, and the process, which may be killed.

Two of them share a disk where each has one of two shards.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import cache, partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

from filelock import FileLock
from sqlalchemy import create_engine

from bot import app
from bot.app import Parlour
from bot.cli.run import ENDING_LASTS
from bot.locales import Language, shipped
from bot.settings import read_settings
from bot.storage import choices, sqlite_file, stores
from bot.storage.errors import StorageError
from bot.storage.processes import Claims
from bot.storage.shards import Shard
from bot.storage.sqlite_file import SqliteFile
from bot.ui import discord_internals, registration
from bot.ui.commands import slash
from engine import review
from tests.bot.databases import Compiled
from tests.bot.stand_in import Sandbox
from tests.simulation.chronicle import Chronicle
from tests.simulation.loop import PROCESS, Pace, Process, VirtualLoop
from tests.simulation.others import LoopOthers, held, notify, sole_user
from tests.simulation.seeded import MachineClock
from tests.simulation.threads import Disk, LoopDatabase, LoopProcesses

LOCKS: Final[dict[FileLock, Process | None]] = {}


class NotedLock(FileLock):
    """A lock that its process is known of, since a killed one lets go of it."""

    def acquire(self, *given: Any, **more: Any) -> Any:
        LOCKS[self] = PROCESS.get()
        return super().acquire(*given, **more)


class Machine:
    """The bot's machine: `start` runs Parlour on a database file, `kill` ends it."""

    def __init__(
        self,
        loop: VirtualLoop,
        clock: MachineClock,
        sandbox: Sandbox,
        folder: Path,
        disk: Disk,
        *,
        rng: Random,
        chronicle: Chronicle,
        shard: Shard,
    ) -> None:
        self.clock = clock
        self.file = folder / "parlour.db"
        self.disk = disk
        self.shard = shard
        self.process: Process | None = None
        self.parlour: Parlour | None = None
        self.faults: list[str] = []
        self.starts = 0
        self.kills: list[float] = []
        self._loop = loop
        self._sandbox = sandbox
        self._rng = rng
        self._chronicle = chronicle
        self._running: asyncio.Task[None] | None = None
        self._database: LoopDatabase | None = None
        self._pace: Pace = loop.pace

    @property
    def up(self) -> bool:
        """Whether the bot runs and Discord has let it in."""
        own = (self.shard.number, self.shard.count)
        sessions = self._sandbox.gateway.sessions.values()
        let_in = any(each.connection is not None and each.shard == own for each in sessions)
        return self.process is not None and let_in

    def start(self) -> None:
        """Begin a process on the files as they are."""
        self.starts += 1
        beside = f" of shard {self.shard.number}" if self.shard.count > 1 else ""
        self.process = Process(f"bot {self.starts}{beside}")
        self._chronicle.note("start", self.process.name)
        self._running = self.process.spawn(self.process.run(self._run()), name="parlour")
        self._running.add_done_callback(self._ended)

    def kill(self) -> None:
        """End the process between two of its steps, as SIGKILL does."""
        if self.process is None:
            return
        self._chronicle.note("kill", self.process.name)
        self.kills.append(self._loop.time())
        self._gone(self.process)
        if self._database is not None:
            self._database.killed()
        for lock, holder in LOCKS.items():
            if holder is self.process:
                lock.release(force=True)
        self._forget()

    async def stop(self) -> None:
        """End the process in good order, as SIGTERM does."""
        if self.parlour is None or self._running is None or self.process is None:
            return
        self._chronicle.note("stop", self.process.name)
        running = self._running
        asked = self._loop.time()
        while not running.done() and self._loop.time() < asked + 60:
            running.cancel()
            await asyncio.wait({running}, timeout=ENDING_LASTS)
        if not running.done():
            self.faults.append("the bot does not end within a minute of being asked to")
            self.kill()

    def _ended(self, task: asyncio.Task[None]) -> None:
        if self._running is not task:
            return
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._chronicle.note("ended", repr(error))
            if not (self.disk.full and isinstance(error, StorageError)):  # a start says so and ends
                self.faults.append(f"the bot ended by {error!r}")
        if self.process is not None:
            self._gone(self.process)  # its loop is closed
        self._forget()

    def _gone(self, process: Process) -> None:
        process.kill()
        for end in self._loop.network.ends_of(process):
            end.vanish()

    def _forget(self) -> None:
        self.process = self.parlour = self._running = self._database = None

    def _new_database(self, *given: Any) -> LoopDatabase:
        self._database = self.disk.database(*given)
        return self._database

    async def _run(self) -> None:
        given = {
            "DATABASE_URL": f"sqlite:///{self.file}",
            "PARLOUR_SEARCH_WORKERS": "1" if self.shard.count > 1 else "2",
            "PARLOUR_PRESS_LIMIT": "0",
        }
        if self.shard.count > 1:
            given["SHARD_COUNT"] = str(self.shard.count)
            given["SHARD_IDS"] = str(self.shard.number)
        async with app.open(
            read_settings(given, dotenv=Path("there is none")),
            clock=self.clock,
            rng=Random(self._rng.getrandbits(64)),
            processes=LoopProcesses(self._pace),
            languages=two_languages(),
            sprites={},
            new_database=self._new_database,
        ) as parlour:
            self.parlour = parlour
            await parlour.connect(self._sandbox.token, self._sandbox.url)


def two_languages() -> Mapping[str, Language]:
    """English and another language: to read all of them takes half a second."""
    return dict(islice(shipped().items(), 2))


def translated(payload: Any, languages: Mapping[str, Language]) -> Any:
    """Commands in two languages."""
    return TRANSLATED(payload, dict(islice(languages.items(), 2)))


TRANSLATED: Final = slash.translated


@cache
def quicken() -> None:
    """Have the bot of this process lock by known locks, and do once what is always the same.

    Each statement is compiled once, a day's puzzle weighed once, commands are registered in two
    languages, and processes with a shard each may share a file.
    """
    compiling_once = partial(create_engine, execution_options={"compiled_cache": Compiled()})
    for where, name, what in (
        (sqlite_file, "FileLock", NotedLock),
        (sqlite_file, "create_engine", compiling_once),
        (registration, "translated", translated),
        (review, "puzzle", cache(review.puzzle)),
        (stores, "Processes", LoopOthers),
        (choices, "notify", notify),
        (Claims, "held", held),
        (SqliteFile, "sole_user", sole_user),
    ):
        patch.object(where, name, what).start()


class Errors(logging.Handler):
    """Keeps the errors that the bot logs, and notes all that it says."""

    def __init__(self, chronicle: Chronicle) -> None:
        super().__init__(logging.INFO)
        self._chronicle = chronicle
        self.errors: list[tuple[float, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        self._chronicle.note("log", f"{record.levelname} {record.name} {text}")
        if record.levelno >= logging.ERROR:
            if record.exc_info and record.exc_info[1] is not None:
                text += f" {record.exc_info[1]!r}"
            self.errors.append((asyncio.get_running_loop().time(), f"{record.name}: {text}"))


SHARD_PAUSES: Final = discord_internals.CONNECTING_AGAIN
