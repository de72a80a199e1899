"""The sizes of real clients: emoji, buttons, rows and containers, on a desk and on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from tests.bot.sandbox.stage import LAST, Stage
from tests.browser import Window

SIZES = """
    return [...document.querySelectorAll(arguments[0])].map((each) => {
        const {width, height} = each.getBoundingClientRect();
        return [width, height];
    });
"""
TEXT = f"{LAST} .container .text p:not(.small) .emoji"
SMALL = f"{LAST} .container .small .emoji"
ON_BUTTON = f"{LAST} .button .emoji"
TOPS = """
    return new Set([...document.querySelectorAll(arguments[0])].map(
        (each) => Math.round(each.getBoundingClientRect().top))).size;
"""


async def sizes(window: Window, selector: str) -> set[tuple[float, float]]:
    return {(width, height) for width, height in await window.run(SIZES, selector)}


async def test_emoji_buttons_and_containers_are_as_large_as_on_real_clients(stage: Stage) -> None:
    window = stage.window
    await stage.send("/sizes")
    await window.sees(LAST, "small")
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        await window.prefer(scheme)
        for shape, text, button in (((1280, 900), 19, 19), ((360, 740), 17, 16)):
            await window.resize(*shape)
            assert await sizes(window, TEXT) == {(text, text)}
            assert await sizes(window, SMALL) == {(17, 17)}
            assert await sizes(window, ON_BUTTON) == {(button, button)}

    # On a phone buttons are as wide as what they say, and their rows are wrapped.
    assert await window.run(TOPS, f"{LAST} .row:nth-last-child(2) .button") == 1
    assert await window.run(TOPS, f"{LAST} .row:last-child .button") > 1
    assert min(height for _, height in await sizes(window, f"{LAST} .button")) >= 32
    assert not await stage.scrolls_sideways()
    ((inside, _),) = await window.run(SIZES, f"{LAST} .container-body > .text:first-child")
    ((message, _),) = await window.run(SIZES, f"{LAST} .body")
    assert 20 <= message - inside <= 40, "padding on both sides"

    await window.resize(1280, 900)
    assert await window.run(TOPS, f"{LAST} .row:last-child .button") == 1
    found = await sizes(window, f"{LAST} .button")
    assert min(width for width, _ in found) == 60
    assert {height for _, height in found} == {32}


async def test_five_cells_with_an_emoji_each_stand_in_one_row_of_a_phone(stage: Stage) -> None:
    window = stage.window
    await window.resize(360, 740)
    await stage.send("/cells")
    await window.sees(f"{LAST} [data-custom-id='25']")

    assert await window.run(TOPS, f"{LAST} .button") == 5
    assert len({width for width, _ in await sizes(window, f"{LAST} .button")}) == 1


async def test_a_phone_frame_shows_a_desk_what_a_phone_shows(stage: Stage, tmp_path: Path) -> None:
    window = stage.window
    await window.resize(1280, 900)
    await stage.send("/sizes")
    await window.sees(LAST, "small")
    await window.click("#frame[aria-checked=false]")
    await window.sees("#frame[aria-checked=true]")

    assert await sizes(window, TEXT) == {(17, 17)}
    assert await sizes(window, "main") == {(360, 740)}
    await window.screenshot(tmp_path / "frame.png")
    await window.click("#frame")
    assert await sizes(window, TEXT) == {(19, 19)}
