"""The words of the page that checks dice: all there in every language, and found by its reader."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping
from typing import Final

import pytest
from selenium.webdriver import Chrome

from bot.locales import ENGLISH, shipped
from tests.bot.sandbox.test_verify_page import PAGE, facts, proof, verdict
from tests.browser import Window

HTML: Final = PAGE.read_text("utf-8")
BLOCK: Final = re.compile(r'<script id="words" type="application/json">(.+?)</script>', re.DOTALL)
WORDS: Final[Mapping[str, Mapping[str, str]]] = json.loads(BLOCK.findall(HTML)[0])
IN_ENGLISH: Final = WORDS["en"]
OTHERS: Final = [language for language in WORDS if language != "en"]
PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")
NUMBERED: Final = re.compile(r"\{(?!option)\w+\} (?!of\b)\w")


@pytest.fixture
async def page(browser: Chrome) -> AsyncIterator[Window]:
    """A phone."""
    window = Window(browser, "")
    await window.resize(360, 740)
    yield window
    await window.read([])
    await window.close()


def test_it_has_the_languages_of_the_bot_and_hebrew() -> None:
    assert {*OTHERS} == {*shipped(), "he"} - {ENGLISH}


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_text_with_all_its_values(language: str) -> None:
    words = WORDS[language]
    assert words.keys() == IN_ENGLISH.keys()
    for name, english in IN_ENGLISH.items():
        assert words[name].strip() not in {"", english}, name
        values = (sorted(PLACEHOLDER.findall(each)) for each in (english, words[name]))
        assert next(values) == next(values), name


def test_every_text_is_shown_and_none_needs_plural_forms() -> None:
    said = " ".join(re.findall(r"\bsay\(([^()]*)", HTML))
    assert {*re.findall(r'data-say="(\w+)"', HTML), *re.findall(r'"(\w+)"', said)} == {*IN_ENGLISH}
    assert not [text for text in IN_ENGLISH.values() if NUMBERED.search(text)]


def test_the_button_is_called_as_it_is_on_the_board() -> None:
    for language, spoken in shipped().items():
        words = WORDS.get(language, IN_ENGLISH)
        assert spoken.template("control.proof") in words["intro"], language


@pytest.mark.parametrize(
    ("asked", "reads", "expected"),
    [
        ("de", ["fr"], "de"),
        ("en-US", ["fr"], "en"),
        ("sv", ["nn", "pt-PT", "de"], "pt-BR"),
        ("no such language", ["es-MX"], "es-419"),
        ("", ["es"], "es-ES"),
        ("", ["zh-HK"], "zh-TW"),
        ("", ["zh"], "zh-CN"),
        ("", ["sv", "nn"], "en"),
    ],
)
async def test_it_is_in_the_language_asked_for_or_the_nearest_that_its_reader_reads(
    page: Window, asked: str, reads: list[str], expected: str
) -> None:
    await page.read(reads)
    await page.visit(f"{PAGE.as_uri()}?language={asked}")
    assert await page.run("return document.documentElement.lang") == expected
    await page.sees("h1", WORDS[expected]["heading"])


@pytest.mark.parametrize("language", ["ar", "he"])
async def test_it_is_mirrored_but_for_the_proof(page: Window, language: str) -> None:
    await page.visit(f"{PAGE.as_uri()}?language={language}")
    said = WORDS[language]["fits"].replace("{number}", "\u206817\u2069")
    assert await verdict(page, proof()) == f"✓ {said}"
    direction = "return getComputedStyle(document.querySelector(arguments[0])).direction"
    for selector, expected in {
        "h1": "rtl",
        "#rolls": "rtl",
        "#proof": "ltr",
        "#kept": "ltr",
    }.items():
        assert await page.run(direction, selector) == expected, selector


async def test_every_language_fits_a_phone_and_leaves_no_english(page: Window) -> None:
    for language in OTHERS:
        await page.visit(f"{PAGE.as_uri()}?language={language}")
        text = proof(words=",".join(["sha256:" + "0" * 64, "", "", "caf%C3%A9"]), altered=8)
        told = [await verdict(page, text, kept="2:00000000"), await facts(page)]
        told.append(await page.run("return document.body.innerText"))
        for name, english in IN_ENGLISH.items():
            assert not [each for each in told if english in each], (language, name)
        wide = "return document.documentElement.scrollWidth"
        assert await page.run(wide) <= 360, language
    assert await page.complaints() == []
