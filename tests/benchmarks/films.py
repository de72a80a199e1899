"""The moving pictures of README, played in the sandbox's page, light and dark.

    python -m tests.benchmarks.films FOLDER [--only NAME]

Each film is a WebP for each scheme. Everything in it follows from a seed and a moment, and each
press is one of the page's: a ring marks where it is touched.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

from PIL import Image
from selenium.webdriver.common.keys import Keys

from bot import app
from bot.sandbox import Message
from bot.sandbox.payload import RealClock
from bot.settings import read_settings
from bot.table.seats import PersonId
from engine import review
from engine.game import Move
from tests.benchmarks.screens import LAST, Scheme
from tests.bot.clock import ManualClock
from tests.bot.english import like, says
from tests.bot.stand_in import Sandbox
from tests.bot.ui import ludo
from tests.bot.ui import test_connectfour as connectfour
from tests.bot.ui.conftest import RunningBot
from tests.browser import Window, chromium

MOMENT: Final = datetime(2026, 11, 19, 17, 30, tzinfo=UTC)
SIZE: Final = (320, 700)
"""A small phone, in pixels of CSS; a README shows it a little smaller, and as sharp as can be."""
SCALE: Final = 1.5
SCHEMES: Final[tuple[Scheme, ...]] = ("light", "dark")

COLUMNS: Final = "6544544445553335122"
"""A game of connect four that the first player wins."""
SHOWN: Final = 7
"""The last moves of it that are shown."""
A_WHILE: Final = 60
"""The plies after which a game of Ludo has tokens all over the board."""

SEED: Final = 2

LOOK, GLANCE, TOUCH = 2.4, 1.0, 0.6
"""Seconds for a picture to read, for one on the way, and for one in which something is touched."""

MARK: Final = """
    const [selector, text] = arguments;
    const found = [...document.querySelectorAll(selector)];
    const button = found.find((each) => each.innerText.includes(text));
    const {left, top, width, height} = button.getBoundingClientRect();
    const ring = document.createElement("div");
    ring.id = "touch";
    ring.style.cssText = `position: fixed; z-index: 9; width: 36px; height: 36px;
        border-radius: 50%; left: ${left + width / 2 - 18}px;
        top: ${top + height / 2 - 18}px; pointer-events: none;
        background: rgb(255 170 0 / 45%); border: 2px solid rgb(255 170 0)`;
    document.body.append(ring);
"""
PRESS: Final = """
    const ring = document.getElementById("touch");
    const {left, top} = ring.getBoundingClientRect();
    ring.remove();
    document.elementFromPoint(left + 18, top + 18).closest("button").click();
"""
"""Presses what the ring is at, without a pointer whose hovering would show."""
DOWN: Final = "const s = document.getElementById('scroller'); s.scrollTop = s.scrollHeight"


class Film:
    """The pictures of one page, each in both schemes, with the seconds that it is shown."""

    def __init__(self, sandbox: Sandbox, window: Window, folder: Path) -> None:
        self.window = window
        self._sandbox = sandbox
        self._folder = folder
        self._seconds: list[float] = []

    async def show(self, seconds: float) -> None:
        """Takes a picture of the page as it is."""
        await self.window.run(DOWN)
        for scheme in SCHEMES:
            await self.window.prefer(scheme)
            await self.window.screenshot(self._file(scheme, len(self._seconds)))
        self._seconds.append(seconds)

    async def touch(self, message: Message, selector: str, text: str = "") -> None:
        """Shows where a button of a message is touched, presses it, and waits for the answer."""
        button = f"{LAST} {selector}"
        await self.window.sees(button, text)
        await self.window.run(DOWN)
        await self.window.run(MARK, button, text)
        await self.show(TOUCH)
        sent = len(self._sandbox.messages("games"))
        edits = message.edits
        await self.window.run(PRESS)
        await self._sandbox.until(
            lambda: message.edits > edits or len(self._sandbox.messages("games")) > sent
        )
        await self.window.misses("[aria-busy=true]")

    def write(self, name: str, to: Path) -> dict[Scheme, int]:
        """Writes the film of each scheme; gives their bytes."""
        sizes = {}
        for scheme in SCHEMES:
            pictures = [
                Image.open(self._file(scheme, number)).convert("RGB")
                for number in range(len(self._seconds))
            ]
            file = to / f"{name}-{scheme}.webp"
            pictures[0].save(
                file,
                save_all=True,
                append_images=pictures[1:],
                duration=[round(1000 * each) for each in self._seconds],
                loop=0,
                lossless=True,
                quality=60,
                method=4,
            )
            sizes[scheme] = file.stat().st_size
        return sizes

    def _file(self, scheme: Scheme, number: int) -> Path:
        return self._folder / f"{scheme}-{number}.png"


Scene: TypeAlias = Callable[[RunningBot, Film], Awaitable[None]]


async def capture(running_bot: RunningBot, film: Film) -> None:
    """Ann takes a token at Ludo, is told so, and rolls again."""
    ann, ben = running_bot.people[:2]
    board = await ludo.seated(running_bot.sandbox, (ann, ben))
    await ludo.press(ann, board, says("control.fill"))
    await ludo.press(ann, board, says("control.start"))
    taking = like("control.ludo.capture")

    def taker() -> str | None:
        if ludo.mover(running_bot.sandbox, board) is not ann or ludo.ply_of(board) < A_WHILE:
            return None
        takers = (each for each in ludo.offers(board) if taking.fullmatch(each.label))
        return next((each.custom_id for each in takers), None)

    await ludo.until(running_bot.sandbox, board, lambda: taker() is not None)
    await film.show(LOOK)
    await film.touch(board, f"[data-custom-id='{taker()}']")
    await film.show(LOOK)
    await film.touch(board, "button", says("control.ludo.roll"))
    await film.show(LOOK)


async def four(running_bot: RunningBot, film: Film) -> None:
    """Ann completes a four against Ben, and has the game reviewed."""
    _, ben, *_ = running_bot.people
    board = await connectfour.friends(running_bot)
    await connectfour.drop(running_bot, board, COLUMNS[:-SHOWN])
    await film.show(GLANCE)
    for turn, column in enumerate(COLUMNS[-SHOWN:], len(COLUMNS) - SHOWN):
        if turn % 2:
            await running_bot.press(ben, board, column)
        else:
            await film.touch(board, "button", column)
        await film.show(GLANCE)
    await film.show(LOOK)
    await film.touch(board, "button", says("control.review"))
    await film.window.sees(f"{LAST} img")
    await film.show(LOOK * 2)


async def puzzle(running_bot: RunningBot, film: Film) -> None:
    """Ann answers the puzzle of the day, the fifth day in a row, and shares how it went."""
    ann, *_ = running_bot.people
    today = review.puzzle(MOMENT.date())
    for ago in range(1, 5):
        await running_bot.parlour.stores.records.answer_puzzle(
            PersonId(ann.id), today.day - timedelta(ago), Move(0), solved=True, at=MOMENT
        )
    await film.window.type("#line", "/puzzle")
    await film.show(GLANCE)
    await film.window.key(Keys.ENTER)
    await film.window.sees(f"{LAST} [data-custom-id^='d1:']")
    await film.show(LOOK)
    shown = ann.sees(running_bot.games)[-1]
    await film.touch(shown, f"[data-custom-id='d1:{today.day}:m{today.answer.move}']")
    await film.show(LOOK * 1.5)
    await film.touch(shown, "button", says("control.share"))
    await film.show(LOOK * 1.5)


SCENES: Final[Mapping[str, Scene]] = {"ludo": capture, "connectfour": four, "puzzle": puzzle}


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[RunningBot]:
    """Parlour in a sandbox whose time stands still, all its emoji uploaded."""
    given = {"DATABASE_URL": f"sqlite:///{folder}/parlour.db", "PARLOUR_SEARCH_WORKERS": "1"}
    settings = read_settings(given, dotenv=folder / "none")
    clock = ManualClock(MOMENT)
    random.seed(SEED)
    async with (
        Sandbox(clock=RealClock(MOMENT.timestamp)) as sandbox,
        app.open(settings, clock=clock, rng=Random(SEED)) as parlour,
    ):
        running = asyncio.create_task(parlour.connect(sandbox.token, sandbox.url))
        await parlour.client.own_emojis.complete.wait()
        yield RunningBot(sandbox, parlour, clock)
        await parlour.client.close()
        await running


async def main() -> None:
    """Makes the films."""
    parser = argparse.ArgumentParser(description="The moving pictures of README.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", help="the film of this name", choices=SCENES)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium(Path(folder) / "browser") as driver:
        for name, scene in SCENES.items():
            if arguments.only not in {None, name}:
                continue
            scratch = Path(folder) / name
            scratch.mkdir()
            async with opened(scratch) as running_bot:
                window = Window(driver, running_bot.sandbox.url)
                await window.resize(*SIZE, SCALE)
                await window.open(person="Ann")
                film = Film(running_bot.sandbox, window, scratch)
                await scene(running_bot, film)
                await window.close()
            print(name, film.write(name, arguments.folder))


if __name__ == "__main__":
    asyncio.run(main())
