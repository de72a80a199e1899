"""Every screen as players see it: on a phone and on a desk, light and dark, and colour-blind.

    python -m tests.benchmarks.screens FOLDER [--only NAME]

Each screen is a PNG for each size and each way of seeing, and `NAME.png` has all of them side by
side. Chromium simulates the two commonest deficiencies of colour vision, in the dark scheme.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final, Literal, TypeAlias

from PIL import Image
from selenium.webdriver.common.keys import Keys

from bot import app
from bot.sandbox import Message
from bot.settings import read_settings
from bot.table.seats import Level
from tests.bot.clock import ManualClock
from tests.bot.english import says
from tests.bot.stand_in import Sandbox
from tests.bot.ui import ludo
from tests.bot.ui.conftest import RunningBot
from tests.bot.ui.finished import agreed, resigned, store
from tests.browser import Window, chromium

Scheme: TypeAlias = Literal["light", "dark"]

SIZES: Final = ((360, 740), (1280, 900))
SIGHTS: Final[tuple[tuple[str, Scheme, str], ...]] = (
    ("light", "light", "none"),
    ("dark", "dark", "none"),
    ("protanopia", "dark", "protanopia"),
    ("deuteranopia", "dark", "deuteranopia"),
)
LAST: Final = "#history > .message:last-of-type"

Act: TypeAlias = Callable[[RunningBot, Window], Awaitable[object]]


async def typed(window: Window, command: str, seen: str) -> None:
    """A command typed by Ann, and answered."""
    await window.type("#line", command, Keys.ENTER)
    await window.sees(LAST, seen)


async def ludo_running(running_bot: RunningBot, _: Window) -> Message:
    """Two people and two computers after a while, a token to choose."""
    ann, ben = running_bot.people[:2]
    board = await ludo.seated(running_bot.sandbox, (ann, ben))
    await ludo.press(ann, board, says("control.fill"))
    await ludo.press(ann, board, says("control.start"))
    await ludo.until(
        running_bot.sandbox,
        board,
        lambda: (
            ludo.ply_of(board) > 60
            and len(ludo.offers(board)) > 1
            and ludo.mover(running_bot.sandbox, board) is ann
        ),
    )
    return board


async def ludo_alone(running_bot: RunningBot, _: Window) -> Message:
    """One person against three computers, at the first choice."""
    ann = running_bot.people[0]
    board = await ludo.opened(running_bot.sandbox, ann, computers=3, roll="auto")
    await ludo.until(running_bot.sandbox, board, lambda: ludo.ply_of(board) > 60)
    return board


async def ludo_picture(running_bot: RunningBot, _: Window) -> Message:
    """The same as a picture."""
    ann = running_bot.people[0]
    board = await ludo.opened(running_bot.sandbox, ann, computers=3, board="picture")
    await ludo.until(running_bot.sandbox, board, lambda: ludo.ply_of(board) > 100)
    return board


async def closer(running_bot: RunningBot, window: Window) -> None:
    """The screen of *Look closer* for a board of emoji."""
    board = await ludo_alone(running_bot, window)
    ann = running_bot.people[0]
    await running_bot.press(ann, board, says("control.view"))
    await window.sees(f"{LAST} img")


async def lobby(running_bot: RunningBot, _: Window) -> Message:
    """A table with a person, one invited, a computer and a free seat."""
    ann, ben = running_bot.people[:2]
    return await ludo.opened(running_bot.sandbox, ann, player2=ben, computers=1)


async def rules(running_bot: RunningBot, window: Window) -> None:
    """The house rules, for the host."""
    board = await lobby(running_bot, window)
    ann = running_bot.people[0]
    await ludo.set_up(ann, board, "House rules…")
    await window.sees(LAST, "Change a rule")


async def duel(
    running_bot: RunningBot, *, size: int, squares: tuple[tuple[int, int], ...]
) -> Message:
    """A game of two friends, so far."""
    board = await running_bot.friends(size=size)
    await running_bot.play(board, *squares)
    return board


async def small_running(running_bot: RunningBot, _: Window) -> Message:
    """3x3 after three moves."""
    return await duel(running_bot, size=3, squares=((1, 1), (0, 0), (2, 0)))


async def small_won(running_bot: RunningBot, _: Window) -> Message:
    """3x3 won."""
    return await duel(running_bot, size=3, squares=((1, 1), (0, 0), (0, 2), (0, 1), (2, 0)))


async def large_running(running_bot: RunningBot, _: Window) -> Message:
    """5x5 after six moves."""
    squares = ((2, 2), (1, 1), (2, 3), (2, 1), (3, 2), (1, 2))
    return await duel(running_bot, size=5, squares=squares)


async def large_won(running_bot: RunningBot, _: Window) -> Message:
    """5x5 won."""
    squares = ((2, 2), (1, 1), (2, 3), (2, 1), (2, 4), (1, 2), (3, 3), (1, 3), (3, 2), (1, 0))
    return await duel(running_bot, size=5, squares=squares)


async def season(running_bot: RunningBot) -> None:
    """Games that statistics tell of."""
    ann, ben, cleo, dan = (person.id for person in running_bot.people)
    rng, games = Random(3), []
    for _ in range(24):
        one, other = rng.sample([ann, ben, cleo, dan], 2)
        lost = resigned("tictactoe", one, other, leaving=[other if rng.random() < 0.6 else one])
        games.append(agreed(one, other) if rng.random() < 0.2 else lost)
    games += [
        resigned("tictactoe", ann, level, leaving=[ann]) for level in (Level.EASY, Level.HARD)
    ]
    games.append(resigned("ludo", ann, Level.EASY, Level.EASY, Level.EASY, leaving=[ann]))
    await store(running_bot, *games)


def told(command: str, seen: str) -> Act:
    """The act that types a command about games that are over."""

    async def act(running_bot: RunningBot, window: Window) -> None:
        await season(running_bot)
        await typed(window, command, seen)

    return act


async def over(running_bot: RunningBot, _: Window) -> Message:
    """A game of Ludo that is over."""
    ann = running_bot.people[0]
    board = await ludo.opened(running_bot.sandbox, ann, computers=2, rules="quick", roll="auto")
    await ludo.to_the_end(running_bot.sandbox, board)
    return board


async def reminders(running_bot: RunningBot, _: Window) -> Message:
    """A board whose player was reminded, and lets the time pass."""
    board = await running_bot.friends()
    ann = running_bot.people[0]
    await running_bot.mark(ann, board, (1, 1))
    await running_bot.later(timedelta(minutes=4))
    await running_bot.clock.waited_for()
    await running_bot.later(timedelta(minutes=1, seconds=10))
    await running_bot.clock.waited_for()
    return board


def shown(key: str) -> str:
    """The first words of a text as they are read, without the marks of headings and small print."""
    return re.split(r"\n|\*\*", says(key))[0].lstrip("-# ")


SCREENS: Final[Mapping[str, Act]] = {
    "ludo-running": ludo_running,
    "ludo-alone": ludo_alone,
    "ludo-picture": ludo_picture,
    "ludo-closer": closer,
    "ludo-over": over,
    "lobby": lobby,
    "rules": rules,
    "3x3-running": small_running,
    "3x3-won": small_won,
    "5x5-running": large_running,
    "5x5-won": large_won,
    "stats": told("/stats game:Tic-tac-toe", shown("stats.rating")),
    "leaderboard": told("/leaderboard game:Tic-tac-toe", shown("leaderboard.legend")),
    "history": told("/history", shown("history.title")),
    "help": told("/help", shown("help.title")),
    "reminders": reminders,
}


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[RunningBot]:
    """Parlour in a sandbox, all its emoji uploaded."""
    given = {"DATABASE_URL": f"sqlite:///{folder}/parlour.db", "PARLOUR_SEARCH_WORKERS": "1"}
    settings = read_settings(given, dotenv=folder / "none")
    clock = ManualClock(datetime.now(UTC))
    async with (
        Sandbox() as sandbox,
        app.open(settings, clock=clock, rng=Random(2)) as parlour,
    ):
        running = asyncio.create_task(parlour.connect(sandbox.token, sandbox.url))
        await parlour.client.own_emojis.complete.wait()
        yield RunningBot(sandbox, parlour, clock)
        await parlour.client.close()
        await running


async def shot(window: Window, folder: Path, name: str) -> None:
    """One screen in every size and sight."""
    files = []
    for width, height in SIZES:
        await window.resize(width, height)
        for sight, scheme, deficiency in SIGHTS:
            await window.prefer(scheme)
            await window.see(deficiency)
            await window.run(f"document.querySelector('{LAST}').scrollIntoView({{block: 'end'}})")
            file = folder / f"{name}-{width}-{sight}.png"
            await window.screenshot(file)
            files.append(file)
    sheet(files, folder / f"{name}.png")
    await window.resize(*SIZES[0])


def sheet(files: list[Path], to: Path) -> None:
    """Pictures in two rows, the small ones above."""
    pictures = [Image.open(file) for file in files]
    half = len(pictures) // 2
    rows = pictures[:half], pictures[half:]
    width = max(sum(each.width for each in row) for row in rows)
    whole = Image.new("RGB", (width, sum(row[0].height for row in rows)))
    top = 0
    for row in rows:
        left = 0
        for each in row:
            whole.paste(each, (left, top))
            left += each.width
        top += row[0].height
    whole.save(to)


async def main() -> None:
    """Makes the pictures."""
    parser = argparse.ArgumentParser(description="Every screen as a picture.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", help="the screens whose name begins so", default="")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium(Path(folder) / "browser") as driver:
        for name, act in SCREENS.items():
            if not name.startswith(arguments.only):
                continue
            database = Path(folder) / name
            database.mkdir()
            async with opened(database) as running_bot:
                window = Window(driver, running_bot.sandbox.url)
                await window.resize(*SIZES[0])
                await window.open(person="Ann")
                await act(running_bot, window)
                await window.sees(LAST)
                await shot(window, arguments.folder, name)
                high = await window.run(
                    f"return document.querySelector('{LAST}').getBoundingClientRect().height"
                )
                print(f"{name}: {high:.0f} px high at 360 px")
                await window.close()


if __name__ == "__main__":
    asyncio.run(main())
