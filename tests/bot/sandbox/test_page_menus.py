"""Menus on the page: chosen from by mouse and by keyboard, on a desk and on a phone."""

from __future__ import annotations

from pathlib import Path

from selenium.webdriver.common.keys import Keys

from tests.bot.english import says
from tests.bot.sandbox.stage import LAST, Stage

OPTIONS = "dialog [role=option]"


async def test_a_menu_is_settled_by_one_choice_or_by_done_unless_it_is_disabled(
    stage: Stage,
) -> None:
    window = stage.window
    await stage.send("/menu")
    await window.click("[data-custom-id=closed][aria-disabled=true]", "Not now")
    await window.click("[data-custom-id=rules]")
    await window.sees("dialog", "Classic")
    assert await window.run("return document.querySelectorAll('dialog').length") == 1
    await window.click(OPTIONS, "Quick")
    await window.sees(LAST, "Rules: Quick")
    await window.click("[data-custom-id=extra]")
    for choice in ("six", "home", "capture"):
        await window.click(OPTIONS, choice)
    await window.click("dialog button", says("page.done"))
    await window.sees(LAST, "Extra: six, home")


async def test_a_menu_is_opened_chosen_from_and_left_by_the_keyboard(stage: Stage) -> None:
    window = stage.window
    await stage.send("/menu")
    await window.sees("[data-custom-id=extra]")
    await window.run("document.querySelector('[data-custom-id=extra]').focus()")
    await window.key(Keys.ENTER)
    await window.sees(OPTIONS, "home")
    await window.key(Keys.SPACE)
    await window.key(Keys.END)
    await window.key(Keys.SPACE)
    await window.key(Keys.TAB)
    await window.key(Keys.ENTER)
    await window.sees(LAST, "Extra: six, home")
    await window.run("document.querySelector('[data-custom-id=extra]').focus()")
    await window.key(Keys.SPACE)
    await window.sees(OPTIONS, "home")
    await window.key(Keys.ESCAPE)
    await window.misses("dialog")
    focused = "return document.activeElement.dataset.customId"
    assert await window.run(focused) == "extra"


async def test_a_menu_says_what_is_chosen_and_each_choice_what_it_means(stage: Stage) -> None:
    window = stage.window
    await stage.send("/menu")
    await window.sees("[data-custom-id=rules].empty", "Choose the rules")
    await window.sees("[data-custom-id=level]:not(.empty)", "Medium")
    name = "return document.querySelector('[data-custom-id=level]').ariaLabel"
    assert await window.run(name) == "How well it plays: Medium"
    await window.click("[data-custom-id=rules]")
    await window.sees(OPTIONS, "As everybody knows it")
    await window.key(Keys.ESCAPE)
    await window.click("[data-custom-id=level]")
    await window.sees(f"{OPTIONS}[aria-selected=true]", "Medium")
    assert await window.run("return document.activeElement.textContent.includes('Medium')")
    await window.key(Keys.ARROW_DOWN, Keys.ENTER)
    await window.sees("[data-custom-id=level]", "Hard")


async def test_the_menus_of_a_phone_fit_it(stage: Stage, tmp_path: Path) -> None:
    window = stage.window
    await window.resize(360, 800)
    await stage.send("/menu")
    await window.sees("[data-custom-id=closed]")
    assert not await stage.scrolls_sideways()
    await window.screenshot(tmp_path / "menus.png")
    await window.click("[data-custom-id=level]")
    await window.sees(OPTIONS, "Hard")
    await window.screenshot(tmp_path / "menu-open.png")
    box = "return document.querySelector('dialog').getBoundingClientRect().toJSON()"
    found = await window.run(box)
    assert found["left"] >= 0
    assert found["top"] >= 0
    assert found["right"] <= 360
    assert found["bottom"] <= 800
    heights = f"return [...document.querySelectorAll({OPTIONS!r})].map((each) => each.offsetHeight)"
    assert min(await window.run(heights)) >= 36
