"""Pictures and files on the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bot.sandbox.stage import LAST, Stage

LOADED = "return [...document.images].length && [...document.images].every((each) => each.complete)"
SIZE = "const {width, height} = [...document.images].at(-1); return [width, height]"
PICTURES = "return document.images.length === arguments[0]"
SHAPES = ((1200, 1200), (1200, 300), (300, 1200), (40, 30))


async def test_pictures_have_words_and_files_are_links(stage: Stage) -> None:
    window = stage.window
    await stage.send("/stats")
    await window.sees(LAST, "Statistics")
    await window.until("return document.querySelector('img').naturalWidth === 1")
    assert await window.run("return document.querySelector('img').alt") == "A curve that rises"
    await window.sees(".file a[download]", "export.json")


async def test_a_gallery_shows_the_pictures_of_its_message(stage: Stage) -> None:
    window = stage.window
    await stage.send("/tour")
    await window.until("return document.images.length === 2")
    await window.until("return [...document.images].every((each) => each.naturalWidth === 1)")
    words = await window.run("return [...document.images].map((each) => each.alt)")
    assert words == ["curve.png", "board.png"]
    await window.sees("a.button.link[href='https://discord.com/'][rel~=noopener]", "Elsewhere")


async def test_a_picture_is_scaled_to_a_phone_and_what_no_component_shows_is_not_shown(
    stage: Stage, tmp_path: Path
) -> None:
    window = stage.window
    await window.resize(360, 800)
    for number, shape in enumerate(SHAPES, start=1):
        await stage.send(f"/chart width:{shape[0]} height:{shape[1]}")
        await window.until(PICTURES, number)
        await window.until(LOADED)
        width, height = await window.run(SIZE)
        assert not await stage.scrolls_sideways()
        assert width <= 300
        assert height <= 400
        assert width / height == pytest.approx(shape[0] / shape[1], rel=0.02)
        assert (width, height) == shape or width > 270 or height == 400
        await window.screenshot(tmp_path / f"chart-{number}.png")
    words = await window.run("return [...document.images].map((each) => each.alt)")
    assert {*words} == {"A red chart"}
    await window.misses("#history", "hidden.txt")
    assert [each.filename for each in stage.last.attachments] == ["chart.png", "hidden.txt"]
