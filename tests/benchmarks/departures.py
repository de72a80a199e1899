"""The time others wait while a large server is removed.

    python -m tests.benchmarks.departures [--games N] [--people N] [--database FILE]

Writes a database of finished games in two servers (see `finished_games`), of which a tenth are
turned into tables that came to no result, and removes the larger one, while somebody else asks for
a row all the time. Uses a copy of FILE if there is one, and else writes it.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from random import Random

from sqlalchemy import text

from bot.clock import SystemClock
from bot.storage.choices import GuildId
from bot.storage.database import Database
from bot.storage.stores import stores
from tests.benchmarks.finished_games import write

PREPARED = """
    CREATE TEMP TABLE closed AS SELECT id FROM session WHERE id % 10 = 0;
    UPDATE session SET phase = 'abandoned', ending = 'expired', finish = NULL
        WHERE id IN (SELECT id FROM closed);
    DELETE FROM result WHERE session IN (SELECT id FROM closed);
"""


def prepare(file: Path, games: int, people: int) -> None:
    """Writes the database."""
    for done in write(file, games, people, Random(5), a_guild=people // 2):
        print(f"\r{done:,} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    with closing(sqlite3.connect(file)) as raw:
        raw.executescript(PREPARED)


def largest(file: Path) -> tuple[GuildId, int]:
    """The server with most sessions, and how many those are."""
    with closing(sqlite3.connect(file)) as raw:
        query = """SELECT guild, count(*) FROM session WHERE guild > 0
            GROUP BY guild ORDER BY 2 DESC LIMIT 1"""
        guild, count = raw.execute(query).fetchone()
        return GuildId(guild), count


async def waits(database: Database, busy: asyncio.Task[None]) -> list[float]:
    """Time a read of one row in seconds, again and again while a task goes on."""
    took = []
    while not busy.done():
        begun = time.perf_counter()
        await database.run(lambda c: c.execute(text("SELECT 1")).scalar())
        took.append(time.perf_counter() - begun)
    return sorted(took)


async def measure(file: Path) -> None:
    """Prints a line of the table."""
    guild, count = largest(file)
    clock = SystemClock()
    async with stores(f"sqlite:///{file}", clock) as kept:
        await kept.guild_data.leave(guild, clock.now())
        begun = time.perf_counter()
        clearing = asyncio.create_task(kept.guild_data.clear(guild))
        took = await waits(kept.database, clearing)
        await clearing
        seconds = time.perf_counter() - begun
    p99 = took[len(took) * 99 // 100]
    print(f"| {count:,} | {seconds:.1f} s | {1000 * p99:.0f} ms | {1000 * took[-1]:.0f} ms |")


def main() -> None:
    """Measures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--people", type=int, default=4000)
    parser.add_argument("--database", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept = asked.database or Path(folder) / "kept.db"
        if not kept.exists():
            prepare(kept, asked.games, asked.people)
        copy = Path(folder) / "copy.db"
        shutil.copy(kept, copy)
        print(
            "| tables of the server | removed in | others wait, p99 | at most |\n|---|---|---|---|"
        )
        asyncio.run(measure(copy))


if __name__ == "__main__":
    main()
