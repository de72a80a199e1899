"""`/stats` and `/leaderboard` as a person reads them, on a phone and on a wide screen."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random
from typing import Final, Literal

from selenium.webdriver import Chrome

from bot.table.seats import Level
from bot.table.session import Session
from tests.bot.english import like, says
from tests.bot.ui.conftest import RunningBot
from tests.bot.ui.finished import agreed, resigned, store
from tests.browser import Window

ANSWER = "#history > .message:last-of-type"
PICTURE = f"{ANSWER} img"
WIDTHS: Final = (1200, 360)
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
STRANGERS = range(1001, 1013)
"""People who are not in the sandbox, but whom its bot remembers."""

OUTSIDE = """
    const {left, right} = document.querySelector(arguments[0]).getBoundingClientRect();
    return [...document.querySelectorAll(`${arguments[0]} *`)].filter((each) => {
        const box = each.getBoundingClientRect();
        return box.width > 0 && (box.left < left - 1 || box.right > right + 1);
    }).map((each) => each.outerHTML.slice(0, 80));
"""
"""The elements that stand out of the message on either side."""


def season(ann: int, ben: int, rng: Random) -> list[Session]:
    """Forty games of two friends and of others, a few of them drawn, and some against computers."""
    games = []
    for _ in range(40):
        one, other = rng.sample([ann, ben, *STRANGERS], 2) if rng.random() < 0.5 else (ann, ben)
        loser = other if rng.random() < 0.6 else one
        drawn = rng.random() < 0.15
        games.append(
            agreed(one, other) if drawn else resigned("tictactoe", one, other, leaving=[loser])
        )
    games += [
        resigned("tictactoe", ann, level, leaving=[ann]) for level in (Level.EASY, Level.HARD)
    ]
    return games


async def test_records_fit_the_screen_and_their_picture_is_shown_whole(
    browser: Chrome, running_bot: RunningBot, tmp_path: Path
) -> None:
    ann, ben, *_ = running_bot.people
    await store(running_bot, *season(ann.id, ben.id, Random(3)))
    window = Window(browser, running_bot.sandbox.url)
    await window.open(person="Ann")
    stats = f"/stats game:{says('game.tictactoe')}"
    for command, below in ((stats, "stats.curve"), ("/leaderboard", "leaderboard.legend")):
        await window.enter("#line", command)
        await window.sees(ANSWER, says(below).removeprefix("-# "))
        if command.startswith("/stats"):
            await window.until("return document.querySelector(arguments[0])?.complete", PICTURE)
            shown = "const p = document.querySelector(arguments[0]);"
            assert await window.run(f"{shown} return p.naturalWidth", PICTURE) == 720
            described = await window.run(f"{shown} return p.alt", PICTURE)
            assert like("stats.picture.curve").search(described)
        for width, scheme in product(WIDTHS, SCHEMES):
            await window.resize(width, 1100)
            await window.prefer(scheme)
            await window.screenshot(tmp_path / f"{command[1:6]}-{width}-{scheme}.png")
            assert await window.run(OUTSIDE, ANSWER) == []
            assert await window.run("return document.documentElement.scrollWidth") <= width
    assert await window.complaints() == []
    await window.close()
