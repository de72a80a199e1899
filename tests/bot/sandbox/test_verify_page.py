"""The page that checks dice, in a browser: proofs of both versions, and what doesn't fit."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from selenium.webdriver import Chrome

from bot.locales import known
from bot.locales.pages import filled
from tests.bot.english import like, says
from tests.bot.stand_in import Sandbox
from tests.browser import Window, missing_browser

pytestmark = pytest.mark.skipif(bool(missing_browser()), reason=missing_browser())

PAGE = Path(__file__).parents[3] / "bot" / "sandbox" / "page" / "verify.html"
FITS = f"✓ {says('verify.fits', number='17')}"
SECRET = bytes(range(32))
DIGEST = hashlib.sha256(SECRET).hexdigest()
MESSAGE = 1234567890123456789
WORDS = ("apple", "it's 5, #1!", "café")
QUOTED = "apple,it%27s%205%2C%20%231%21,caf%C3%A9"
FORGOTTEN = f"sha256:{hashlib.sha256(b'apple').hexdigest()}"
PLIES = range(0, 600, 2)
"""Rolls enough for some that pass a byte over."""

OLD = (
    "parlour verify-dice --session 17 "
    "--commitment 5b4b14208bc4cc2609f72c49b5e43338fe7c5d44168635b46d72d6dcaf978369 "
    "--secret dcff568183735e2358401f33952e2f9da5bb81994e5ff51b0096f03d9a288397 "
    '--rolls "0=3 1=5 2=4 3=6 5=2 6=4 7=4 9=2"\n'
)


BY_SEAT = (
    OLD.replace("verify-dice", "verify.html")
    .replace("--commitment ", "--message 1573937195557847040 --words=,caf%C3%A9 --commitment 2:")
    .replace("0=3 1=5 2=4 3=6 5=2 6=4 7=4 9=2", "0=6 1=1 2=2 3=3 5=4 6=1 7=5 9=4")
)


def roll(ply: int) -> int:
    """A roll as it has to be, worked out without Parlour."""
    digests = ",".join(sorted(hashlib.sha256(word.encode()).hexdigest() for word in WORDS))
    label = f"17:{MESSAGE}:{digests}:{ply}"
    digest = hmac.digest(SECRET, label.encode(), "sha256")
    return next(byte for byte in digest if byte < 252) % 6 + 1


def proof(*, words: str = QUOTED, message: int = MESSAGE, altered: int | None = None) -> str:
    rolls = " ".join(f"{ply}={roll(ply) % 6 + 1 if ply == altered else roll(ply)}" for ply in PLIES)
    return (
        f'Parlour verify.html --session 17 --message {message} --words="{words}" '
        f'--commitment 3:{DIGEST} --secret {SECRET.hex()} --rolls "{rolls}"\n'
    )


@pytest.fixture
async def page(sandbox: Sandbox, browser: Chrome) -> AsyncIterator[Window]:
    """The page as the sandbox serves it, on a phone."""
    window = Window(browser, sandbox.url)
    await window.resize(360, 740)
    await window.visit(f"{sandbox.url}/verify.html?language=en-US")
    yield window
    await window.close()


async def verdict(page: Window, text: str, kept: str = "") -> str:
    """The page's verdict on a text."""
    await page.run(
        "document.getElementById('proof').value = arguments[0];"
        "document.getElementById('kept').value = arguments[1];"
        "document.getElementById('verdict').textContent = '';"
        "document.querySelector('button').click()",
        text,
        kept,
    )
    said: str = await page.until("return document.getElementById('verdict').textContent")
    return said


async def facts(page: Window) -> str:
    told: str = await page.run("return document.getElementById('details').innerText")
    return told


async def test_a_proof_of_bound_dice_fits_and_every_roll_is_made_again(page: Window) -> None:
    assert await verdict(page, "hello") != FITS
    await page.run("document.getElementById('proof').value = arguments[0]", proof())
    await page.click("button")
    await page.sees("#verdict", FITS)
    assert await verdict(page, proof(), kept=f"3:{DIGEST[:8]}") == FITS
    told = await facts(page)
    assert f"✓ {says('verify.secret')}" in told
    assert f"✓ {says('verify.promise')}" in told
    assert f"✓ {says('verify.follow', right=len(PLIES), all=len(PLIES))}" in told
    assert "“apple”\n“it's 5, #1!”\n“café”" in told
    shown = await page.run("return document.querySelectorAll('#rolls .good').length")
    assert shown == len(PLIES)
    wide = await page.run("return document.documentElement.scrollWidth")
    assert wide <= 360
    assert await page.complaints() == []


async def test_older_versions_and_a_forgotten_word_are_as_good(page: Window) -> None:
    assert await verdict(page, OLD, kept="5b4b1420…") == FITS
    assert not like("verify.mixed").search(await facts(page))
    assert await verdict(page, BY_SEAT, kept="2:5b4b1420…") == FITS
    assert f"{says('verify.none')}\n“café”" in await facts(page)
    forgotten = QUOTED.replace("apple", FORGOTTEN)
    assert await verdict(page, proof(words=forgotten)) == FITS
    assert says("verify.former") in await facts(page)


async def test_what_was_changed_is_found(page: Window) -> None:
    changed = {
        "roll": proof(altered=8),
        "message": proof(message=MESSAGE + 1),
        "word": proof(words=QUOTED.replace("apple", "pear")),
        "session": proof().replace("--session 17", "--session 18"),
        "commitment": proof().replace(DIGEST, "0" * 64),
        "old roll": OLD.replace("0=3", "0=4"),
    }
    for what, text in changed.items():
        assert (await verdict(page, text)).startswith("✗"), what
        assert "✗" in await facts(page), what
        assert await verdict(page, proof()) == FITS, "and none but that"
    misfit = f"✗ {says('verify.misfit', number='17')}"
    assert await verdict(page, proof(), kept="2:00000000") == misfit


async def test_what_is_no_proof_is_explained(page: Window) -> None:
    explained = {
        "hello": says("verify.lacking", option="--session"),
        proof().replace("--message", "--massage"): says("verify.lacking", option="--message"),
        proof().replace("3:", "4:"): says("verify.version"),
        proof().replace("--rolls", "--rolls 7=9 "): says("verify.damaged", option="--rolls"),
    }
    for text, sentence in explained.items():
        assert sentence in await verdict(page, text), text


async def test_it_is_one_file_that_works_from_a_disk_and_asks_nobody(browser: Chrome) -> None:
    window = Window(browser, "")
    await window.visit(f"{PAGE.as_uri()}?language=en-US")
    assert (await verdict(window, proof())).startswith("✓")
    assert "://" not in PAGE.read_text("utf-8")


async def test_the_sandbox_serves_it_with_the_texts_of_today(sandbox: Sandbox) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{sandbox.url}/verify.html") as got,
    ):
        assert got.content_type == "text/html"
        assert await got.text() == filled(PAGE.read_text("utf-8"), "verify", known())
