"""Whether the living go on when one of several processes on a PostgreSQL database is killed.

    python -m tests.benchmarks.shards [PROCESSES …] [--games N] [--guilds N] [--moves N]

The sandbox has so many servers, and each process one of the shards. Four people play all games at
once, most of them against computers. In the middle the last process is killed, and its servers are
left alone. Printed are the presses in the others' servers with those that nobody answered, at how
many tables of the dead one a computer owed a move, after how many seconds all of these were made,
and how many faults `parlour check` finds.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from psycopg import AsyncConnection

from bot.sandbox import Channel, Impossible, Message, NotAnswered
from tests.bot.databases import faults
from tests.bot.people import Person
from tests.bot.postgres import postgres
from tests.bot.process import kill, started
from tests.bot.stand_in import Sandbox

NAMES: Final = ("Ann", "Ben", "Cleo", "Dan")
LEVELS: Final = ("easy", "medium", "hard", "perfect")
SQUARE: Final = re.compile(r"p1:\d+:\d+:m\d+")
TOGETHER: Final = 16
"""The number of presses under way at once."""

LONGEST: Final = 120.0
OWED: Final = "SELECT count(*) FROM session WHERE unattended"


class Show:
    """The games, and what becomes of the presses there."""

    def __init__(self, sandbox: Sandbox, count: int) -> None:
        self._sandbox = sandbox
        self._count = count
        self.boards: list[tuple[Person, Message]] = []
        self.dead: int | None = None
        self.answered = self.unanswered = 0
        self._pressing = asyncio.Semaphore(TOGETHER)

    def shard(self, channel: Channel) -> int:
        """The shard of a channel's server."""
        return ((channel.guild_id or 0) >> 22) % self._count

    async def open(self, channels: Sequence[Channel], games: int) -> None:
        """Games in all channels, each of one person against a computer."""
        wanted = [
            (self._sandbox.person(name), channel, level)
            for level, name in zip(LEVELS * 2, NAMES * 2, strict=True)
            for channel in channels
        ]
        together = asyncio.Semaphore(8)

        async def one(person: Person, channel: Channel, level: str) -> None:
            async with together:
                typed = await person.type(channel, "tictactoe", level=level, size=5, mark="x")
                board = (await typed.answered()).message
                assert board is not None
                self.boards.append((person, board))

        await asyncio.gather(*(one(*each) for each in wanted[:games]))

    async def play(self, moves: int) -> None:
        """So many moves on every board, but for those of a process that is dead."""
        await asyncio.gather(*(self._play(*each, moves) for each in self.boards))

    async def _play(self, person: Person, board: Message, moves: int) -> None:
        for number in range(moves):
            if self.shard(board.channel) == self.dead:
                return
            offered = [b.custom_id for b in board.buttons if SQUARE.fullmatch(b.custom_id)]
            try:
                async with self._pressing:
                    square = offered[7 * number % len(offered)]
                    await (await person.press(board, custom_id=square)).answered()
                self.answered += 1
            except (Impossible, IndexError):  # the game is over
                return
            except NotAnswered:  # as by a process that has just died
                if self.shard(board.channel) != self.dead:
                    self.unanswered += 1


async def shown(count: int, games: int, guilds: int, moves: int) -> str:
    """A row of the table."""
    async with AsyncExitStack() as stack:
        server = stack.enter_context(postgres())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database = server()
        sandbox = await stack.enter_async_context(Sandbox(guilds=guilds))
        sandbox.application.max_concurrency = 16
        processes = [
            await stack.enter_async_context(
                started(
                    folder,
                    DISCORD_TOKEN=sandbox.token,
                    DISCORD_API=sandbox.url,
                    PARLOUR_SEARCH_WORKERS="1",
                    PARLOUR_LOG_LEVEL="ERROR",
                    DATABASE_URL=database,
                    SHARD_COUNT=str(count),
                    SHARD_IDS=str(number),
                )
            )
            for number in range(count)
        ]
        await sandbox.until(lambda: sandbox.sessions == count, within=LONGEST)
        await sandbox.bot_ready()
        show = Show(sandbox, count)
        further = [sandbox.channel(f"games-{number}") for number in range(2, guilds + 1)]
        await show.open([sandbox.channel("games"), *further], games)
        playing = asyncio.create_task(show.play(moves))
        enough = games * moves // 4
        await sandbox.until(lambda: show.answered >= enough, within=LONGEST)
        show.dead = count - 1
        await kill(processes[-1])
        killed, owed, seconds = time.monotonic(), 0, 0.0
        async with await AsyncConnection.connect(database, autocommit=True) as connection:
            dead = f"{OWED} AND (coalesce(guild, 0) >> 22) % {count} = {show.dead}"
            while left := (await (await connection.execute(dead)).fetchone() or (0,))[0]:
                owed = owed or left
                seconds = time.monotonic() - killed
                await asyncio.sleep(0.05)
        await playing
        return (
            f"{count:>9} {len(show.boards):>6} {show.answered:>9} {show.unanswered:>11} "
            f"{owed:>6} {seconds:>10.1f} {len(faults(database)):>7}"
        )


async def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(description="One of several processes is killed.")
    parser.add_argument("processes", type=int, nargs="*", default=[2, 4])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--guilds", type=int, default=40)
    parser.add_argument("--moves", type=int, default=4)
    given = parser.parse_args()
    print("processes  games  answered  unanswered   owed  made after  faults")
    for count in given.processes:
        print(await shown(count, given.games, given.guilds, given.moves), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
