"""The page's own words in its reader's language, mirrored where one reads from the right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from selenium.webdriver.common.keys import Keys

import bot.sandbox
from bot.locales import ENGLISH, known
from tests.bot.sandbox.stage import LAST, Stage
from tests.samples import Sample

SANDBOX: Final = Path(bot.sandbox.__file__).parent
PAGE: Final = SANDBOX / "page"
SAYING: Final = re.compile(r'(?:(?<![#\w])say|\bsayWith|new Refused|new Unfit)\(\s*"([^"]*)"')
MARKED: Final = re.compile(r'data-say(?:-\w+)?="([^"]+)"')
REFUSED: Final = re.compile(r'\bActRefused\(\s*"([^"]*)"')


def named() -> Iterator[str]:
    """The keys of the texts that the page and the sandbox name."""
    yield from MARKED.findall((PAGE / "index.html").read_text("utf-8"))
    for module in PAGE.glob("*.js"):
        yield from SAYING.findall(module.read_text("utf-8"))
    for module in SANDBOX.rglob("*.py"):
        yield from REFUSED.findall(module.read_text("utf-8"))


def word(locale: str, key: str, **values: str) -> str:
    return known()[locale].template(f"page.{key}").format_map(values)


def test_the_page_and_the_catalogue_name_the_same_texts() -> None:
    assert {f"page.{key}" for key in named()} == {*known()[ENGLISH].keys("page.")}


async def test_the_page_is_in_the_language_of_its_person_as_soon_as_it_is_chosen(
    stage: Stage,
) -> None:
    window = stage.window
    await stage.send("Hello")
    await window.run(
        "const menu = document.querySelector('#locale'); menu.value = 'de';"
        "menu.dispatchEvent(new Event('change', {bubbles: true}));"
    )
    await window.sees("#sidebar legend", word("de", "you_are"))
    await window.sees("#send", word("de", "send"))
    await window.sees(f"{LAST} .delete", word("de", "delete"))
    assert await window.run("return document.documentElement.lang") == "de"
    chosen = "return document.querySelector('#locale option:checked').textContent"
    assert await window.run(chosen) == "Deutsch"
    assert stage.sandbox.person("Ann").locale == "de"
    await window.type("#line", "/sag")
    await window.sees("#commands [role=option]", "Etwas sagen")
    await window.type("#line", Keys.ESCAPE, Keys.ESCAPE, "/settings limit count:99", Keys.ENTER)
    about = {"option": "count", "bounds": "1–20", "size": "99"}
    await window.sees("#problem", word("de", "refused.bounds", **about))


async def test_an_arabic_reader_sees_no_english_around_the_messages(stage: Stage) -> None:
    window = stage.window
    stage.sandbox.person("Ann").locale = "ar"
    await stage.send("/survey")
    await window.sees("dialog .modal-foot", word("ar", "submit"))
    await window.key(Keys.ESCAPE)
    await window.misses("dialog")
    await stage.send("/panel")
    await stage.send("/slow")
    await stage.send("/silent")
    await stage.sandbox.until(lambda: stage.sandbox.pending)
    stage.clock.advance(4)
    await window.sees(".command-state.failed")
    chrome = """
        const parts = ["#sidebar", "main > header", "#composer", ".occasion", ".message .header",
            ".privacy", ".thinking", ".command-state", "#earlier", "#latest", ".welcome"];
        const found = [...document.querySelectorAll(parts.join())];
        const said = found.flatMap((part) => [part, ...part.querySelectorAll("*")]
            .filter((each) => !each.closest("#locale, .command, .channel .name"))
            .flatMap((each) => ["title", "aria-label", "placeholder"].map(
                (name) => each.getAttribute(name) ?? "").concat(
                [...each.childNodes].filter((node) => node.nodeType === 3).map((n) => n.data))));
        return [document.title, ...said].join(" ");
    """
    names = {"Ann", "Ben", "Cleo", "Dan", "Parlour", "games", "thread", "lounge"}
    told = await window.run(chrome)
    assert word("ar", "settings") in told
    assert set(re.findall(r"[A-Za-z]{2,}", told)) <= names


async def test_the_page_is_mirrored_but_for_boards_and_rows_of_buttons(stage: Stage) -> None:
    window = stage.window
    left = "return document.querySelector(arguments[0]).getBoundingClientRect().left"
    await stage.send("/board size:3")
    await window.sees("[data-custom-id='cell:0:0']")

    async def order(*selectors: str) -> list[str]:
        places = [await window.run(left, selector) for selector in selectors]
        return [selector for _, selector in sorted(zip(places, selectors, strict=True))]

    page = ("#sidebar", "main", "#send")
    message = (f"{LAST} .avatar", f"{LAST} .container")
    cells = [f"[data-custom-id='cell:0:{cell}']" for cell in range(3)]
    assert await order(*page) == [*page]
    assert await order(*message) == [*message]
    stage.sandbox.person("Ann").locale = "ar"
    await window.until("return document.documentElement.lang === 'ar'")
    assert await window.run("return document.documentElement.dir") == "rtl"
    assert await order(*page) == ["main", "#send", "#sidebar"]
    assert await order(*message) == [*reversed(message)]
    assert await order(*cells) == cells


async def test_names_and_commands_keep_their_signs_before_them_in_a_mirrored_page(
    stage: Stage,
) -> None:
    window = stage.window
    stage.sandbox.person("Ann").locale = "ar"
    await window.until("return document.documentElement.dir === 'rtl'")
    await stage.send("/say text:مرحبًا to:Ben")
    await window.sees(f"{LAST} .mention", "Ben")
    before = """
        const shown = document.querySelector(arguments[0]);
        const texts = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
        const left = (node, at) => {
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            return range.getBoundingClientRect().left;
        };
        const sign = left(texts.nextNode(), 0);
        const last = texts.nextNode() ?? texts.currentNode;
        return sign < left(last, last.length - 1);
    """
    assert await window.run(before, f"{LAST} .mention")
    assert await window.run(before, f"{LAST} .occasion .command")


async def test_every_language_fits_a_phone_and_the_sidebar(stage: Stage, sample: Sample) -> None:
    window = stage.window
    wide = """
        return [...document.querySelectorAll("button, legend, .setting, .hint, #place, dialog *")]
            .filter((each) => each.checkVisibility() && !each.matches(".name, .unseen"))
            .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth)
            .map((each) => each.textContent);
    """
    await stage.send("/board")
    for width in (1200, 360):
        await window.resize(width, 800)
        for locale in sample(known(), 6):
            stage.sandbox.person("Ann").locale = locale
            await window.until(f"return document.documentElement.lang === '{locale}'")
            assert not await stage.scrolls_sideways(), locale
            assert await window.run(wide) == [], locale
