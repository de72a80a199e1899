"""The panels of `/me` and `/settings` as they are used on the sandbox's page, on a phone."""

from __future__ import annotations

from pathlib import Path

from selenium.webdriver import Chrome
from selenium.webdriver.common.keys import Keys

from bot.screens.me import OwnSetting
from bot.screens.settings import GuildSetting
from bot.ui.custom_ids import page_id
from tests.bot.english import says
from tests.bot.ui.conftest import RunningBot
from tests.browser import Window

LINES = "dialog [role=option]"


def menu(setting: OwnSetting | GuildSetting) -> str:
    return f"[data-custom-id='{page_id(setting)}']"


async def test_people_and_channels_are_chosen_and_what_is_chosen_is_seen(
    running_bot: RunningBot, browser: Chrome, tmp_path: Path
) -> None:
    window = Window(browser, running_bot.sandbox.url)
    await window.resize(360, 740)
    await window.open(person="Ann")
    for command, setting, nothing, line in (
        ("/me", OwnSetting.BLOCKED, says("me.blocking.nobody"), "Ben"),
        ("/settings", GuildSetting.CHANNELS, says("settings.where.all"), "#lounge"),
    ):
        await window.enter("#line", command)
        await window.sees(f"{menu(setting)}.empty", nothing)
        await window.click(menu(setting))
        await window.click(LINES, line)
        await window.click("dialog button", says("page.done"))
        await window.sees(f"{menu(setting)}:not(.empty)", line)
        await window.screenshot(tmp_path / f"{command[1:]}.png")
    await window.click(menu(GuildSetting.CHANNELS))
    kinds = f"return [...document.querySelectorAll({LINES!r})].map((each) => each.innerText)"
    assert "#games-thread" not in await window.run(kinds), "threads go with their channels"
    await window.key(Keys.ESCAPE)
    assert await window.complaints() == []
    await window.close()
