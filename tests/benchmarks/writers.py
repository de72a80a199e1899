"""Several processes that end games in one PostgreSQL database at once: are all of them recorded?

python -m tests.benchmarks.writers [games]
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Final

from bot.storage.database import Database
from bot.storage.dialect import backend_at
from bot.storage.errors import Unavailable
from bot.storage.tables import Tables
from bot.table.actions import Action, press
from bot.table.seats import Human, Pace, PersonId
from bot.table.session import Session, SessionId
from bot.table.table import InteractionId, Place, Table
from engine.game import Move
from engine.games.tictactoe import GAME
from tests.bot.clock import ManualClock
from tests.bot.databases import raw
from tests.bot.postgres import postgres
from tests.bot.process import environment

GAMES: Final = 800
PEOPLE: Final = 20
"""The number of players: few, so that the same standings change in all processes."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The outcome of games that ended at once."""

    finishes: Sequence[int]
    results: int
    tallied: int
    seconds: float


async def written(address: str, processes: int, games: int) -> Recorded:
    """Record games that so many processes end at the same time."""
    writers = [
        await asyncio.create_subprocess_exec(
            *(
                sys.executable,
                "-m",
                "tests.benchmarks.writers",
                address,
                str(number),
                str(games // processes),
            ),
            env=environment(),
            stdin=PIPE,
            stdout=PIPE,
        )
        for number in range(processes)
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert await writer.stdout.readline() == b"ready\n"
    begun = perf_counter()
    await asyncio.gather(*(writer.communicate(b"go\n") for writer in writers))
    seconds = perf_counter() - begun
    assert [writer.returncode for writer in writers] == [0] * processes
    with raw(address) as connection:
        finishes = connection.exec_driver_sql(
            "SELECT finish FROM session WHERE finish IS NOT NULL ORDER BY finish"
        )
        results = connection.exec_driver_sql("SELECT count(*) FROM result").scalar_one()
        tallied = connection.exec_driver_sql(
            "SELECT sum(wins + draws + losses) FROM standing WHERE scope = 0 AND season = 0"
        )
        return Recorded(finishes.scalars().all(), results, int(tallied.scalar_one()), seconds)


async def write(address: str, number: int, games: int) -> None:
    """Opens games, and ends all of them once there is a line of standard input."""
    clock = ManualClock()
    database = Database(backend_at(address))
    try:
        store = Tables(database, clock)
        tables = [
            await store.open(_game(clock, game), InteractionId(1 + number * games + game))
            for game in range(games)
        ]
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        await asyncio.gather(*(_saved(store, table) for table in tables))
    finally:
        await database.close()


async def _saved(store: Tables, table: Table) -> None:
    """End a game, again while the other processes have the lock for too long, as people would."""
    while True:
        with suppress(Unavailable):
            await store.save(table, _over(table), None)
            return


def _game(clock: ManualClock, number: int) -> Table:
    one, other = number % PEOPLE, (number // PEOPLE + number + 1) % PEOPLE
    people = (PersonId(100 + one), PersonId(200 + other))
    session = Session(GAME, GAME.settled({}), Pace.LIVE, people[0], tuple(map(Human, people)))
    session = session.start()
    for cell in (0, 3, 1, 4):
        session = session.go_on(Move(cell))
    return Table(SessionId(0), 1, session, Place(7, 8), "en-US", clock.now(), due=None)


def _over(table: Table) -> Table:
    session = press(table.session, Action.RESIGN, table.session.people[0], ply=4)
    return replace(table, revision=table.revision + 1, session=session)


async def measured(games: int) -> None:
    """Prints a line for each number of processes."""
    print("processes  games  recorded  gapless  seconds")
    with postgres() as server:
        for processes in (1, 2, 4, 8):
            address = server()
            seen = await written(address, processes, games)
            gapless = [*seen.finishes] == [*range(1, games + 1)]
            server.drop(address)
            print(
                f"{processes:9}  {games:5}  {seen.results // 2:8}  "
                f"{'yes' if gapless else 'no':>7}  {seen.seconds:7.1f}"
            )


if __name__ == "__main__":
    if len(sys.argv) == 4:
        asyncio.run(write(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
    else:
        asyncio.run(measured(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES))
