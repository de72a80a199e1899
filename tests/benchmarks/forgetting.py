"""The time to export and to forget people, with very many games finished.

    python -m tests.benchmarks.forgetting DATABASE

Works on a copy of a database as `tests.benchmarks.records` writes it. The people are those who have
played most, one in the middle, and one with a single game. Once a day the file is searched for a
copy of those forgotten, and written anew if there is one, which presses wait for: the last lines.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TypeVar

from bot.clock import SystemClock
from bot.storage.privacy.read import written
from bot.storage.privacy.store import PersonalDataStore
from bot.storage.sqlite_file import ANYTHING
from bot.storage.stores import stores
from bot.table.seats import PersonId, former_player

LARGEST_FILE = 10 << 20

T = TypeVar("T")


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Prints how long something took."""
    start = time.perf_counter()
    yield
    print(f"  {what:28} {1000 * (time.perf_counter() - start):8.0f} ms", flush=True)


async def within(what: str, asked: Awaitable[T]) -> T:
    """Time one request."""
    with timed(what):
        return await asked


def chosen(file: Path) -> list[tuple[PersonId, int]]:
    """Some people, with how often they have played."""
    with closing(sqlite3.connect(file)) as database:
        rows = database.execute(
            "SELECT person, count(*) AS games FROM seat WHERE person > 0 GROUP BY 1 ORDER BY 2 DESC"
        ).fetchall()
    return [
        (PersonId(row[0]), row[1]) for row in (rows[0], rows[1], rows[len(rows) // 2], rows[-1])
    ]


async def forget(personal_data: PersonalDataStore, person: PersonId, rng: Random) -> None:
    """Everything that a person may ask for."""
    await within("something is known", personal_data.knows(person))
    data = await within("read", personal_data.personal_data(person))
    with timed("written"):
        file = written(data, datetime.now(UTC), {}, most=LARGEST_FILE)
    print(f"  {file.name if file else 'too large'}: {len(file.content) if file else 0} bytes")
    await within("seats at tables", personal_data.seated(person))
    await within("forgotten", personal_data.forget(person, former_player(rng)))
    await within("the nightly round", personal_data.erase())


async def main() -> None:
    """Measures, and prints."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "parlour.db"
        shutil.copy(sys.argv[1], file)
        people = chosen(file)
        async with stores(f"sqlite:///{file}", SystemClock()) as kept:
            for person, games in people:
                print(f"{games} games")
                await forget(kept.personal_data, person, Random(person))
            print(f"{file.stat().st_size / 1e9:.2f} GB")
            with timed("searched in vain"):
                await kept.database.run(lambda _: None, erasing=(b"no such bytes",))
            with timed("written anew"):
                await kept.database.run(lambda _: None, erasing=(ANYTHING,))


if __name__ == "__main__":
    asyncio.run(main())
