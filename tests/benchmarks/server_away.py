"""Presses while PostgreSQL is away for a minute, and the time until all is right again.

    python -m tests.benchmarks.server_away [SECONDS] [--games N] [--pause SECONDS]

The sandbox and the people run in this process, the bot in one of its own. Half of the games are of
two people, half against computers that think; in each somebody presses every so often. In the
middle of it the server crashes, stays away, and is started again. Printed are the presses, how many
were answered with the sentence that says so, how many by nothing, and after how many seconds the
first press was a move again and every board showed as many moves as the database has.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from discord import ButtonStyle
from sqlalchemy import func, select

from bot.sandbox import Impossible, Message, NotAnswered
from bot.storage.opening import reading_transaction
from bot.storage.schema.game_tables import moves
from tests.bot.english import says
from tests.bot.people import Person
from tests.bot.postgres import Server, postgres
from tests.bot.process import started
from tests.bot.stand_in import Sandbox
from tests.bot.ui.conftest import OFFER

AWAY: Final = "I can't reach my notebook"
FREE: Final = ButtonStyle.secondary.value
"""The style of a square that nobody has."""

LONGEST: Final = 180.0


@dataclass
class Show:
    """The games, and what becomes of the presses there."""

    sandbox: Sandbox
    pause: float
    boards: list[tuple[Sequence[Person], Message]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    away: bool = False
    moved: asyncio.Event = field(default_factory=asyncio.Event)

    async def open(self, games: int) -> None:
        """Games of two people, and of one against a computer in direct messages."""
        ann, ben = map(self.sandbox.person, ("Ann", "Ben"))
        channels = ["games", *(f"games-{number}" for number in range(2, games // 10 + 2))]
        for number in range(games):
            where = self.sandbox.channel(channels[number // 5 % len(channels)])
            against = {"opponent": ben} if number % 2 else {"level": "hard"}
            typed = await ann.type(
                where if number % 2 else ann.dm, "tictactoe", size=5, mark="x", **against
            )
            board = (await typed.answered()).message
            if number % 2:
                await (await ben.press(board, says("control.accept"))).answered()
            self.boards.append(((ann, ben) if number % 2 else (ann,), board))

    async def play(self, people: Sequence[Person], board: Message, rng: Random) -> None:
        """Presses on a board until the game is over or the task is cancelled."""
        while offered := [b for b in board.buttons if OFFER.fullmatch(b.custom_id)]:
            await asyncio.sleep(rng.uniform(0, 2 * self.pause))
            free = [b.custom_id for b in offered if b.style == FREE]
            before = filled(board)
            try:
                pressed = await rng.choice(people).press(board, custom_id=rng.choice(free))
                await pressed.answered()
            except (Impossible, IndexError):
                return
            except NotAnswered:
                self.counts["unanswered" if self.away else "unanswered before or after"] += 1
                continue
            if [
                each
                for each in (pressed.original, *pressed.followups)
                if each and AWAY in each.text
            ]:
                self.counts["sentence"] += 1
            elif filled(board) > before and not self.away:
                self.moved.set()
            self.counts["pressed meanwhile" if self.away else "pressed else"] += 1

    def behind(self, database: str) -> int:
        """Count the boards that show other moves than the database has."""
        query = select(moves.c.session, func.count()).group_by(moves.c.session)
        with reading_transaction(database) as connection:
            made = {row[0]: row[1] for row in connection.execute(query)}
        return sum(filled(board) != made.get(session(board), 0) for _, board in self.boards)


def filled(board: Message) -> int:
    """Count the taken squares of a board."""
    return sum(button.style != FREE for button in board.buttons[:25])


def session(board: Message) -> int:
    """The number of a board's table."""
    return int(board.buttons[0].custom_id.split(":")[1])


async def away(show: Show, server: Server, seconds: float) -> float:
    """The server crashes and stays away; the moment at which it is back."""
    show.away = True
    await asyncio.to_thread(server.stop, "immediate")
    await asyncio.sleep(seconds)
    await asyncio.to_thread(server.start)
    show.away = False
    show.moved.clear()
    return time.monotonic()


async def main() -> None:
    """Measures and prints the figures."""
    parser = argparse.ArgumentParser(description="PostgreSQL is away for a while.")
    parser.add_argument("seconds", type=float, nargs="?", default=60.0)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--pause", type=float, default=5.0, help="between presses at a game")
    given = parser.parse_args()
    with postgres() as server, tempfile.TemporaryDirectory() as folder:
        database = server()
        async with Sandbox(guilds=given.games // 10 + 1) as sandbox:
            settings = {
                "DISCORD_TOKEN": sandbox.token,
                "DISCORD_API": sandbox.url,
                "PARLOUR_LOG_LEVEL": "ERROR",
                "DATABASE_URL": database,
            }
            async with started(Path(folder), **settings):
                await sandbox.until(lambda: sandbox.online, within=LONGEST)
                await sandbox.bot_ready()
                show = Show(sandbox, given.pause)
                await show.open(given.games)
                playing = [
                    asyncio.create_task(show.play(people, board, Random(number)))
                    for number, (people, board) in enumerate(show.boards)
                ]
                await asyncio.sleep(2 * given.pause)
                back = await away(show, server, given.seconds)
                await show.moved.wait()
                moved = time.monotonic() - back
                for each in playing:
                    each.cancel()
                await asyncio.gather(*playing, return_exceptions=True)
                await sandbox.until(lambda: not show.behind(database), within=LONGEST)
                right = time.monotonic() - back
    print(", ".join(f"{many} {what}" for what, many in sorted(show.counts.items())))
    print(f"first move after {moved:.1f} s, all boards right after {right:.1f} s")


if __name__ == "__main__":
    asyncio.run(main())
