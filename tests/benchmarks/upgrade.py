"""Whether games that the bot of an older version is killed at go on in this version.

    python -m tests.benchmarks.upgrade CHECKOUT [--games N] [--seconds N]

CHECKOUT is a tree of the older version that the packages of this environment suit, such as one of
`git worktree add`. Its bot is started on a sandbox of this version, where people play so many games
of all kinds at once and a tournament; then it is killed, and this version's bot goes on with the
same file and the same Discord. People play on until each game that ran has got further. Printed are
the moves there were and those missing since, the games that stand still, and what `parlour check`
says before and after. The code is 1 if anything is missing, stands still or is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import sys
import tempfile
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from bot.sandbox import Impossible, Message
from bot.sandbox.model.channels import ChannelKind
from bot.screens.tournament_controls import TournamentAction
from bot.storage.choices import MOST_GAMES
from tests.benchmarks.faults import Trouble
from tests.benchmarks.soak import LONGEST_START, Soak, channels, levels
from tests.bot.process import ROOT, environment
from tests.bot.stand_in import Sandbox
from tests.bot.ui.hall import boards, form

PAUSE: Final = 0.5
"""Seconds between two turns of a game, on average."""

LONGEST: Final = 180.0
"""Seconds after which a game that has got no further stands still."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What the file has: each move with its game and ply, and the plies of games that run."""

    moves: frozenset[tuple[int, int, int]]
    running: dict[int, int]

    @classmethod
    def read(cls, file: Path) -> Stored:
        """What is in a file, whatever its schema."""
        with closing(sqlite3.connect(file)) as raw:
            moves = frozenset(raw.execute("SELECT session, ply, move FROM move"))
            going = raw.execute("SELECT id, plies FROM session WHERE phase = 'running'")
            return cls(moves, dict(going.fetchall()))


@asynccontextmanager
async def running(root: Path, folder: Path, sandbox: Sandbox, log: Path) -> AsyncIterator[Process]:
    """The bot of a tree at work in a folder; it is killed at the end."""
    settings = environment(DISCORD_TOKEN=sandbox.token, DISCORD_API=sandbox.url)
    with log.open("wb") as errors:
        bot = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            cwd=folder,
            env=settings | {"PYTHONPATH": str(root)},
            stdout=errors,
            stderr=errors,
        )
    try:
        await sandbox.until(lambda: sandbox.online, within=LONGEST_START)
        await sandbox.bot_ready()
        yield bot
    finally:
        bot.kill()
        await bot.wait()
        await sandbox.bot_gone()


async def checked(file: Path) -> bool:
    """Prints what `parlour check` says; returns whether it found nothing wrong."""
    settings = environment(DATABASE_URL=f"sqlite:///{file}")
    check = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", "check", env=settings)
    return await check.wait() == 0


async def tournament(sandbox: Sandbox) -> None:
    """A tournament of four people, begun."""
    host, *others = map(sandbox.person, ("Ann", "Ben", "Cleo", "Dan"))
    await (await host.fill(await form(host, sandbox.channel("games")), {})).answered()

    def control(action: TournamentAction) -> tuple[Message, str] | None:
        for message in sandbox.messages("games"):
            for button in message.buttons:
                if f":{action}:" in button.custom_id:
                    return message, button.custom_id
        return None

    for person in (*others, host):
        action = TournamentAction.START if person is host else TournamentAction.JOIN
        found = await sandbox.until(partial(control, action))
        assert found is not None
        await (await person.press(found[0], custom_id=found[1])).answered()


async def play_on(soaked: Soak) -> None:
    """Make a turn at each board, wherever it is, again and again."""
    while True:
        for board in boards(soaked.sandbox, *ChannelKind):
            with suppress(Impossible):
                await soaked.turn(board)
        await asyncio.sleep(PAUSE)


async def further(file: Path, before: Stored) -> dict[int, int]:
    """Wait until no game that ran stands still, or for `LONGEST`; return those that do."""
    end = asyncio.get_running_loop().time() + LONGEST
    while True:
        now = Stored.read(file).running
        still = {game: plies for game, plies in before.running.items() if now.get(game) == plies}
        if not still or asyncio.get_running_loop().time() > end:
            return still
        await asyncio.sleep(1)


async def upgraded(older: Path, games: int, seconds: float) -> bool:
    """Play with the older version, then with this one; return whether all is well."""
    with tempfile.TemporaryDirectory() as name:
        folder, rng = Path(name), Random(1)
        file = folder / "parlour.db"
        async with Sandbox(guilds=1 + games // MOST_GAMES) as sandbox:
            rooms = channels(1 + games // MOST_GAMES)
            async with running(older, folder, sandbox, folder / "older.log") as bot:
                trouble = Trouble(sandbox, Random(2), bot.pid)
                soaked = Soak(sandbox, rng, seconds, PAUSE, bot.pid, rooms, trouble)
                await tournament(sandbox)
                playing = [asyncio.create_task(soaked.play()) for _ in range(games)]
                await asyncio.sleep(seconds)
            for each in playing:
                each.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            before = Stored.read(file)
            async with running(ROOT, folder, sandbox, folder / "log") as bot:
                well = await checked(file)
                soaked.bot = bot.pid
                playing = [asyncio.create_task(play_on(soaked))]
                still = await further(file, before)
            playing[0].cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        well &= await checked(file)
        missing = before.moves - Stored.read(file).moves
        print(f"{len(before.moves)} moves before, {len(missing)} missing since")
        print(f"{len(before.running)} games ran, {len(still)} stand still: {sorted(still)}")
        print(f"log: {Counter(levels(folder / 'log'))}")
        return well and not missing and not still


def main() -> int:
    """Plays, and prints what became of it."""
    parser = argparse.ArgumentParser(description="Games of an older version's bot in this one.")
    parser.add_argument("checkout", type=Path, help="a tree of the older version")
    parser.add_argument("--games", type=int, default=40, help="at once")
    parser.add_argument("--seconds", type=float, default=60.0, help="with the older version")
    given = parser.parse_args()
    return 0 if asyncio.run(upgraded(given.checkout.resolve(), given.games, given.seconds)) else 1


if __name__ == "__main__":
    sys.exit(main())
