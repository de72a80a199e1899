"""Options that are completed while they are typed, on the page."""

from __future__ import annotations

from selenium.webdriver.common.keys import Keys

from tests.bot.sandbox.stage import LAST, Stage

CHOICES = ".choices [role=option]"


async def test_suggestions_follow_what_is_typed_and_what_is_none_is_sent_as_typed(
    stage: Stage,
) -> None:
    window = stage.window
    await window.type("#line", "/find ")
    await window.type("#option-game", "")
    await window.sees(CHOICES, "Ben against Dan")
    await window.type("#option-game", "ann")
    await window.misses(CHOICES, "Ben against Dan")
    await window.sees(CHOICES, "Ann against Ben")
    assert await window.run(f"return document.querySelectorAll({CHOICES!r}).length") == 2
    await window.type("#option-game", " without")
    await window.misses(CHOICES)
    await window.key(Keys.ENTER)
    await window.sees(LAST, "Found ann without")


async def test_a_suggestion_is_taken_by_the_keyboard(stage: Stage) -> None:
    window = stage.window
    await window.type("#line", "/find ")
    await window.type("#option-game", "ann")
    await window.sees(f"{CHOICES}[aria-selected=true]", "Ann against Ben")
    expanded = "return document.querySelector('#option-game').ariaExpanded"
    assert await window.run(expanded) == "true"
    await window.key(Keys.ARROW_DOWN)
    await window.sees(f"{CHOICES}[aria-selected=true]", "Ann against Cleo")
    await window.key(Keys.ENTER)
    await window.misses(CHOICES)
    assert await window.run("return document.querySelector('#line').value") == (
        "/find game:Ann against Cleo "
    )
    await window.key(Keys.ENTER)
    await window.sees(LAST, "Found game-1")


async def test_an_option_is_completed_by_a_tap_on_a_phone_and_sent_by_its_value(
    stage: Stage,
) -> None:
    window = stage.window
    await window.resize(360, 800)
    await window.type("#line", "/find ")
    await window.type("#option-game", "ann")
    await window.sees(CHOICES, "Ann against Cleo")
    assert not await stage.scrolls_sideways()
    await window.click(CHOICES, "Ann against Cleo")
    await window.key(Keys.ENTER)
    await window.sees(LAST, "Found game-1")
