"""Whether anything grows, or stays unanswered, while many games are played for long with faults.

    python -m tests.benchmarks.soak [MINUTES] [--games N] [--pause SECONDS]

Four people play so many games at once, of all kinds and levels, each finished one followed by
another. Every other half minute faults are on: answers cut, refused and late, connections dropped,
processes that think killed. Printed are the memory of the bot and of all its processes at the
start, in the middle and at the end, the presses that nobody answered while faults were off, and
what `parlour check` says.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from bot.sandbox import Button, Impossible, Message, NotAnswered, Person, Sandbox
from tests.benchmarks.clicks import make_room
from tests.bot.process import environment

NAMES: Final = ("Ann", "Ben", "Cleo", "Dan")
TURN: Final = re.compile(r"<@(\d+)>\u2069, (?:roll the die|it's your move)")
OFFER: Final = re.compile(r"p1:\d+:\d+:(?:roll|m\d+)")
CALLBACK: Final = "/interactions/*/*/callback"
EDIT: Final = "/channels/*/messages/*"
PHASE: Final = 30.0
"""Seconds for which faults are on, and off, in turn."""

MARKED: Final = {"❌", "❎", "⭕", "🔘"}


@dataclass
class Soak:
    """What happens at the tables, and what has gone wrong there."""

    sandbox: Sandbox
    rng: Random
    until: float
    pause: float
    faulty: bool = False
    settled: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)

    def over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() >= self.until

    def people(self) -> list[Person]:
        """The four people, in any order."""
        people = list(map(self.sandbox.person, NAMES))
        self.rng.shuffle(people)
        return people

    async def play(self) -> None:
        """One game after another, until the time is up."""
        while not self.over():
            with suppress(Impossible):
                board = await self.opened()
                for _ in range(400):
                    if self.over() or board is None or not await self.turn(board):
                        break
                    await asyncio.sleep(self.rng.uniform(0, 2 * self.pause))
            await asyncio.sleep(self.pause)

    async def opened(self) -> Message | None:
        """The board of a new game of some kind, in direct messages if against computers."""
        ann, ben, *_ = self.people()
        kind = self.rng.randrange(4)
        if kind == 0:
            games = self.sandbox.channel("games")
            typed = await ann.type(games, "tictactoe", opponent=ben, size=self.rng.choice((3, 4)))
            board = await self.answered(typed)
            if board is not None:
                await self.answered(await ben.press(board, "Accept"))
            return board
        if kind == 1:
            level = self.rng.choice(("medium", "hard", "perfect"))
            size = self.rng.choice((3, 4, 5))
            return await self.answered(await ann.type(ann.dm, "tictactoe", level=level, size=size))
        rules, level = (
            self.rng.choice(("classic", "quick", "damascus")),
            ("hard", "expert")[kind % 2],
        )
        given = {"rules": rules, "level": level, "computers": self.rng.choice((1, 3))}
        return await self.answered(await ann.type(ann.dm, "ludo", **given))

    async def answered(self, interaction: object) -> Message | None:
        """The message that an interaction led to; None if it led to none in time."""
        self.counts["presses"] += 1
        quiet = not self.faulty and time.monotonic() - self.settled > 5
        try:
            done = await interaction.answered()  # type: ignore[attr-defined]
        except NotAnswered:
            self.counts["unanswered" if quiet else "unanswered under faults"] += 1
            return None
        message: Message | None = done.message
        return message

    async def turn(self, board: Message) -> bool:
        """One turn of a game, if it goes on."""
        offered = [button for button in board.buttons if offers(button)]
        if "Rematch" in [button.label for button in board.buttons]:
            self.counts["games"] += 1
            return False
        found = TURN.search(board.text)
        movers = [p for p in self.people() if found and str(p.id) == found[1]]
        if offered and movers:
            pressed = self.rng.choice(offered)
            await self.answered(await movers[0].press(board, custom_id=pressed.custom_id))
        return True

    async def trouble(self) -> None:
        """Faults for a while, then none, in turn."""
        while not self.over():
            await asyncio.sleep(PHASE)
            self.faulty, begun = True, time.monotonic()
            while not self.over() and time.monotonic() - begun < PHASE:
                self.fault()
                await asyncio.sleep(0.5)
            self.settled, self.faulty = time.monotonic(), False

    def fault(self) -> None:
        """Something that goes wrong."""
        match self.rng.randrange(7):
            case 0:
                self.sandbox.cut_next("POST", CALLBACK)
            case 1:
                self.sandbox.cut_next("POST", CALLBACK, carried_out=True)
            case 2:
                self.sandbox.fail_next("PATCH", EDIT, 502, 0, "Bad Gateway")
            case 3:
                self.sandbox.fail_next("POST", CALLBACK, 503, 0, "Unavailable")
            case 4:
                self.sandbox.cut_next("PATCH", EDIT)
            case 5 if self.rng.random() < 0.1:
                self.sandbox.drop_gateway()
            case _ if self.rng.random() < 0.1:
                for process in list(descendants(self.bot))[1:]:
                    os.kill(process, signal.SIGKILL)

    bot: int = 0


def offers(button: Button) -> bool:
    """Whether a button makes a move that is left."""
    marked = button.emoji is not None and button.emoji.name in MARKED
    return not (marked or button.disabled) and bool(OFFER.fullmatch(button.custom_id))


def descendants(process: int) -> Iterator[int]:
    """A process and all that it has started and are still there."""
    yield process
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            for child in children.read_text(encoding="ascii").split():
                yield from descendants(int(child))


def memory(*processes: int) -> float:
    """The memory of some processes, in MB."""
    total = 0
    for process in processes:
        with suppress(OSError):
            status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
            found = re.search(r"VmRSS:\s+(\d+) kB", status)
            total += int(found[1]) if found else 0
    return total / 1e3


async def main() -> None:
    """Plays, and prints what came of it."""
    parser = argparse.ArgumentParser(description="Memory and answers over a long time.")
    parser.add_argument("minutes", type=float, nargs="?", default=10)
    parser.add_argument("--games", type=int, default=200, help="at once")
    parser.add_argument("--pause", type=float, default=10.0, help="between turns of a game")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox() as sandbox:
            await make_room(sandbox, Path(folder))
            soaked = await soak(sandbox, Path(folder), arguments)
        print(", ".join(f"{many} {what}" for what, many in sorted(soaked.counts.items())))
        command = (sys.executable, "-m", "bot", "check")
        stored = environment(DATABASE_URL="sqlite:///parlour.db")
        check = await asyncio.create_subprocess_exec(*command, cwd=folder, env=stored)
        await check.wait()


async def soak(sandbox: Sandbox, folder: Path, arguments: argparse.Namespace) -> Soak:
    """The bot in a process of its own, and people who play."""
    settings = environment(DISCORD_TOKEN=sandbox.token, PARLOUR_DISCORD_URL=sandbox.url)
    log = folder / "log"
    with log.open("wb") as errors:
        bot = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", cwd=folder, env=settings, stdout=errors, stderr=errors
        )
    with suppress(TimeoutError):  # the machine may be busy
        await sandbox.bot_ready()
    await sandbox.bot_ready()
    lasting = 60 * arguments.minutes
    soaked = Soak(sandbox, Random(1), time.monotonic() + lasting, arguments.pause)
    soaked.bot = bot.pid
    playing = [asyncio.create_task(soaked.play()) for _ in range(arguments.games)]
    playing.append(asyncio.create_task(soaked.trouble()))
    print("minute    bot MB    all MB    presses", flush=True)
    for tenth in range(11):
        await asyncio.sleep(lasting / 10 if tenth else 0)
        mine, all_of_them = memory(bot.pid), memory(*descendants(bot.pid))
        minute = tenth * arguments.minutes / 10
        print(
            f"{minute:6.1f} {mine:9.0f} {all_of_them:9.0f} {soaked.counts['presses']:>10}",
            flush=True,
        )
    for outcome in await asyncio.gather(*playing, return_exceptions=True):
        if isinstance(outcome, BaseException):
            print(f"{outcome!r}")
    bot.terminate()
    await bot.wait()
    print(f"log: {Counter(levels(log))}")
    return soaked


def levels(log: Path) -> Iterator[str]:
    """What the bot has logged, by its level and first words."""
    for line in log.read_text(encoding="utf-8").splitlines():
        if found := re.match(r"\S+ \S+ (WARNING|ERROR|CRITICAL) (\S+ \S+ \S+)", line):
            yield f"{found[1]} {found[2]}"


if __name__ == "__main__":
    asyncio.run(main())
