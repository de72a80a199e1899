"""The sandbox's page, used as a person uses it: a real browser, and a bot on real discord.py."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from selenium.webdriver.common.keys import Keys

from tests.bot.conftest import Opening
from tests.bot.connection import connected
from tests.bot.english import piece, says
from tests.bot.sandbox.showcase import Showcase
from tests.bot.sandbox.stage import LAST, Stage

AT_END: Final = """
    const {scrollHeight, scrollTop, clientHeight} = document.querySelector('#scroller');
    return scrollHeight - scrollTop - clientHeight < 2;
"""


async def test_a_command_is_found_by_its_first_letters_and_filled_in(stage: Stage) -> None:
    window = stage.window
    await window.type("#line", "/")
    await window.sees("#commands [role=option]", "/settings limit")
    await window.type("#line", "boa", Keys.ENTER)
    await window.type("#option-size", "4", Keys.ENTER)
    await window.sees(LAST, says("page.used", person="Ann", command="/board"))
    assert (
        await window.run("return document.querySelectorAll('[data-custom-id^=cell]').length") == 16
    )


async def test_the_list_is_walked_with_the_arrows_and_closed_with_escape(stage: Stage) -> None:
    window = stage.window
    await window.type("#line", "/settings", Keys.ARROW_DOWN)
    await window.sees("#commands [aria-selected=true]", "/settings limit")
    await window.type("#line", Keys.ARROW_DOWN)
    await window.sees("#commands [aria-selected=true]", "/settings show")
    await window.type("#line", Keys.ESCAPE)
    await window.misses("#commands")
    await window.type("#line", Keys.ESCAPE)
    await window.until("return document.querySelector('#line').value === ''")


async def test_a_whole_command_is_typed_as_text(stage: Stage) -> None:
    await stage.window.type("#line", "/say text:well met to:ben", Keys.ENTER)
    await stage.window.sees(LAST, "@Ben well met")
    assert "Ben" in stage.last.pinged


async def test_what_is_typed_and_what_is_in_the_fields_is_the_same(stage: Stage) -> None:
    window = stage.window
    await window.type("#line", "/say text:hello to:Cleo ")
    await window.until("return document.querySelector('#option-to').value === '@Cleo'")
    await window.type("#option-text", " world")
    assert await window.run("return document.querySelector('#line').value") == (
        "/say text:hello world to:Cleo "
    )


async def test_a_command_bears_its_name_in_the_language_of_the_person(stage: Stage) -> None:
    stage.sandbox.person("Ben").locale = "de"
    await stage.window.become("Ben")
    await stage.window.type("#line", "/sag")
    await stage.window.sees("#commands [role=option]", "Etwas sagen")
    await stage.window.type("#line", "en worte:hallo", Keys.ENTER)
    await stage.window.sees(LAST, "hallo")
    await stage.window.sees(f"{LAST} .occasion", "Ben hat /sagen benutzt")


async def test_a_missing_option_is_asked_for_in_a_sentence(stage: Stage) -> None:
    await stage.window.type("#line", "/say to:Ben", Keys.ENTER)
    await stage.window.sees("#problem", says("page.refused.required", option="text"))


async def test_a_refusal_of_the_server_is_shown_in_a_sentence(stage: Stage) -> None:
    await stage.window.enter("#line", "/settings limit count:99")
    await stage.window.sees("#problem", "20")
    assert await stage.window.run("return document.querySelector('#line').value") != ""


async def test_a_press_changes_the_message_in_place_and_takes_the_cell(stage: Stage) -> None:
    window = stage.window
    await stage.send("/board")
    await window.sees(LAST, "Taken: 0")
    await window.run(f"document.querySelector({LAST!r}).kept = true")
    await window.click("[data-custom-id$=':4']")
    await window.sees(LAST, "Taken: 1")
    await window.sees("[data-custom-id='cell:1:4'][aria-disabled=true]", "❌")
    assert await window.run(f"return document.querySelector({LAST!r}).kept")
    opacity = "return getComputedStyle(document.querySelector(arguments[0])).opacity"
    assert await window.run(opacity, ".button[aria-disabled=true]") == "0.5"
    await window.click("[data-custom-id='cell:1:4']")
    await window.click("[data-custom-id='cell:1:5']")
    await window.sees(LAST, "Taken: 2")
    assert stage.last.edits == 2


async def test_a_board_is_played_from_the_keyboard_and_the_focus_stays_near(stage: Stage) -> None:
    window = stage.window
    focused = "return document.activeElement.dataset.customId"
    await stage.send("/board")
    await window.sees("[data-custom-id='cell:0:4']")
    await window.run("document.querySelector('[data-custom-id=\"cell:0:4\"]').focus()")
    await window.key(Keys.ENTER)
    await window.until(f"{focused} === 'cell:1:4'")
    await window.key(Keys.ARROW_RIGHT)
    assert await window.run(focused) == "cell:1:5"
    await window.key(Keys.ARROW_DOWN)
    await window.key(Keys.SPACE)
    await window.until(f"{focused} === 'cell:2:8'")
    await window.run("document.querySelector('[data-custom-id=close]').focus()")
    await window.key(Keys.ENTER)
    await window.sees(LAST, "The board is closed.")
    assert await window.run("return document.activeElement.matches('.message')")


async def test_a_modal_is_left_with_escape_or_filled_in_and_sent(stage: Stage) -> None:
    window = stage.window
    await stage.send("/survey")
    await window.sees("dialog", "A few questions")
    await window.key(Keys.ESCAPE)
    await window.misses("dialog")
    await stage.send("/survey")
    await window.sees("dialog", "A few questions")
    await window.type("dialog [data-custom-id=name]", "Ann")
    await window.type("dialog textarea", "fun")
    await window.click("dialog button", says("page.submit"))
    await window.sees(LAST, "Ann plays for fun")
    await window.misses("dialog")


async def test_a_press_is_seen_at_once_in_another_tab(stage: Stage) -> None:
    bens = await stage.window.beside(person="Ben")
    await stage.send("/board")
    await bens.sees(LAST, says("page.used", person="Ann", command="/board"))
    await bens.click("[data-custom-id$=':0']")
    await stage.window.sees(LAST, "Taken: 1")
    await stage.window.sees("[data-custom-id='cell:1:0']", "❌")


async def test_a_reload_keeps_person_and_channel(stage: Stage) -> None:
    window = stage.window
    await window.click("[data-person=Cleo]")
    await window.sees("[data-person=Cleo][aria-pressed=true]")
    await window.click("[data-channel-id]", "lounge")
    await window.sees("#place", "lounge")
    await window.reload()
    await window.sees("[data-person=Cleo][aria-pressed=true]")
    await window.sees("#place", "lounge")


async def test_everybody_has_direct_messages_of_their_own(stage: Stage) -> None:
    window = stage.window
    await window.open(channel="dm")
    await stage.send("/say text:for Ann")
    await window.sees(LAST, "for Ann")
    await window.become("Ben", "dm")
    await window.misses("#history", "for Ann")


async def test_a_ping_is_counted_until_it_is_read(stage: Stage) -> None:
    window = stage.window
    bens = await window.beside(person="Ben", channel="lounge")
    await stage.send("/say text:your turn to:Ben")
    await stage.send("/say text:no ping")
    await bens.sees(".channel.unread .pings", "1")
    assert await bens.run("return document.title.startsWith('(1) ')")
    await bens.click("[data-channel-id]", "games")
    await bens.misses(".pings")
    await bens.sees(".message.ping .mention.mine", "@Ben")
    await window.misses(".message.ping")


async def test_a_press_without_an_answer_has_failed(stage: Stage) -> None:
    window = stage.window
    await stage.send("/board")
    await window.click("[data-custom-id=mute]")
    await window.sees("[data-custom-id=mute][aria-busy=true]")
    stage.clock.advance(3.1)
    await window.sees(LAST, says("page.failed"))
    await window.click("[data-custom-id$=':4']")
    await window.sees(LAST, "Taken: 1")
    await window.misses(LAST, says("page.failed"))


async def test_a_command_without_an_answer_has_failed(stage: Stage) -> None:
    window = stage.window
    await stage.send("/silent")
    await window.sees(".command-state", says("page.sending.command", command="/silent"))
    stage.clock.advance(3.1)
    await window.sees(".command-state", piece("page.command.failed"))
    await window.click(".command-state button", says("page.dismiss"))
    await window.misses(".command-state")


async def test_a_slow_command_is_being_thought_about(stage: Stage) -> None:
    await stage.send("/slow")
    await stage.window.sees(LAST, piece("page.command.thinking"))
    stage.bot.answer_slow.set()
    await stage.window.sees(".message", "Here it is")
    await stage.window.sees(LAST, says("page.in_reply", author="Parlour", said="Here it is"))
    await stage.window.misses("#history", piece("page.command.thinking"))


async def test_the_page_says_what_is_gone_and_finds_a_restarted_sandbox_without_a_reload(
    stage: Stage, open_sandbox: Opening
) -> None:
    window = stage.window
    await stage.send("/say text:before")
    await window.sees(LAST, "before")
    await window.misses("#banner")
    await stage.bot.close()
    await window.sees("#banner", piece("page.offline"))
    port = int(stage.sandbox.url.rpartition(":")[2])
    await stage.sandbox.close()
    await window.sees("#banner", says("page.unreachable"))
    again = await open_sandbox(port=port, clock=stage.clock)
    async with connected(Showcase(), again):
        await window.misses("#banner")
        await window.misses("#history", "before")
        await stage.send("/say text:after")
        await window.sees(LAST, "after")
        assert await window.run("return document.querySelectorAll('.message').length") == 1


async def test_nothing_that_players_write_becomes_markup(stage: Stage) -> None:
    window = stage.window
    await stage.send("/say text:<img src=x onerror=document.title=1><b>no</b>")
    await stage.send('/say text:[press](javascript:alert(1)) **[x](https://a.b/"onclick="1)**')
    await window.sees(LAST, "[press](javascript:alert(1))")
    inside = "#history .text :is(img, b, script, [onclick], [onerror], a[href^=javascript])"
    assert await window.run(f"return document.querySelectorAll({inside!r}).length") == 0
    assert [entry for entry in await window.complaints() if "favicon" not in entry] == []


async def test_only_a_reader_at_the_end_is_moved_by_a_new_message(stage: Stage) -> None:
    window = stage.window
    ann, games = stage.sandbox.person("Ann"), stage.sandbox.channel("games")
    for _ in range(3):
        await stage.send("/board size:5")
    await window.until("return document.querySelectorAll('.message').length === 3")
    await window.until(AT_END)
    await window.run("document.querySelector('#scroller').scrollTop = 100")
    await window.sees("#latest")
    await ann.type(games, "say", text="news")
    await window.sees("#history", "news")
    assert await window.run("return document.querySelector('#scroller').scrollTop") == 100
    await window.click("#latest")
    await window.until(AT_END)
    await window.misses("#latest")


async def test_a_reader_at_the_end_stays_there_when_a_picture_is_loaded_late(stage: Stage) -> None:
    """The page hears of its own scrolling after the picture has grown, and before it is drawn."""
    window = stage.window
    for _ in range(2):
        await stage.send("/board size:5")
    await window.until("return document.querySelectorAll('.message').length === 2")
    await window.until(AT_END)
    await window.run("""
        const picture = document.createElement("div");
        picture.style.height = "300px";
        document.querySelector(".message:last-of-type").append(picture);
        document.querySelector("#scroller").dispatchEvent(new Event("scroll"));
    """)
    await window.until(AT_END)
    await window.misses("#latest")
    await window.run("document.querySelector('#scroller').scrollTop -= 60")
    await window.sees("#latest")


async def test_a_long_history_is_shown_in_parts(stage: Stage) -> None:
    window = stage.window
    count = "return document.querySelectorAll('.message').length"
    ann, lounge = stage.sandbox.person("Ann"), stage.sandbox.channel("lounge")
    for number in range(150):
        await ann.say(lounge, f"number {number}")
    await window.click("[data-channel-id]", "lounge")
    await window.sees(LAST, "number 149")
    assert await window.run(count) == 100
    await window.run("document.querySelector('#scroller').scrollTop = 0")
    await window.click("#earlier")
    await window.misses("#earlier")
    assert await window.run(count) == 150
    assert await window.run("return document.querySelector('#scroller').scrollTop") > 0
    first = await window.run("return document.querySelector('.message .text').textContent")
    assert first == "number 0"


async def test_a_spoiler_is_read_when_pressed_and_stays_open(stage: Stage) -> None:
    window = stage.window
    await stage.send("/say text:||the end||")
    await window.click(".spoiler")
    await window.sees(".spoiler[data-revealed]", "the end")


async def test_a_phone_shows_everything_without_scrolling_sideways(
    stage: Stage, tmp_path: Path
) -> None:
    window = stage.window
    await window.resize(360, 800)
    await stage.send("/stats")
    await stage.send("/menu")
    await stage.send("/emoji width:12 height:3")
    await stage.send("/board size:5")
    await window.sees(LAST, "Taken: 0")
    rows = """
        const tops = [...document.querySelectorAll(arguments[0])].map(
            (each) => Math.round(each.getBoundingClientRect().top));
        return new Set(tops).size;
    """
    high = (
        "[...document.querySelectorAll('[data-custom-id^=cell]')].map((each) => each.offsetHeight)"
    )
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        await window.prefer(scheme)
        assert not await stage.scrolls_sideways()
        assert await window.run(rows, ".emoji.drawn:not(.button *, .select *)") == 3
        assert await window.run(rows, "[data-custom-id^=cell]") == 5
        assert min(await window.run(f"return {high}")) >= 32
        await window.screenshot(tmp_path / f"phone-{scheme}.png")


async def test_the_menu_of_a_phone_leads_to_channels_and_people(stage: Stage) -> None:
    window = stage.window
    await window.resize(360, 800)
    await window.misses("#sidebar")
    await window.click("#menu")
    await window.click("[data-channel-id]", "lounge")
    await window.sees("#place", "lounge")
    await window.misses("#sidebar")
    await window.click("#menu")
    await window.key(Keys.ESCAPE)
    await window.misses("#sidebar")


async def test_a_command_for_managers_is_offered_to_those_who_may_manage(stage: Stage) -> None:
    window = stage.window
    managing = "[data-act=manage]"
    await window.sees(f"{managing}[aria-checked=true][aria-disabled]", says("page.setting.manages"))
    await window.become("Ben")
    await window.type("#line", "/se")
    await window.misses("#commands [role=option]", "/settings show")
    await window.click(f"{managing}[aria-checked=false]")
    await window.sees(f"{managing}[aria-checked=true]")
    await window.sees("#commands [role=option]", "/settings show")
    await window.type("#line", "ttings show", Keys.ENTER)
    await window.sees(LAST, "The settings")
    await window.click(f"{managing}[aria-checked=true]")
    await window.sees(f"{managing}[aria-checked=false]")
    await window.enter("#line", "/settings show")
    await window.sees("#problem", piece("page.refused.no_command"))
