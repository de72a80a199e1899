"""Boards of emoji on the page: no row wraps on a phone, and columns line up."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal

from selenium.webdriver.common.keys import Keys

from tests.bot.english import says
from tests.bot.sandbox.exhibits import CROSS
from tests.bot.sandbox.stage import LAST, Stage

BOARD = "#history .container .text:not(:first-child)"
LOADED = "return [...document.images].every((each) => each.complete && each.naturalWidth === 128)"
CONTAINERS = "return document.querySelectorAll('.container').length === arguments[0]"
ROWS = """
    return [...document.querySelectorAll(arguments[0])].map((text) => {
        const rows = new Map();
        for (const cell of text.querySelectorAll(".emoji")) {
            const {left, top, width, height} = cell.getBoundingClientRect();
            if (!rows.has(top)) rows.set(top, []);
            rows.get(top).push([left, width, height]);
        }
        return [...rows];
    });
"""


def steps(places: Sequence[float]) -> list[float]:
    return [after - before for before, after in pairwise(places)]


async def test_a_board_of_eleven_columns_keeps_its_rows_and_columns(
    stage: Stage, tmp_path: Path
) -> None:
    """Whether none of its emoji, some or all are the bot's own, also in a history that scrolls."""
    window = stage.window
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    await window.resize(360, 740)
    for number, own in enumerate(("none", "some", "all"), start=1):
        await stage.send(f"/cross own:{own}")
        await window.until(CONTAINERS, number)
        await window.until(LOADED)
        for scheme in schemes:
            await window.prefer(scheme)
            await keeps_its_columns(stage, own)
            await window.screenshot(tmp_path / f"cross-{own}-{scheme}.png")
    for width in (360, 375, 414, 1200):
        await window.resize(width, 640)
        await has_whole_rows(stage)
        await window.screenshot(tmp_path / f"crosses-{width}.png")


async def keeps_its_columns(stage: Stage, own: str) -> None:
    """The last board does."""
    window = stage.window
    await window.sees(LAST, "token 2 left the yard")
    blocks = (await window.run(ROWS, BOARD))[-2:]
    assert [len(rows) for rows in blocks] == [9, 10]
    rows = [row for block in blocks for _, row in block]
    assert [len(row) for row in rows] == [len(row) for row in CROSS]
    assert all(row == rows[0] for row in rows)
    lefts = [left for left, _, _ in rows[0]]
    assert steps(lefts) == [17] * 10
    assert {(width, height) for row in rows for _, width, height in row} == {(17, 17)}
    assert [steps([top for top, _ in block]) for block in blocks] == [[18] * 8, [18] * 9]
    images = await window.run("return document.images.length")
    assert (images == 0) is (own == "none")
    assert not await stage.scrolls_sideways()


async def has_whole_rows(stage: Stage) -> None:
    """Each board of three does, at the width of the window."""
    window = stage.window
    scrolls = "const it = document.querySelector('#scroller'); return it.scrollHeight"
    assert await window.run(scrolls) > 640
    blocks = await window.run(ROWS, BOARD)

    assert [len(rows) for rows in blocks] == [9, 10] * 3
    assert {len(row) for rows in blocks for _, row in rows} == {11}
    lefts = {tuple(left for left, _, _ in row) for rows in blocks for _, row in rows}
    assert len(lefts) == 1
    accents = """
        return [...document.querySelectorAll(".container")].map(
            (each) => getComputedStyle(each).borderInlineStartColor);
    """
    assert set(await window.run(accents)) == {"rgb(231, 76, 60)"}
    assert not await stage.scrolls_sideways()


async def test_rows_of_thirteen_emoji_fit_a_phone(stage: Stage) -> None:
    window = stage.window
    await window.resize(360, 640)
    for _ in range(4):
        await stage.send("/emoji width:13 height:9")
    await window.until("return document.querySelectorAll('.container').length === 4")
    blocks = await window.run(ROWS, "#history .container .text")

    assert [len(rows) for rows in blocks] == [9] * 4
    assert not await stage.scrolls_sideways()


async def test_own_emoji_are_on_buttons_in_menus_and_large_alone(
    stage: Stage, tmp_path: Path
) -> None:
    window = stage.window
    await window.resize(360, 740)
    await stage.send("/token")
    await window.sees(LAST, "Well, ")
    await window.until(LOADED)
    square = "return [...document.querySelectorAll('.button .own, .select .own')]"
    sizes = await window.run(f"{square}.map((each) => [each.offsetWidth, each.offsetHeight])")
    assert len(sizes) == 3
    assert all(width == height == 16 for width, height in sizes)
    await window.sees(".text.jumbo")
    jumbo = "return [...document.querySelectorAll('.jumbo .emoji')].map((each) => each.offsetWidth)"
    own, common = await window.run(jumbo)
    assert own == common > 22
    words = "return [...new Set([...document.images].map((each) => each.alt))]"
    assert await window.run(words) == [":red_1:"]
    await window.click(".select")
    await window.sees("dialog [role=option] .own")
    await window.screenshot(tmp_path / "own.png")


async def test_an_emoji_of_a_text_opens_its_name_and_one_that_is_gone_is_shown_by_it(
    stage: Stage, tmp_path: Path
) -> None:
    window = stage.window
    await window.resize(360, 740)
    await stage.send("/token")
    await window.sees(LAST, "and :gone:")
    await window.sees(".occasion", says("page.in_reply", author="Parlour", said=":red_1:"))
    await window.until(LOADED)
    for by in ("tap", "keyboard"):
        if by == "tap":
            await window.click(".text .own")
        else:
            await window.run("document.querySelector('.text .own').focus()")
            await window.key(Keys.ENTER)
        await window.sees("dialog.emoji-name", ":red_1:")
        await window.screenshot(tmp_path / f"name-{by}.png")
        await window.key(Keys.ESCAPE)
        await window.misses("dialog")
