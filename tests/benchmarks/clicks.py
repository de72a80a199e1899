"""The time to answer a press, beside a discord.py bot that does nothing.

    python -m tests.benchmarks.clicks [--presses N] [--rounds N]

The sandbox and the people run in this process, each bot in one of its own. Both boards have the
same form and size (see `noop.py`): what Parlour adds is the game, its store on the disk, and the
events of messages that it listens to. Bots and concurrencies take turns, round after round, so
that a noisy machine is noisy for both; a figure is the median of the rounds. Parlour's presses are
moves of two people on 3x3, each one committed to disk.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bot.clock import SystemClock
from bot.games.catalogue import CATALOGUE
from bot.sandbox import Interaction, Message
from bot.storage.choices import MOST_GAMES, GuildId
from bot.storage.stores import stores
from tests.bot.english import says
from tests.bot.process import environment
from tests.bot.stand_in import Sandbox

CONCURRENCIES = (1, 16, 48)
ROOM = MOST_GAMES
DRAW = (0, 1, 2, 4, 3, 5, 7, 6, 8)
MIDDLE = 5
LONGEST_START = 60
"""Seconds: others may be at work on the machine."""

Press = Callable[[], Awaitable[Interaction]]
Prepare = Callable[[Sandbox, Path], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Figures:
    """One round: presses per second, the median and the 99th percentile in milliseconds.

    `size` is that of a message in the middle of a game, in bytes of JSON as the bot gets it.
    """

    rate: float
    p50: float
    p99: float
    size: float


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot to measure: its name, its module, and how a message of it is pressed."""

    name: str
    module: str
    open: Callable[[Sandbox], Awaitable[Iterator[Press]]]


async def game(sandbox: Sandbox, channel: str = "games") -> Iterator[Press]:
    """The presses of a whole game between two people, begun but not yet played."""
    ann, ben, games = sandbox.person("Ann"), sandbox.person("Ben"), sandbox.channel(channel)
    typed = await (await ann.type(games, "tictactoe", opponent=ben, mark="x")).answered()
    board = typed.message
    await sandbox.until(lambda: bool(board.buttons))  # a bot that is busy defers it first
    before = board.edits
    await ben.press(board, says("control.accept"))

    async def press(turn: int, cell: int) -> Interaction:
        await sandbox.until(lambda: board.edits > before + turn)  # else it would be refused
        return await (ann, ben)[turn % 2].press(board, position=divmod(cell, 3))

    return iter([partial(press, turn, cell) for turn, cell in enumerate(DRAW)])


def constant(command: str, custom_id: str) -> Callable[[Sandbox], Awaitable[Iterator[Press]]]:
    """Presses of a button that does nothing, as many as a game has."""

    async def presses(sandbox: Sandbox) -> Iterator[Press]:
        ann, games = sandbox.person("Ann"), sandbox.channel("games")
        message = (await (await ann.type(games, command)).answered()).message
        assert message is not None
        offered: Message = message
        return iter([lambda: ann.press(offered, custom_id=custom_id)] * len(DRAW))

    return presses


PARLOUR = Bot("Parlour", "bot", game)
BOTS = (
    PARLOUR,
    Bot("no-op, a board", "tests.benchmarks.noop", constant("board", "p1:31:5:m4")),
    Bot("no-op, a button", "tests.benchmarks.noop", constant("button", "noop")),
)


@asynccontextmanager
async def running(bot: Bot, prepare: Prepare | None = None) -> AsyncIterator[Sandbox]:
    """A sandbox with the bot at work in a process of its own, on what `prepare` has stored."""
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox() as sandbox:
            if bot is PARLOUR:
                await make_room(sandbox, Path(folder))
            if prepare is not None:
                await prepare(sandbox, Path(folder))
            settings = environment(DISCORD_TOKEN=sandbox.token, DISCORD_API=sandbox.url)
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                bot.module,
                cwd=Path(folder),
                env=settings,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
            await sandbox.until(lambda: sandbox.online, within=LONGEST_START)
            await sandbox.bot_ready()
            if bot is PARLOUR:
                every = sum(len(entry.sprites) for entry in CATALOGUE.values())
                await sandbox.until(lambda: sandbox.emojis >= every)  # else it still uploads them
                assert process.stdout is not None
                await process.stdout.readline()  # it says so when it is open
            yield sandbox
            process.terminate()
            await process.wait()


async def make_room(sandbox: Sandbox, folder: Path) -> None:
    """Lets as many games run in a channel as may."""
    guild = sandbox.channel("games").guild_id
    assert guild is not None
    async with stores(f"sqlite:///{folder}/parlour.db", SystemClock()) as kept:
        await kept.guilds.choose(GuildId(guild), games=ROOM)


async def measured(sandbox: Sandbox, bot: Bot, concurrency: int, presses: int) -> Figures:
    """One round: `concurrency` boards are always being pressed, until `presses` are answered."""
    boards = -(-presses // len(DRAW))
    prepared = [await bot.open(sandbox) for _ in range(max(boards, concurrency))]
    taken = iter(prepared)
    latencies: list[float] = []
    shown = [await (await next(prepared[0])()).answered() for _ in range(MIDDLE)][-1].message
    assert shown is not None
    size = len(json.dumps(shown.payload()))

    async def worker() -> None:
        for board in taken:
            for press in board:
                begun = time.perf_counter()
                await (await press()).answered()
                latencies.append(time.perf_counter() - begun)

    begun = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(concurrency)))
    elapsed = time.perf_counter() - begun
    cuts = statistics.quantiles(latencies, n=100)
    return Figures(len(latencies) / elapsed, cuts[49] * 1e3, cuts[98] * 1e3, size)


async def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(description="Presses answered, against a no-op bot.")
    parser.add_argument("--presses", type=int, default=900, help="a round and concurrency")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    rounds: dict[tuple[str, int], list[Figures]] = {}
    for _ in range(arguments.rounds):
        for bot in BOTS:
            async with running(bot) as sandbox:
                await measured(sandbox, bot, 16, 90)  # what is slow only once is not measured
                for concurrency in CONCURRENCIES:
                    figures = await measured(sandbox, bot, concurrency, arguments.presses)
                    rounds.setdefault((bot.name, concurrency), []).append(figures)
    report(rounds)


def report(rounds: dict[tuple[str, int], list[Figures]]) -> None:
    """Prints the medians of the rounds, and how many times a no-op's p50 Parlour's is."""
    print("concurrency             bot  bytes  presses/s   p50 ms   p99 ms  Parlour's p50 is")
    for concurrency in CONCURRENCIES:
        ours = rounds[PARLOUR.name, concurrency]
        for bot in BOTS:
            found = rounds[bot.name, concurrency]
            rate, p50, p99, size = (
                statistics.median(getattr(each, name) for each in found)
                for name in ("rate", "p50", "p99", "size")
            )
            times = statistics.median(a.p50 / b.p50 for a, b in zip(ours, found, strict=True))
            row = f"{concurrency:>11} {bot.name:>15} {size:>6.0f}"
            print(row, f"{rate:>10.0f} {p50:>8.2f} {p99:>8.2f}  {times:.2f}x")


if __name__ == "__main__":
    asyncio.run(main())
