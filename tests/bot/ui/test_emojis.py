"""Parlour's own emoji: which boards are drawn with them, and what is done without."""

from __future__ import annotations

import asyncio

import pytest

from bot.games.catalogue import CATALOGUE
from bot.locales import ENGLISH, shipped
from bot.message.blocks import Control, Grid, Row, Screen
from bot.message.text import Sprite
from bot.ui.render import Drawing
from bot.ui.words import Words
from tests.bot.stand_in import Sandbox
from tests.bot.ui.conftest import Open
from tests.bot.ui.ludo import opened

SPRITES = {name: CATALOGUE["ludo"].sprites[name] for name in ("red_3_yard", "red_4_yard")}
EMOJIS = "/applications/*/emojis"


async def test_no_board_is_mended_at_the_start_before_the_emoji_are_known(
    open_bot: Open, sandbox: Sandbox
) -> None:
    async with open_bot(sprites=SPRITES) as running_bot:
        await running_bot.client.own_emojis.complete.wait()
        ann, *_ = running_bot.people
        board = await opened(sandbox, ann, computers=1)
    before = board.edits
    gate = sandbox.hold_next("GET", EMOJIS)

    async def mended() -> str:
        async with open_bot(sprites=SPRITES, new_sandbox=True):
            await sandbox.until(lambda: board.edits > before)
            return board.text

    text = asyncio.create_task(mended())
    await gate.reached()
    with pytest.raises(TimeoutError):
        await sandbox.until(lambda: board.edits > before, within=0.5)
    gate.open()
    assert "<:red_4_yard:" in await text


async def test_the_bot_opens_without_its_emoji_if_discord_does_not_tell_them(
    open_bot: Open, sandbox: Sandbox
) -> None:
    sandbox.fail_next("GET", EMOJIS, 403, 50001, "Missing Access")
    async with open_bot(sprites=SPRITES) as running_bot:
        ann, *_ = running_bot.people
        assert "🔴" in (await opened(running_bot.sandbox, ann, computers=1)).text


def test_a_message_has_all_of_its_emoji_of_the_bots_own_or_none_of_them() -> None:
    red, blue = Sprite("red_token", "🔴"), Sprite("blue_token", "🔵")
    screen = Screen((Grid(((red, blue),)), Row((Control("a", emoji=red),))))
    ids: dict[str, int] = {"red_token": 71}
    words = Words(shipped()[ENGLISH], emojis=ids, uploading=frozenset(("red_token", "blue_token")))
    view = Drawing(screen, str, words)
    assert "71" not in str(view.to_components()), "the other one is still to be uploaded"
    ids["blue_token"] = 72
    drawn = str(view.to_components())
    assert "<:red_token:71><:blue_token:72>" in drawn
    assert "'id': '71'" in drawn
