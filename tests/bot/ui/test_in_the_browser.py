"""Games played by a person in a browser, on the sandbox's page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.keys import Keys

from bot.games.catalogue import CATALOGUE
from bot.sandbox import Button
from tests.bot.english import like, piece, says
from tests.bot.ui import ludo
from tests.bot.ui.conftest import Open, RunningBot
from tests.browser import Window

BOARD = "#history > .message:has(.row):not(:has(~ .message .row))"
"""The last message with buttons."""
TOKEN = "[data-custom-id*=':m']:not([data-custom-id$=':more'])"
PLAY = f"{BOARD} button:is([data-custom-id$=':roll'], {TOKEN})"
FREE = f"{BOARD}:not(:has([data-custom-id$=':rematch'])) button.secondary[data-custom-id*=':m']"
SHOWN = f"return document.querySelector('{BOARD}').innerText"
RIGHT_CLICK = """
    const event = new MouseEvent("contextmenu", {bubbles: true, cancelable: true});
    document.querySelector(arguments[0]).dispatchEvent(event);
"""
HEIGHT = f"return document.querySelector('{BOARD}').getBoundingClientRect().height"
LUDO_HIGH, LARGEST_BOARD_HIGH, LOBBY_HIGH = 620, 560, 636
"""The height seen at once on a phone, in pixels."""
PNG = b"\x89PNG\r\n\x1a\n"


def square(row: int, column: int) -> str:
    """The selector of a square of the board."""
    return f"{BOARD} :nth-child({row} of .row) > button:nth-child({column})"


ROWS = """
    return [...document.querySelectorAll(`${arguments[0]} .container .text`)].map((text) => {
        const rows = new Map();
        for (const cell of text.querySelectorAll(".emoji")) {
            const {left, top} = cell.getBoundingClientRect();
            if (!rows.has(top)) rows.set(top, []);
            rows.get(top).push(left);
        }
        return [...rows.values()];
    }).filter((rows) => rows.length > 2);
"""
"""Where the emoji of each text are that has more than two rows of them."""


@pytest.fixture
async def window(browser: Chrome, running_bot: RunningBot) -> AsyncIterator[Window]:
    window = Window(browser, running_bot.sandbox.url)
    await window.resize(1200, 800)
    yield window
    await window.close()


async def test_a_game_against_the_computer_is_played_to_its_end_and_explained(
    window: Window, running_bot: RunningBot, tmp_path: Path
) -> None:
    await window.open(person="Ann")
    await window.type("#line", "/tictactoe level:perfect mark:X", Keys.ENTER)
    await window.sees(BOARD, says("page.used", person="Ann", command="/tictactoe"))
    while await window.run("return document.querySelector(arguments[0]) !== null", FREE):
        await window.click(FREE)
        await window.misses(f"{BOARD} [aria-busy=true]")
    await window.sees(f"{BOARD} button", says("control.rematch"))
    ann, *_ = running_bot.people
    board = ann.sees(running_bot.games)[-1]
    computer = says("player.computer", level=says("choice.level.perfect"))
    won = like("won.played", winner=computer)
    assert says("drawn.played") in board.text or won.search(board.text)
    await window.screenshot(tmp_path / "over.png")
    assert (tmp_path / "over.png").read_bytes().startswith(PNG)
    await window.run(RIGHT_CLICK, BOARD)
    await window.click("dialog [role=option]", says("menu.message.explain"))
    title = says("review.title", number="1").removeprefix("## ")
    await window.sees("#history > .message:last-of-type", title)
    assert await window.complaints() == []


async def test_two_friends_play_in_two_tabs_and_each_sees_the_others_moves(
    window: Window, tmp_path: Path
) -> None:
    await window.open(person="Ann")
    await window.enter("#line", "/tictactoe opponent:Ben mark:X")
    await window.sees(BOARD, piece("lobby.challenge"))
    other = await window.beside(person="Ben")
    await other.click(f"{BOARD} button", says("control.accept"))
    moves = ((2, 2), (1, 1), (1, 3), (3, 1), (2, 1))
    for turn, (row, column) in enumerate(moves):
        player, watcher = (window, other) if turn % 2 == 0 else (other, window)
        await player.click(square(row, column))
        await watcher.sees(f"{square(row, column)}:not(.secondary)")
    await window.resize(800, 520)
    await window.screenshot(tmp_path / "board.png")
    assert (tmp_path / "board.png").read_bytes().startswith(PNG)
    await other.click(square(2, 3))
    await other.sees(f"{square(2, 3)}:not(.secondary)")
    await other.click(f"{BOARD} button", says("control.resign"))
    await other.sees(BOARD, says("resign.lose"))
    await other.click(f"{BOARD} button", says("control.resign"))
    await window.sees(BOARD, piece("won.resigned"))


async def test_the_largest_board_fits_a_phone(
    window: Window, running_bot: RunningBot, tmp_path: Path
) -> None:
    await running_bot.friends(size=5)
    await window.resize(360, 740)
    await window.open(person="Ann")
    await window.click(square(3, 3))
    await window.sees(f"{square(3, 3)}:not(.secondary)")
    await window.screenshot(tmp_path / "phone.png")
    width = "return document.documentElement.scrollWidth"
    assert await window.run(width) <= 360
    tops = f"return [...document.querySelectorAll('{BOARD} .row')].map(r => r.clientHeight)"
    heights = await window.run(tops)
    assert max(heights[:5]) < 1.5 * min(heights[:5]), "no row of the board is broken in two"
    assert await window.run(HEIGHT) <= LARGEST_BOARD_HIGH


async def test_a_ludo_board_fits_a_phone_with_every_token_told_apart(
    open_bot: Open, browser: Chrome, tmp_path: Path, *, exhaustive: bool
) -> None:
    async with open_bot(sprites=CATALOGUE["ludo"].sprites) as running_bot:
        await running_bot.client.own_emojis.complete.wait()
        window = Window(browser, running_bot.sandbox.url)
        await window.resize(360, 740)
        await window.open(person="Ann")
        await window.enter("#line", "/ludo computers:3 level:medium roll:by hand")
        await window.sees(BOARD, piece("board.roll"))
        heights = [await window.run(HEIGHT)]
        for _ in range(25 if exhaustive else 10):
            await window.click(PLAY)
            await window.misses(f"{BOARD} [aria-busy=true]")
            heights.append(await window.run(HEIGHT))
            assert heights[-1] <= LUDO_HIGH, await window.run(SHOWN)
        await window.screenshot(tmp_path / "ludo.png")
        blocks = await window.run(ROWS, BOARD)
        assert [len(rows) for rows in blocks] == [7, 3, 7]
        assert {tuple(row) for rows in blocks for row in rows} == {tuple(blocks[0][0])}
        assert len(blocks[0][0]) == 13
        assert await window.run("return document.documentElement.scrollWidth") <= 360
        drawn = f"return document.querySelectorAll('{BOARD} .container .text .own img').length"
        assert await window.run(drawn) >= 81, "the cross and the tokens are tiles"
        assert await window.complaints() == []
        await window.close()


async def test_a_lobby_fits_a_phone_with_all_its_buttons(window: Window) -> None:
    await window.resize(360, 740)
    await window.open(person="Ann")
    await window.enter("#line", "/ludo player2:Ben computers:1")
    await window.sees(BOARD, says("control.how_to"))
    assert await window.run(HEIGHT) <= LOBBY_HIGH
    assert await window.run("return document.documentElement.scrollWidth") <= 360


async def test_a_ludo_board_as_a_picture_fits_a_phone_with_its_buttons(
    window: Window, *, exhaustive: bool
) -> None:
    await window.resize(360, 740)
    await window.open(person="Ann")
    await window.enter("#line", "/ludo computers:3 roll:by hand board:picture")
    await window.sees(f"{BOARD} img")
    for _ in range(8 if exhaustive else 4):
        await window.until("return document.querySelector(arguments[0])?.complete", f"{BOARD} img")
        assert await window.run(HEIGHT) <= LUDO_HIGH, await window.run(SHOWN)
        await window.click(PLAY)
        await window.misses(f"{BOARD} [aria-busy=true]")


def out_first(offered: Sequence[Button]) -> Button:
    """The token that leaves the yard, if one can, so that all four are out soon."""
    out = like("control.ludo.leave")
    return next((button for button in offered if out.fullmatch(button.label)), offered[-1])


@pytest.mark.exhaustive  # beside the boards of `test_ludo_on_a_phone`
async def test_with_four_tokens_to_choose_from_a_ludo_board_fits_a_phone(
    window: Window, running_bot: RunningBot
) -> None:
    await window.resize(360, 740)
    await window.open(person="Ann")
    board = await ludo.begun(running_bot.sandbox, running_bot.people)
    await ludo.until(running_bot.sandbox, board, lambda: len(ludo.offers(board)) == 4, out_first)
    offered = "return document.querySelectorAll(arguments[0]).length"
    await window.until(f"{offered} === 4", PLAY)
    assert await window.run(HEIGHT) <= LUDO_HIGH, await window.run(SHOWN)
    assert says("control.more") in ludo.labels(board)
