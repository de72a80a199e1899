"""Parlour's own emoji: which boards are drawn with them, and what is done without."""

from __future__ import annotations

import asyncio

import pytest

from bot.games.catalogue import CATALOGUE
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
