"""discord.py offers menus on the sandbox."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from discord import ui

from bot.sandbox import Sandbox
from tests.bot.connection import connected
from tests.bot.sandbox.tiny import Interaction, TinyBot, data


def menus() -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    options = [discord.SelectOption(label=x.upper(), value=x) for x in ("classic", "quick")]
    for menu in (
        ui.Select[Any](custom_id="rules", options=options, max_values=2, placeholder="Rules"),
        ui.Select[Any](custom_id="closed", options=options, disabled=True),
    ):
        view.add_item(ui.ActionRow(menu))
    return view


async def test_menus_are_picked_from(sandbox: Sandbox) -> None:
    async def answer(interaction: Interaction) -> None:
        await interaction.response.send_message(view=menus())

    async def press(interaction: Interaction) -> None:
        await interaction.response.defer()

    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    bot = TinyBot(command=answer, press=press)
    async with connected(bot, sandbox):
        board = (await (await ann.type(games, "go")).answered()).message
        await (await ann.pick(board, "quick", "classic", custom_id="rules")).answered()
        await (await ann.pick(board, "QUICK", placeholder="Rules")).answered()
        for wrong, menu, sentence in (
            ((), "rules", "One picks between 1 and 2 values here, not 0"),
            (("x",), "rules", "'x' is not among 'classic', 'quick'"),
            (("quick", "QUICK"), "rules", "Nothing can be picked twice"),
            (("quick",), "closed", "The menu 'closed' is disabled"),
        ):
            with pytest.raises(ValueError, match=sentence):
                await ann.pick(board, *wrong, custom_id=menu)
        with pytest.raises(ValueError, match=r"2 menus are 'the only one'; .* 'Rules', 'closed'"):
            await ann.pick(board, "quick")

    heard = [data(each) for each in bot.heard[1:]]
    assert [each["values"] for each in heard] == [["classic", "quick"], ["quick"]]
    assert [each["component_type"] for each in heard] == [3, 3]
