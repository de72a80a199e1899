"""Many tabs of one browser, going back and forth, and the sandbox's own settings."""

from __future__ import annotations

import time

from selenium.webdriver.common.keys import Keys

from tests.bot.english import says
from tests.bot.sandbox.stage import LAST, Stage
from tests.browser import Window

TABS, SOME = 20, 6
PEOPLE = ("Ann", "Ben", "Cleo", "Dan")


async def test_twenty_tabs_load_and_a_press_in_each_is_answered(
    stage: Stage, exhaustive: bool
) -> None:
    """In an ordinary run six and the first: a browser opens six connections to an address."""
    count = TABS if exhaustive else SOME
    await stage.send("/board size:5")
    tabs: list[Window] = []
    seconds: list[float] = []
    for number in range(count):
        begun = time.perf_counter()
        tabs.append(await stage.window.beside(person=PEOPLE[number % len(PEOPLE)]))
        seconds.append(time.perf_counter() - begun)
    for number, tab in enumerate(tabs):
        await tab.click(f"[data-custom-id='cell:{number}:{number}']")
        await tab.sees(LAST, f"Taken: {number + 1}")
    await stage.window.sees(LAST, f"Taken: {count}")
    slowest, mean = max(seconds), sum(seconds) / count
    print(f"{count} tabs: {slowest:.2f} s at most, {mean:.2f} s on average")  # noqa: T201 - measured, not asserted

    assert stage.last.edits == count


async def test_who_goes_away_and_back_sees_what_has_happened_and_plays_on(stage: Stage) -> None:
    window, ben = stage.window, stage.sandbox.person("Ben")
    await stage.send("/board")
    for turn in range(3):
        await window.leave()
        free = next(button for button in stage.last.buttons if not button.disabled)
        await (await ben.press(stage.last, custom_id=free.custom_id)).answered()
        await window.back()
        await window.sees(LAST, f"Taken: {turn + 1}")
    await window.click("[data-custom-id^='cell:3']:not([aria-disabled])")
    await window.sees(LAST, "Taken: 4")


async def test_a_page_kept_for_the_back_button_holds_no_connection(stage: Stage) -> None:
    window, ann = stage.window, stage.sandbox.person("Ann")
    event = "dispatchEvent(new PageTransitionEvent('%s', {persisted: true}))"
    assert stage.sandbox.pages == 1
    await window.run(event % "pagehide")
    await stage.sandbox.until(lambda: stage.sandbox.pages == 0)
    await ann.say(stage.sandbox.channel("games"), "Meanwhile")
    await window.run(event % "pageshow")
    await window.sees(LAST, "Meanwhile")
    await window.misses("#banner")
    assert stage.sandbox.pages == 1


async def test_an_empty_channel_says_what_to_press(stage: Stage) -> None:
    window = stage.window
    await window.resize(360, 740)
    await window.sees(".welcome", says("page.welcome.begin"))
    assert "A board of cells to press" in await window.run(
        "return document.querySelector('.welcome').innerText"
    )
    await window.click(".offer", "/board")
    await window.until("return document.querySelector('#line').value === '/board '")
    await window.key(Keys.ENTER)
    await window.sees(LAST, "Taken: 0")
    await window.misses(".welcome")


async def test_the_clock_is_moved_on_by_a_press(stage: Stage) -> None:
    window = stage.window
    now = int(stage.clock.now())
    await stage.send(f"/say text:until <t:{now + 5 * 3600}:R>")
    await window.sees("time[data-style=R]", "in 5 hours")
    await window.click("[data-act=advance]", "+1h")
    await window.sees("time[data-style=R]", "in 4 hours")
    assert stage.clock.now() >= now + 3600


async def test_people_chat_close_direct_messages_and_remove_all_by_a_press(stage: Stage) -> None:
    window = stage.window
    ann = stage.sandbox.person("Ann")
    await stage.send("Hello")
    await window.sees(LAST, "Hello")
    assert stage.last.author.name == "Ann"
    await window.click("[data-act='direct-messages'][aria-checked=true]")
    await window.sees("[data-act='direct-messages'][aria-checked=false]")
    assert not ann.account.takes_direct_messages
    await window.click("[data-act=reset]")
    await window.misses(".message")
    await window.sees("[data-act='direct-messages'][aria-checked=true]")
    await window.sees(".welcome")


async def test_a_thread_goes_with_all_messages_and_who_is_there_sees_the_first_channel(
    stage: Stage,
) -> None:
    window, ann = stage.window, stage.sandbox.person("Ann")
    await stage.send("Hello")
    thread = stage.sandbox.world.open_thread(stage.last, "match")
    assert thread is not None
    await window.click(".channel", "match")
    await stage.send("/board")
    await window.sees(LAST, "Taken: 0")
    board = ann.sees(thread)[-1]
    await window.click("[data-act=reset]")
    await window.sees(".channel[aria-current]", "games")
    await window.misses(f"[data-channel-id='{thread.id}']")
    await window.misses(".message")
    assert board.deleted


async def test_a_message_is_deleted_by_those_who_may(stage: Stage) -> None:
    window = stage.window
    await stage.send("/board")
    bens = await window.beside(person="Ben")
    await bens.sees(LAST, "Taken: 0")
    assert await bens.run("return document.querySelector('[data-delete]')") is None
    board = stage.last
    await window.run("document.querySelector('[data-delete]').click()")
    await bens.misses(".message")
    assert board.deleted


async def test_a_person_has_a_menu_of_commands(stage: Stage) -> None:
    window = stage.window
    await stage.send("/say text:hello to:Ben")
    await window.click(".mention", "@Ben")
    await window.click("dialog [role=option]", "Greet")
    await window.sees(LAST, "Hello, Ben!")


async def test_a_message_link_is_a_chip_that_leads_there(stage: Stage) -> None:
    window = stage.window
    ann, lounge = stage.sandbox.person("Ann"), stage.sandbox.channel("lounge")
    said = await ann.say(lounge, "over here")
    address = f"https://discord.com/channels/{lounge.guild_id}/{lounge.id}/{said.id}"
    await stage.send(f"/say text:Look {address}")
    await window.click(".chip", "#lounge")
    await window.sees("#place", "lounge")
    focused = "return document.activeElement.dataset.messageId"
    assert await window.run(focused) == str(said.id)


async def test_a_mention_is_told_by_a_chip_and_to_a_screen_reader(stage: Stage) -> None:
    window = stage.window
    await window.become("Ben", "lounge")
    ann, ben = stage.sandbox.person("Ann"), stage.sandbox.person("Ben")
    await ann.type(stage.sandbox.channel("games"), "say", text="your turn", to=ben)
    said = "return document.querySelector('#announcer').textContent"
    told = says("page.mentions_you", name="Parlour", place="games")
    await window.until(f"{said} === {told!r}")
    await window.click("[data-channel-id]", "games")
    await window.sees(f"{LAST} .badge", says("page.mentioned"))


async def test_a_new_message_is_announced_and_a_change_of_it_is_not(stage: Stage) -> None:
    window = stage.window
    await stage.send("/board")
    said = "return document.querySelector('#announcer').textContent"
    await window.until(f"{said}.startsWith('Parlour: Board')")
    await window.run(
        "window.heard = []; new MutationObserver(() => heard.push(announcer.textContent))"
        ".observe(announcer, {childList: true});"
    )
    await window.click("[data-custom-id$=':5']")
    await window.sees(LAST, "Taken: 1")
    names = """
        const cells = [...document.querySelectorAll("[data-custom-id*='cell:']")];
        return cells.map((each) => each.ariaLabel ?? each.textContent).filter(Boolean);
    """
    assert await window.run(names) == ["❌"]
    await stage.send("Well :)")
    await window.until(f"{said} === 'Ann: Well :)'")
    assert await window.run("return window.heard") == ["Ann: Well :)"]
    live = "return [...document.querySelectorAll('[aria-live], [role=status], [role=log]')]"
    assert await window.run(f"{live}.map((each) => each.id)") == ["banner", "announcer"]
