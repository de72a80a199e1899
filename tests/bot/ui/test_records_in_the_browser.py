"""Records as they look on the sandbox's page, on a phone and on a wide screen."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.keys import Keys

from bot.sandbox import Person
from bot.seats import Level
from bot.session import Session
from tests.bot.ui.conftest import House
from tests.bot.ui.finished import agreed, played, resigned, store
from tests.browser import Window

MESSAGE = "#history > .message:last-of-type"
STRANGERS = range(1001, 1015)
HIDDEN = """
    return [...document.querySelectorAll(`${arguments[0]} .container *`)].filter((part) => {
        const {left, right, width} = part.getBoundingClientRect();
        return width && (left < 0 || right > innerWidth);
    }).length;
"""
"""How many parts of a message stand out of the window at its sides."""


def season(*people: Person) -> list[Session]:
    """Games enough for ratings that are not provisional, and some against the computer."""
    rng = Random(7)
    found = []
    for _ in range(60):
        first, second = rng.sample([person.id for person in people], 2)
        loser = second if rng.random() < 0.7 else first
        drawn = rng.random() < 0.15
        found.append(
            agreed(first, second)
            if drawn
            else resigned("tictactoe", first, second, leaving=[loser])
        )
    ann = people[0].id
    found += [
        played("tictactoe", ann, level, rng=rng)
        for level, games in ((Level.EASY, 12), (Level.HARD, 30), (Level.PERFECT, 3))
        for _ in range(games)
    ]
    return found + [resigned("tictactoe", ann, other, leaving=[other]) for other in STRANGERS]


@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_records_fit_the_window(
    browser: Chrome, house: House, tmp_path: Path, width: int, scheme: str
) -> None:
    await store(house, *season(*house.people))
    window = Window(browser, house.sandbox.url)
    await window.resize(width, 1000)
    await window.prefer("light" if scheme == "light" else "dark")
    await window.open(person="Ann")
    for command, shown in (("stats", "Rating"), ("leaderboard", "Your place")):
        await window.type("#line", f"/{command}", Keys.ENTER)
        await window.sees(MESSAGE, shown)
        drawn = f"return [...document.querySelectorAll('{MESSAGE} img')].every(i => i.complete)"
        await window.until(drawn)
        assert await window.run(HIDDEN, MESSAGE) == 0
        assert await window.run("return document.documentElement.scrollWidth") <= width
        await window.screenshot(tmp_path / f"{command}-{width}-{scheme}.png")
    assert await window.complaints() == []
    await window.close()
