"""Whether anything grows, or stays unanswered, while many games are played for long with faults.

    python -m tests.benchmarks.soak [MINUTES] [--games N] [--pause SECONDS] [--calm] [--trace]

Four people play so many games at once, of all kinds and levels, each finished one followed by
another. Every other half minute faults are on: answers cut, refused and late, connections dropped,
processes that think killed; `--calm` leaves them out, so that these processes live to the end.
Printed are, ten times, the memory of the bot, of each of its processes and of all, its handles, the
games that run, the presses so far, and for what part of the time the bot and the people ran and
stood in line for a core; then by how much the bot's memory grew in the second half, the bytes of
its caches beside their budgets, what became of the presses, and what `parlour check` says.

With `--trace` the lines of code are printed by which Python has more in use after five sixths of
the time than after two, in an hour from minute 20 to 50. That takes memory and time, so that the
table above it is worth little.

A press counts as late that nobody answered within 3 s while faults were off, and as slow after 1 s.
What kept it is told apart by Linux's account of the two processes meanwhile: `no core` was free for
them for a third of the time, the `bot` itself was busy, or neither and it `waited` for something
else.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import signal
import statistics
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

from bot.clock import SystemClock
from bot.sandbox import Button, Impossible, Message, NotAnswered
from bot.storage.choices import MOST_GAMES, GuildId
from bot.storage.opening import reading_transaction
from bot.storage.stores import stores
from tests.benchmarks.faults import Trouble
from tests.benchmarks.processes import Snapshot, descendants, handles, memory
from tests.benchmarks.traced import growth
from tests.bot.english import mover_in, piece, says
from tests.bot.people import Person
from tests.bot.process import environment
from tests.bot.stand_in import Sandbox
from tests.bot.ui.conftest import OFFER
from tests.bot.ui.test_metrics import free_port, read

NAMES: Final = ("Ann", "Ben", "Cleo", "Dan")
LEVELS: Final = {
    "tictactoe": ("easy", "medium", "hard", "perfect"),
    "ludo": ("easy", "medium", "hard", "expert"),
}
LONGEST_START: Final = 120
"""Seconds: others may be at work on the machine."""

TAKEN: Final = ("_x", "_o")
"""The ends of the names of emoji on taken squares."""

LATE: Final = 3.0
SLOW: Final = 1.0
"""Seconds until an answer comes."""

MOST_WAITING: Final = 12
"""The turns in a row with nothing to press after which people leave a board for a new game.

A fault may have cost the press that began theirs. While a computer thinks they stay, so that as
many games run to the end of the hour as at its beginning.
"""

THINKING: Final = piece("board.thinking")

TRACED_AT: Final = (2, 5)
"""The sixths of the time after which Python's account of the bot's memory is taken."""

RUNNING: Final = "SELECT count(*) FROM session WHERE phase = 'running'"


@dataclass
class Soak:
    """A record of the tables: everything that happens there, and everything that went wrong."""

    sandbox: Sandbox
    rng: Random
    lasting: float
    pause: float
    bot: int
    channels: list[str]
    trouble: Trouble
    begun: float = field(default_factory=time.monotonic)
    counts: Counter[str] = field(default_factory=Counter)
    latencies: list[float] = field(default_factory=list)
    resident: list[float] = field(default_factory=list)

    def people(self) -> list[Person]:
        """The four people, in any order."""
        people = list(map(self.sandbox.person, NAMES))
        self.rng.shuffle(people)
        return people

    async def play(self) -> None:
        """One game after another, of which the first begins at some time."""
        await asyncio.sleep(self.rng.uniform(0, 2 * self.pause))
        while True:
            with suppress(Impossible):
                board = await self.opened()
                waited = 0
                while board is not None and waited < MOST_WAITING and not self.over(board):
                    going_on = await self.turn(board) or THINKING in board.text
                    waited = 0 if going_on else waited + 1
                    await asyncio.sleep(self.rng.uniform(0, 2 * self.pause))
            await asyncio.sleep(self.rng.uniform(0, self.pause))

    async def opened(self) -> Message | None:
        """The board of a new game of some kind, in direct messages if against computers.

        None where a sentence stands instead: there is no room, or computers have too much to do.
        """
        ann, ben, *_ = self.people()
        kind = self.rng.randrange(4)
        if kind == 0:
            size = self.rng.choice((3, 4))
            typed = await ann.type(
                self.sandbox.channel(self.rng.choice(self.channels)),
                "tictactoe",
                opponent=ben,
                size=size,
            )
            challenge = board(await self.answered(typed))
            if challenge is not None:
                await self.answered(await ben.press(challenge, says("control.accept")))
            return challenge
        if kind == 1:
            given = {"level": self.rng.choice(LEVELS["tictactoe"]), "size": self.rng.choice((3, 4))}
            return board(await self.answered(await ann.type(ann.dm, "tictactoe", **given)))
        rules = self.rng.choice(("classic", "quick", "damascus"))
        level = self.rng.choice(LEVELS["ludo"])
        given = {"rules": rules, "level": level, "computers": self.rng.choice((1, 3))}
        return board(await self.answered(await ann.type(ann.dm, "ludo", **given)))

    async def answered(self, interaction: object) -> Message | None:
        """The message that an interaction led to; None if it led to none in time."""
        self.counts["presses"] += 1
        before, quiet = Snapshot(self.bot), self.trouble.over()
        try:
            done = await interaction.answered()  # type: ignore[attr-defined]
        except NotAnswered:
            quiet = quiet and self.trouble.over()
            late = f"late ({before.kept_by(LATE)})" if quiet else "unanswered under faults"
            self.counts[late] += 1
            return None
        if quiet:
            self.latencies.append(time.monotonic() - before.at)
            if self.latencies[-1] > SLOW:
                self.counts[f"slow ({before.kept_by(SLOW)})"] += 1
        message: Message | None = done.original
        return message

    def over(self, board: Message) -> bool:
        """Whether a game has come to its end."""
        ended = says("control.rematch") in [button.label for button in board.buttons]
        self.counts["games"] += ended
        return ended

    async def turn(self, board: Message) -> bool:
        """Make one turn of a game, and return whether there was one to make."""
        offered = [button for button in board.buttons if offers(button)]
        found = mover_in(board.text)
        movers = [p for p in self.people() if str(p.id) == found]
        if not (offered and movers):
            return False
        pressed = self.rng.choice(offered)
        await self.answered(await movers[0].press(board, custom_id=pressed.custom_id))
        return True

    async def watched(self, database: str) -> None:
        """Prints ten times what there is, what was done, and what it took."""
        print(
            "minute  bot MB    others MB  all MB  handles  games  presses  "
            "bot: ran waited  people: ran waited",
            flush=True,
        )
        before = Snapshot(self.bot)
        for tenth in range(11):
            await asyncio.sleep(self.begun + self.lasting * tenth / 10 - time.monotonic())
            elapsed = max(time.monotonic() - before.at, 1e-9)
            (bot, people), before = before.since(), Snapshot(self.bot)
            shares = [f"{100 * each / elapsed:.0f} %" for each in (*bot, *people)]
            with reading_transaction(database) as connection:
                running = connection.exec_driver_sql(RUNNING).scalar_one()
            bot_alone, *others = [memory(each) for each in descendants(self.bot)]
            self.resident.append(bot_alone)
            print(
                f"{self.lasting * tenth / 600:6.1f} {bot_alone:>7.1f} "
                f"{' '.join(f'{each:.1f}' for each in others):>12} "
                f"{bot_alone + sum(others):>7.1f} {handles(self.bot):>8} "
                f"{running:>6} {self.counts['presses']:>8} "
                f"{shares[0]:>9} {shares[1]:>6} {shares[2]:>12} {shares[3]:>6}",
                flush=True,
            )


def board(answer: Message | None) -> Message | None:
    """A board, if that is what an answer is."""
    return answer if answer is not None and answer.buttons else None


def offers(button: Button) -> bool:
    """Whether a button makes a move that is left."""
    marked = button.emoji is not None and button.emoji.name.endswith(TAKEN)
    return not (marked or button.disabled) and bool(OFFER.fullmatch(button.custom_id))


async def main() -> None:
    """Plays, and prints what came of it."""
    parser = argparse.ArgumentParser(description="Memory and answers over a long time.")
    parser.add_argument("minutes", type=float, nargs="?", default=10)
    parser.add_argument("--games", type=int, default=200, help="at once")
    parser.add_argument("--pause", type=float, default=10.0, help="between turns of a game")
    parser.add_argument("--calm", action="store_true", help="without faults")
    parser.add_argument("--trace", action="store_true", help="name the code that takes memory")
    arguments = parser.parse_args()
    guilds = 1 + arguments.games // (2 * MOST_GAMES)
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/parlour.db"
        async with Sandbox(guilds=guilds) as sandbox:
            async with stores(database, SystemClock()) as kept:
                for guild in {each.guild_id for each in map(sandbox.channel, channels(guilds))}:
                    await kept.guilds.choose(GuildId(guild or 0), games=MOST_GAMES)
            await soak(sandbox, Path(folder), arguments, guilds)
        command = (sys.executable, "-m", "bot", "check")
        check = await asyncio.create_subprocess_exec(
            *command, cwd=folder, env=environment(DATABASE_URL=database)
        )
        await check.wait()


def channels(guilds: int) -> list[str]:
    """The channels for games, one of each server."""
    return ["games", *(f"games-{number}" for number in range(2, guilds + 1))]


async def soak(sandbox: Sandbox, folder: Path, arguments: argparse.Namespace, guilds: int) -> None:
    """The bot in a process of its own, and people who play."""
    port, log, trace = free_port(), folder / "log", folder / "trace"
    settings = environment(
        DISCORD_TOKEN=sandbox.token, DISCORD_API=sandbox.url, PARLOUR_METRICS_PORT=port
    )
    program = ("tests.benchmarks.traced", str(trace)) if arguments.trace else ("bot",)
    with log.open("wb") as errors:
        bot = await asyncio.create_subprocess_exec(
            sys.executable, "-m", *program, cwd=folder, env=settings, stdout=errors, stderr=errors
        )
    await sandbox.until(lambda: sandbox.online, within=LONGEST_START)
    await sandbox.bot_ready()
    rng, trouble = Random(1), Trouble(sandbox, Random(2), bot.pid)
    lasting = 60 * arguments.minutes
    soaked = Soak(sandbox, rng, lasting, arguments.pause, bot.pid, channels(guilds), trouble)
    playing = [asyncio.create_task(soaked.play()) for _ in range(arguments.games)]
    if not arguments.calm:
        playing.append(asyncio.create_task(trouble.run()))
    if arguments.trace:
        for sixths in TRACED_AT:
            asyncio.get_running_loop().call_later(
                lasting * sixths / 6, bot.send_signal, signal.SIGUSR1
            )
    await soaked.watched(f"sqlite:///{folder}/parlour.db")
    for each in playing:
        each.cancel()
    for outcome in await asyncio.gather(*playing, return_exceptions=True):
        if isinstance(outcome, Exception):
            print(f"{outcome!r}")
    print(
        f"second half: {soaked.resident[-1] - soaked.resident[len(soaked.resident) // 2]:+.1f} MB"
    )
    _, page = await read(port, "metrics")
    print("\n".join(caches(page)))
    bot.terminate()
    await bot.wait()
    if arguments.trace:
        print("\n".join(growth(Path(f"{trace}1"), Path(f"{trace}2"))))
    print(f"log: {Counter(levels(log))}")
    print(", ".join(f"{many} {what}" for what, many in sorted(soaked.counts.items())))
    cuts = [1e3 * cut for cut in statistics.quantiles(soaked.latencies, n=100)]
    print(f"answered while faults were off: median {cuts[49]:.0f} ms, p99 {cuts[98]:.0f} ms")


def caches(page: str) -> Iterator[str]:
    """The caches of a page of metrics, the bytes of each beside its budget."""
    found = re.findall(r'^parlour_cache_(budget_)?bytes\{what="(\w+)"\} (\S+)$', page, re.MULTILINE)
    sizes = {(name, kind): float(size) for kind, name, size in found}
    for name in sorted({name for name, _ in sizes}):
        held, budget = (sizes[name, kind] / 1e6 for kind in ("", "budget_"))
        yield f"{name:>20} {held:7.2f} of {budget:6.2f} MB{'' if held <= budget else ' TOO MUCH'}"


def levels(log: Path) -> Iterator[str]:
    """The bot's warnings and errors, each by its level and first words."""
    for line in log.read_text(encoding="utf-8").splitlines():
        if found := re.match(r"\S+ \S+ (WARNING|ERROR|CRITICAL) (\S+ \S+ \S+)", line):
            yield f"{found[1]} {found[2]}"


if __name__ == "__main__":
    asyncio.run(main())
