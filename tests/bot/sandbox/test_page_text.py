"""The page's texts: Discord's markdown, emoji, points in time, and nothing that becomes markup."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from selenium.webdriver import Chrome

import bot.sandbox
from tests.bot.english import says
from tests.bot.stand_in import Sandbox
from tests.browser import Window, fresh_tab

UNKNOWN_USER, UNKNOWN_CHANNEL = says("page.unknown.user"), says("page.unknown.channel")
PAGE = Path(bot.sandbox.__file__).parent / "page"

PLACE = "https://discord.com/channels/1"
OUTLINE = """
    const world = {
        me: {id: "1", locale: "en-US"},
        guild: {roles: {5: "Champion"}},
        now: () => 1000,
        userName: (id) => ({1: "Ann", 2: "<b>Ben</b>"})[id] ?? null,
        channel: (id) => (id === "7" ? {id, name: "games"} : undefined),
    };
    const outline = (node) => node.nodeType === Node.TEXT_NODE
        ? node.data
        : `${node.localName}(${[...node.childNodes].map(outline).join("")})`;
    const {textElement} = await import("/page/text.js");
    return [...textElement(arguments[0], world).childNodes].map(outline).join(" ");
"""
MOMENT = """
    const {formatMoment} = await import("/page/words.js");
    return formatMoment(...arguments);
"""


in_one_window = pytest.mark.asyncio(loop_scope="module")
"""These tests only ask the page, so they share it."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def window(running_browser: Chrome) -> AsyncIterator[Window]:
    async with Sandbox() as sandbox:
        window = Window(fresh_tab(running_browser), sandbox.url)
        await window.open()
        yield window
        await window.close()


@pytest.mark.parametrize(
    ("markdown", "outline"),
    [
        ("a **b** c", "p(a strong(b) c)"),
        ("***both*** __under *it*__ ~~off~~", "p(strong(em(both)) u(under em(it)) s(off))"),
        ("*a **b** c* and **a *b* c**", "p(em(a strong(b) c) and strong(a em(b) c))"),
        ("_it_ but snake_case_name and 2 * 3 * 4", "p(em(it) but snake_case_name and 2 * 3 * 4)"),
        (r"\*plain\* and **open", "p(*plain* and **open)"),
        ("`a *b*` and ``c`d``", "p(code(a *b*) and code(c`d))"),
        ("||who **won**||", "p(span(who strong(won)))"),
        ("# One\n### Three\n-# small\nplain", "h3(One) h5(Three) p(small) p(plain)"),
        ("#no heading\n#", "p(#no heading\n#)"),
        ("one\ntwo\n\nthree", "p(one\ntwo\n\nthree)"),
        ("> said\n> **twice**\nplain", "blockquote(p(said\nstrong(twice))) p(plain)"),
        (">>> all\nof it", "blockquote(p(all\nof it))"),
        ("- a\n  - b\n- c", "ul(li(aul(li(b)))li(c))"),
        ("- a\n1. b\n2. c", "ul(li(a)) ol(li(b)li(c))"),
        ("```py\nx = **1**\n```\nafter", "pre(code(x = **1**)) p(after)"),
        ("https://a.b/c_d_e, see", "p(a(https://a.b/c_d_e), see)"),
        ("[the **page**](https://a.b/c_(d))", "p(a(the strong(page)))"),
        ("[no](javascript:alert(1))", "p([no](javascript:alert(1)))"),
        ("<https://a.b>", "p(a(https://a.b))"),
        ("<@&5> and <@&6>", f"p(span(@Champion) and span(@{says('page.unknown.role')}))"),
        (f"See {PLACE}/7/12", "p(See button(#gamesspan( › )💬))"),
        (f"See {PLACE}/7", "p(See button(#gamesspan( › )))"),
        (f"[the *board*]({PLACE}/7/12)", "p(button(the em(board)))"),
        (f"{PLACE}/8/12", f"p(a({PLACE}/8/12))"),
        (
            "<@1> <@!2> <@3>",
            f"p(button(@bdi(Ann)) button(@bdi(<b>Ben</b>)) button(@bdi({UNKNOWN_USER})))",
        ),
        (
            "<#7> <#8> @everyone",
            f"p(button(#games) button(#{UNKNOWN_CHANNEL}) span(@everyone))",
        ),
        ("</settings show:12>", "p(button(/settings show))"),
        ("<t:0:D>", "p(time(January 1, 1970))"),
        ("⬛⭐\n🟥🏠", "p(span(⬛)span(⭐)\nspan(🟥)span(🏠))"),
        ("\u2066🟥\u2069", "p(\u2066span(🟥)\u2069)"),
        ("<img src=x onerror=alert(1)>", "p(<img src=x onerror=alert(1)>)"),
        ("</b><script>alert(1)</script>", "p(</b><script>alert(1)</script>)"),
    ],
)
@in_one_window
async def test_markdown_reads_as_in_discord(window: Window, markdown: str, outline: str) -> None:
    assert await window.run(OUTLINE, markdown) == outline


@pytest.mark.parametrize("start", ["*", "**a", "||", "[", "[a](", "_a", "`", "> ", "(*||", "~~ "])
@in_one_window
async def test_no_text_of_four_thousand_characters_keeps_the_page_busy(
    window: Window, start: str
) -> None:
    text = (start * 4000)[:4000]
    busy = "const begun = performance.now(); await (async () => {%s})(); "
    took = await window.run(busy % OUTLINE + "return performance.now() - begun;", text)
    assert took < 2000


@pytest.mark.parametrize(
    ("content", "jumbo"),
    [
        ("⭐", True),
        ("⭐ ⭐\n⭐", True),
        ("⭐" * 30, True),
        ("⭐" * 31, False),
        ("⭐!", False),
        ("<:red_1:5>⭐ <a:x1:6>", True),
        ("<:red_1:5>" * 30, True),
        ("<:red_1:5>" * 31, False),
        ("<:red_1:5> moves", False),
        ("", False),
    ],
)
@in_one_window
async def test_a_few_emoji_alone_are_large(window: Window, content: str, jumbo: bool) -> None:
    script = "return (await import('/page/emoji.js')).isJumbo(arguments[0]);"
    assert await window.run(script, content) is jumbo


@pytest.mark.parametrize(
    ("text", "aloud"),
    [
        ("<:red_1:5> \u2068<@1>\u2069 to roll.", ":red_1: Ann to roll."),
        ("## ❌ **Ann** wins\n⬛⬛\n-# Game 5, <t:5:R>", "❌ Ann wins ⬛⬛ Game 5,"),
        ("<:red_1_and_2:5><:tile:6>\n🟥\n", ":red_1_and_2::tile: 🟥"),
    ],
)
@in_one_window
async def test_a_text_is_announced_with_its_emoji_and_without_marks(
    window: Window, text: str, aloud: str
) -> None:
    script = """
        const {readAloud} = await import("/page/emoji.js");
        return readAloud(arguments[0], {userName: () => "Ann"});
    """
    assert await window.run(script, text) == aloud


@in_one_window
async def test_every_emoji_of_the_strip_is_one_emoji_with_a_drawing(window: Window) -> None:
    source = (PAGE / "emoji.js").read_text("utf-8")
    strip = re.findall(r'"([^"]+)"', source[source.index("STRIP = [") : source.index("];")])
    drawings = re.findall(r"<g transform=", (PAGE / "emoji.svg").read_text("utf-8"))
    assert len(strip) == len(drawings) == len(set(strip))
    cells = "return (await import('/page/emoji.js')).withEmoji(arguments[0]).filter(Boolean).length"
    assert await window.run(cells, "".join(strip)) == len(strip)


@pytest.mark.parametrize(
    ("after_s", "words"),
    [
        (5, "in 5 seconds"),
        (59.9, "in 1 minute"),
        (300, "in 5 minutes"),
        (299.5, "in 5 minutes"),
        (-7200, "2 hours ago"),
        (86_400 * 3, "in 3 days"),
        (-86_400 * 40, "last month"),
    ],
)
@in_one_window
async def test_a_relative_time_is_in_words(window: Window, after_s: float, words: str) -> None:
    assert await window.run(MOMENT, 1_000_000 + after_s, "R", "en-US", 1_000_000) == words


@in_one_window
async def test_a_time_is_in_the_language_of_the_reader(window: Window) -> None:
    assert await window.run(MOMENT, 0, "D", "de", 0) == "1. Januar 1970"
    assert await window.run(MOMENT, 60, "R", "fr", 0) == "dans 1 minute"
    assert await window.run(MOMENT, 0, "D", "tlh", 0) == "January 1, 1970"


@in_one_window
async def test_the_page_asks_nobody_but_the_sandbox(window: Window) -> None:
    loaded = "return performance.getEntriesByType('resource').map((each) => each.name)"
    assert {
        name for name in await window.run(loaded) if not name.startswith(window.address)
    } == set()
    assert await window.complaints() == []


def test_no_module_turns_text_into_markup_or_code() -> None:
    banned = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc"
    found = {
        module.name: re.findall(banned, module.read_text("utf-8")) for module in PAGE.glob("*.js")
    }
    assert {name: words for name, words in found.items() if words} == {}
