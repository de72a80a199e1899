"""The rate of presses on SQLite, and on PostgreSQL with 1, 2 and 4 processes.

    python -m tests.benchmarks.databases [--presses N] [--rounds N] [--concurrency N]

Presses are those of `clicks`, spread over many servers, and each is a commit on the disk. The kinds
take turns, round after round; a figure is the median of the rounds. Commits are transactions that
wrote; CPU is that of all processes of the bot, and beside it that of the database's server. Both
are per interaction, of which two in eleven open a game.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import struct
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import chain, cycle
from pathlib import Path
from typing import Final, NamedTuple

from psycopg import AsyncConnection

from bot.games.catalogue import CATALOGUE
from tests.benchmarks.clicks import DRAW, LONGEST_START, Bot, game, measured
from tests.benchmarks.processes import descendants
from tests.bot.postgres import Server, postgres
from tests.bot.process import started
from tests.bot.stand_in import Sandbox

GUILDS: Final = 16
DURABLE: Final = ("max_connections=100", "listen_addresses=")
WROTE: Final = "SELECT txid_snapshot_xmax(txid_current_snapshot())"
WARMING: Final = 90
TICK: Final = 1 / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Kind:
    """A database, and how many processes are on it."""

    database: str
    processes: int


KINDS: Final = (Kind("SQLite", 1), *(Kind("PostgreSQL", count) for count in (1, 2, 4)))


class Row(NamedTuple):
    """The figures of one round: presses a second, milliseconds, and per interaction the rest."""

    rate: float
    p50: float
    p99: float
    commits: float
    bot_ms: float
    server_ms: float


@dataclass(frozen=True, slots=True)
class Scene:
    """A sandbox with processes at work, and where their database is."""

    sandbox: Sandbox
    pids: tuple[int, ...]
    folder: Path
    address: str | None

    async def commits(self) -> int:
        """Count the transactions that wrote, by the database's own counter."""
        if self.address is None:
            return int(struct.unpack("=I", (self.folder / "parlour.db-shm").read_bytes()[8:12])[0])
        async with await AsyncConnection.connect(self.address) as connection:
            row = await (await connection.execute(WROTE)).fetchone()
            assert row is not None
            return int(row[0])


@asynccontextmanager
async def at_work(kind: Kind, server: Server) -> AsyncIterator[Scene]:
    """So many processes on a new database, connected, with all emoji uploaded."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sandbox = await stack.enter_async_context(Sandbox(guilds=GUILDS))
        sandbox.application.max_concurrency = 16
        address = None if kind.database == "SQLite" else server()
        shared = {} if address is None else {"DATABASE_URL": address}
        pids = []
        for number in range(kind.processes):
            if kind.processes > 1:
                shared |= {"SHARD_COUNT": str(kind.processes), "SHARD_IDS": str(number)}
            begun = started(
                folder,
                DISCORD_TOKEN=sandbox.token,
                DISCORD_API=sandbox.url,
                PARLOUR_SEARCH_WORKERS="1",
                PARLOUR_LOG_LEVEL="ERROR",
                **shared,
            )
            pids.append((await stack.enter_async_context(begun)).pid)
        count = kind.processes
        await sandbox.until(lambda: sandbox.sessions == count, within=2 * LONGEST_START)
        await sandbox.bot_ready()
        every = sum(len(entry.sprites) for entry in CATALOGUE.values())
        await sandbox.until(lambda: sandbox.emojis >= every, within=2 * LONGEST_START)
        yield Scene(sandbox, tuple(pids), folder, address)


def cpu(processes: Iterable[int]) -> float:
    """The milliseconds that some processes have had of the cores, and all they have started."""
    total = 0.0
    for process in chain.from_iterable(map(descendants, processes)):
        with suppress(OSError):
            fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
            total += 1e3 * TICK * (int(fields[11]) + int(fields[12]))
    return total


async def round_of(kind: Kind, server: Server, concurrency: int, presses: int) -> Row:
    """One round: what is slow only once is over before."""
    async with at_work(kind, server) as scene:
        names = cycle(["games", *(f"games-{number}" for number in range(2, GUILDS + 1))])
        bot = Bot("Parlour", "bot", lambda sandbox: game(sandbox, next(names)))
        await measured(scene.sandbox, bot, concurrency, WARMING)
        postmaster = int((server.folder / "data" / "postmaster.pid").read_text("utf-8").split()[0])
        commits, used, served = await scene.commits(), cpu(scene.pids), cpu([postmaster])
        figures = await measured(scene.sandbox, bot, concurrency, presses)
        interactions = (len(DRAW) + 2) * max(-(-presses // len(DRAW)), concurrency)
        return Row(
            figures.rate,
            figures.p50,
            figures.p99,
            (await scene.commits() - commits) / interactions,
            (cpu(scene.pids) - used) / interactions,
            (cpu([postmaster]) - served) / interactions,
        )


async def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(description="Presses on both databases.")
    parser.add_argument("--presses", type=int, default=150, help="a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--concurrency", type=int, default=16)
    given = parser.parse_args()
    rows: dict[Kind, list[Row]] = {kind: [] for kind in KINDS}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # which a server of another user has to pass through
        with postgres(Path(folder), DURABLE) as server:
            for _ in range(given.rounds):
                for kind in KINDS:
                    row = await round_of(kind, server, given.concurrency, given.presses)
                    rows[kind].append(row)
    print("database    processes  presses/s  p50 ms  p99 ms  commits  CPU ms  CPU ms of server")
    for kind in KINDS:
        rate, p50, p99, commits, bot, server_ms = map(
            statistics.median, zip(*rows[kind], strict=True)
        )
        print(
            f"{kind.database:11} {kind.processes:9} {rate:10.0f} {p50:7.1f} {p99:7.1f} "
            f"{commits:8.2f} {bot:7.1f} {server_ms:17.1f}"
        )


if __name__ == "__main__":
    asyncio.run(main())
