"""The time until a board is right once Discord is back, after faults that kept an answer.

    python -m tests.benchmarks.repair [--rounds N] [--boards N] [--outage SECONDS]

The sandbox and the people run in this process, the bot in one of its own; its requests go through a
line that can be down, what Discord tells it does not. In each round a person presses, and a fault
comes between the move and its answer. Measured is the time from the moment when nothing is wrong
with Discord any more (for a cut connection: from the press) until all boards show what was pressed.
Where Discord tells the bot nothing for a while, the press comes as soon as it does again. Faults
take turns, round after round, so that a noisy machine is noisy for all.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from discord import ButtonStyle
from yarl import URL

from bot.clock import SystemClock
from bot.sandbox import Message
from bot.storage.choices import MOST_GAMES, GuildId
from bot.storage.stores import stores
from bot.table.actions import Action
from tests.bot.english import says
from tests.bot.process import started
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import Exchange, Observed
from tests.bot.ui.conftest import control

CALLBACK: Final = "/interactions/*/*/callback"
EDIT: Final = "/channels/*/messages/*"
SQUARE: Final = (0, 0)
FREE: Final = ButtonStyle.secondary.value
"""The style of a square that nobody has."""

LONGEST: Final = 180.0
LIMIT: Final = 2.0
"""Seconds for which Discord wants to be left alone after a 429."""


class Line:
    """The way to a port; while it is down, connections are answered with 503 or `cut`."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._down: str | None = None
        self._open: set[asyncio.StreamWriter] = set()

    def go_down(self, how: str) -> None:
        """Breaks everything off, and carries nothing any more."""
        self._down = how
        for writer in self._open:
            writer.transport.abort()

    def come_back(self) -> None:
        """Carries connections again."""
        self._down = None

    async def serve(self, asking: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        """Carries a connection, or turns it away."""
        with suppress(OSError, EOFError, asyncio.CancelledError):
            if self._down == "503":
                await asking.readuntil(b"\r\n\r\n")
                back.write(b"HTTP/1.1 503 Unavailable\r\nContent-Length: 0\r\n\r\n")
            elif self._down is None:
                answering, on = await asyncio.open_connection("127.0.0.1", self._port)
                self._open |= {back, on}
                await asyncio.gather(_carry(asking, on), _carry(answering, back))
                self._open -= {back, on}
        back.close()


async def _carry(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await source.read(1 << 16):
            target.write(piece)
            await target.drain()
    target.close()


@dataclass
class Bench:
    """Boards that are pressed, and what keeps the answers."""

    sandbox: Sandbox
    line: Line
    outage: float

    def __post_init__(self) -> None:
        self._seen: defaultdict[int, list[float]] = defaultdict(list)
        self.sandbox.observe(self._note)

    def _note(self, observed: Observed) -> None:
        if isinstance(observed, Exchange):
            self._seen[observed.status].append(time.monotonic())

    async def opened(self) -> Message:
        """The board of a game of two people."""
        ann, ben = map(self.sandbox.person, ("Ann", "Ben"))
        games = self.sandbox.channel("games")
        typed = await (await ann.type(games, "tictactoe", opponent=ben, mark="x")).answered()
        await (await ben.press(typed.message, says("control.accept"))).answered()
        return typed.message

    async def measured(self, fault: Fault, boards: int) -> float:
        """For how many seconds boards are wrong after a fault."""
        pressed = [await self.opened() for _ in range(boards)]
        self._seen.clear()
        shown = asyncio.create_task(self._shown(pressed))
        back = await fault(self, pressed)
        seconds = max(0.0, await shown - back)
        for board in pressed:
            cancel = control(board, Action.CANCEL)
            await (await self.sandbox.person("Ann").press(board, custom_id=cancel)).answered()
        return seconds

    async def _shown(self, boards: Sequence[Message]) -> float:
        await self.sandbox.until(
            lambda: all(each.buttons[0].style != FREE for each in boards), within=LONGEST
        )
        return time.monotonic()

    async def press(self, boards: Sequence[Message]) -> None:
        """A press on each board, whether it is answered in time or not."""
        ann = self.sandbox.person("Ann")
        pressed = [await ann.press(board, position=SQUARE) for board in boards]
        await asyncio.gather(*(each.answered() for each in pressed), return_exceptions=True)

    async def last(self, status: int, number: int) -> float:
        """When Discord answered with a status for the last time, of so many."""
        seen = self._seen[status]
        await self.sandbox.until(lambda: len(seen) >= number, within=LONGEST)
        return seen[number - 1]


Fault = Callable[[Bench, Sequence[Message]], Awaitable[float]]
"""Presses boards, and gives the moment from which nothing is wrong any more."""


async def refused(bench: Bench, boards: Sequence[Message], *, times: int) -> float:
    """Discord has trouble of its own with the first answers."""
    for _ in range(times):
        bench.sandbox.fail_next("POST", CALLBACK, 503)
    await bench.press(boards)
    return await bench.last(503, times)


async def cut(bench: Bench, boards: Sequence[Message], *, carried_out: bool) -> float:
    """The connection is cut on which the answer goes."""
    bench.sandbox.cut_next("POST", CALLBACK, carried_out=carried_out)
    begun = time.monotonic()
    await bench.press(boards)
    return begun


async def away(
    bench: Bench, boards: Sequence[Message], *, how: str, seconds: float | None = None
) -> float:
    """Discord tells what people do, and takes nothing, for long unless `seconds` says otherwise."""
    bench.line.go_down(how)
    await bench.press(boards)
    await asyncio.sleep(bench.outage if seconds is None else seconds)
    bench.line.come_back()
    return time.monotonic()


async def limited(
    bench: Bench, boards: Sequence[Message], *, times: int, everywhere: bool
) -> float:
    """The answer is lost, and Discord wants to be left alone when the board is mended."""
    for _ in range(times):
        bench.sandbox.fail_next("PATCH", EDIT, 429, retry_after=LIMIT, all_routes=everywhere)
    await away(bench, boards, how="503", seconds=0.0)
    return LIMIT + await bench.last(429, times)


async def silent(bench: Bench, boards: Sequence[Message]) -> float:
    """Discord takes requests, and tells nothing for long."""
    bench.sandbox.drop_gateway(refuse=True)
    await asyncio.sleep(bench.outage)
    bench.sandbox.drop_gateway()
    back = time.monotonic()
    await bench.sandbox.until(lambda: bench.sandbox.online, within=LONGEST)
    await bench.press(boards)
    return back


ONE, MANY = False, True
FAULTS: Final[dict[str, tuple[bool, Fault]]] = {
    "503 to 5 answers": (ONE, partial(refused, times=5)),
    "503 until the press is given up": (ONE, partial(away, how="503", seconds=0.0)),
    "connection cut before Discord took the answer": (ONE, partial(cut, carried_out=False)),
    "connection cut after Discord took it": (ONE, partial(cut, carried_out=True)),
    "given up, then a global 429": (ONE, partial(limited, times=1, everywhere=True)),
    "given up, then 429 five times": (ONE, partial(limited, times=5, everywhere=False)),
    "503 to everything for long": (MANY, partial(away, how="503")),
    "every connection cut for long": (MANY, partial(away, how="cut")),
    "gateway away for long": (ONE, silent),
}


async def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(description="How soon boards are right after faults.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--boards", type=int, default=20, help="that an outage meets")
    parser.add_argument("--outage", type=float, default=30.0, help="in seconds")
    given = parser.parse_args()
    took: defaultdict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox() as sandbox:
            line = Line(URL(sandbox.url).port or 0)
            server = await asyncio.start_server(line.serve, "127.0.0.1", 0)
            port = server.sockets[0].getsockname()[1]
            guild = GuildId(sandbox.channel("games").guild_id or 0)
            async with stores(f"sqlite:///{folder}/parlour.db", SystemClock()) as kept:
                await kept.guilds.choose(guild, games=MOST_GAMES)
            settings = {
                "DISCORD_TOKEN": sandbox.token,
                "DISCORD_API": f"http://127.0.0.1:{port}",
                "PARLOUR_LOG_LEVEL": "ERROR",
            }
            async with started(Path(folder), **settings):
                await sandbox.until(lambda: sandbox.online, within=LONGEST)
                await sandbox.bot_ready()
                bench = Bench(sandbox, line, given.outage)
                for _ in range(given.rounds):
                    for name, (many, fault) in FAULTS.items():
                        boards = given.boards if many else 1
                        took[name].append(await bench.measured(fault, boards))
    print(f"{'seconds until boards are right':<46} median  longest")
    for name, seconds in took.items():
        print(f"{name:<46} {statistics.median(seconds):>6.1f} {max(seconds):>8.1f}")


if __name__ == "__main__":
    asyncio.run(main())
