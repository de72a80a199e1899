"""The words of the page that checks dice, in every language, and which of them a reader gets."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Final

import pytest
from selenium.webdriver import Chrome

from bot.locales import ENGLISH, known
from bot.locales.pages import filled, page_texts
from bot.screens.table_panel import afterwards
from bot.table.actions import Action
from tests.bot.kit import ANN, BEN, at_random, new_game
from tests.bot.sandbox.test_verify_page import PAGE, facts, proof, verdict
from tests.browser import Window
from tests.samples import Sample

HTML: Final = PAGE.read_text("utf-8")
OTHERS: Final = [locale for locale in known() if locale != ENGLISH]
SOME: Final = 6
"""The languages that a page is shown in; in an exhaustive run it is in all."""


def word(locale: str, key: str) -> str:
    return known()[locale].template(key)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page with the texts of today, as a file."""
    file = tmp_path_factory.mktemp("page") / PAGE.name
    file.write_text(filled(HTML, "verify", known()), "utf-8")
    return file


@pytest.fixture
async def page(browser: Chrome) -> AsyncIterator[Window]:
    """A phone."""
    window = Window(browser, "")
    await window.resize(360, 740)
    yield window
    await window.read([])
    await window.close()


def test_the_page_and_the_catalogue_name_the_same_texts() -> None:
    said = " ".join(re.findall(r"\bsay\(([^()]*)", HTML))
    shown = {*re.findall(r'data-say="(\w+)"', HTML), *re.findall(r'"(\w+)"', said)}
    assert {f"verify.{key}" for key in shown} == {*known()[ENGLISH].keys("verify.")}


@pytest.mark.parametrize("locale", sorted(known()))
def test_it_names_the_way_to_the_dice_of_a_finished_game(locale: str) -> None:
    over = at_random(new_game("ludo", ANN, BEN), Random(1))
    below = [control.action for control in afterwards(over)]
    assert Action.MORE in below
    assert Action.PROOF not in below
    texts = page_texts("verify", known()[locale])["texts"]
    intro = texts["intro"].format_map(texts)
    assert intro.index(word(locale, "control.more")) < intro.index(word(locale, "control.proof"))


async def test_it_is_in_the_language_asked_for_or_the_nearest_that_its_reader_reads(
    page: Window, served: Path
) -> None:
    for asked, reads, expected in (
        ("de", ["fr"], "de"),
        ("en-US", ["fr"], "en-US"),
        ("tlh", ["nn", "pt-PT", "de"], "pt-BR"),
        ("no such language", ["es-MX"], "es-419"),
        ("", ["es"], "es-ES"),
        ("", ["zh-HK"], "zh-TW"),
        ("", ["zh"], "zh-CN"),
        ("", ["tlh", "qya"], "en-US"),
    ):
        await page.read(reads)
        await page.visit(f"{served.as_uri()}?language={asked}")
        assert await page.run("return document.documentElement.lang") == expected, (asked, reads)
        await page.sees("h1", word(expected, "verify.heading"))


async def test_it_is_mirrored_but_for_the_proof(page: Window, served: Path) -> None:
    language = "ar"
    await page.visit(f"{served.as_uri()}?language={language}")
    said = word(language, "verify.fits").replace("{number}", "\u206817\u2069")
    assert await verdict(page, proof()) == f"✓ {said}"
    direction = "return getComputedStyle(document.querySelector(arguments[0])).direction"
    for selector, expected in {
        "h1": "rtl",
        "#rolls": "rtl",
        "#proof": "ltr",
        "#kept": "ltr",
    }.items():
        assert await page.run(direction, selector) == expected, selector


async def test_every_language_fits_a_phone_and_leaves_no_english(
    page: Window, served: Path, sample: Sample
) -> None:
    for language in sample(OTHERS, SOME):
        await page.visit(f"{served.as_uri()}?language={language}")
        text = proof(words=",".join(["sha256:" + "0" * 64, "", "", "caf%C3%A9"]), altered=8)
        told = [await verdict(page, text, kept="2:00000000"), await facts(page)]
        told.append(await page.run("return document.body.innerText"))
        translated = (
            word(ENGLISH, key)
            for key in known()[ENGLISH].keys("verify.")
            if word(language, key) != word(ENGLISH, key)
        )
        assert not [text for text in translated for each in told if text in each], language
        wide = "return document.documentElement.scrollWidth"
        assert await page.run(wide) <= 360, language
    assert await page.complaints() == []
