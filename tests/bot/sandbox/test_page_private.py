"""Messages for one person alone, on the page."""

from __future__ import annotations

from tests.bot.english import says
from tests.bot.sandbox.stage import LAST, Stage

ONLY_YOU = says("page.private")


async def test_a_note_is_seen_by_its_reader_alone_until_dismissed(stage: Stage) -> None:
    window = stage.window
    await stage.send("/whisper")
    await window.sees(LAST, ONLY_YOU)
    await window.click("[data-person='Ben']")
    await window.until("return location.hash.includes('as=Ben') && document.body.dataset.ready")
    await window.misses(LAST, "A secret")
    await window.click("[data-person='Ann']")
    await window.sees(LAST, "A secret")
    await window.click(LAST + " [data-dismiss]")
    await window.misses("#history", "A secret")
    await window.open()
    await window.misses("#history", "A secret")


async def test_a_panel_is_used_in_place_by_the_one_who_sees_it(stage: Stage) -> None:
    window = stage.window
    bens = await window.beside(person="Ben")
    await stage.send("/panel")
    await window.sees(f"{LAST}.ephemeral", "Nothing is chosen")
    await window.run(f"document.querySelector({LAST!r}).kept = true")
    await window.click("[data-custom-id='panel:rules']")
    await window.click("dialog [role=option]", "Stars")
    await window.sees(f"{LAST}.ephemeral", "Stars is chosen")
    await window.click(".button", "Later")
    await window.sees(f"{LAST}.ephemeral", "Later is chosen")
    assert await window.run(f"return document.querySelector({LAST!r}).kept")
    await window.sees(LAST, ONLY_YOU)
    await window.click(".button", "Tell")
    await window.sees(LAST, "For all")
    await window.sees(".message.ephemeral", "For you")
    await bens.sees(LAST, "For all")
    assert await bens.run("return document.querySelectorAll('.message').length") == 1


async def test_a_panel_goes_when_the_bot_closes_it_or_its_reader_dismisses_it(
    stage: Stage,
) -> None:
    window = stage.window
    await stage.send("/panel")
    await window.click(".button", "Close")
    await window.misses(".message")
    await stage.send("/panel")
    await window.click(LAST + " [data-dismiss]")
    await window.misses(".message")
    await window.misses("#history", says("page.failed"))
