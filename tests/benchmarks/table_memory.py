"""The memory of games that have ended, of which a process remembers only the last.

    python -m tests.benchmarks.table_memory [GAMES]

So many games are played to their end at random, ten at once, on a database in a folder of its own.
Printed are the games so far and the memory of this process; it may grow until there is no more room
for tables whose game is over (`OVER` in `bot/storage/tables.py`), and not after.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import tempfile
from random import Random
from typing import Final

from bot.storage.opening import opened
from bot.storage.tables import OVER, WITHOUT_MOVES, Tables
from tests.benchmarks.processes import memory
from tests.bot.clock import ManualClock
from tests.bot.storage.random_games import played_games

MOST: Final = OVER // WITHOUT_MOVES
A_ROW: Final = 2 * MOST


async def main(games: int) -> None:
    """Plays, and prints the table."""
    clock, rng = ManualClock(), Random(3)
    print(f"games  process MB  (at most {MOST} that are over are remembered)")
    with tempfile.TemporaryDirectory() as folder:
        async with opened(f"sqlite:///{folder}/parlour.db") as database:
            store = Tables(database, clock)
            for played in range(0, games + 1, A_ROW):
                gc.collect()
                print(f"{played:>5} {memory(os.getpid()):>11.0f}", flush=True)
                await played_games(store, clock, rng, A_ROW, first=1 + 100 * played)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 8 * A_ROW))
