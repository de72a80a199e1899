"""discord.py asks on the sandbox: modals and menus."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from discord import ui

from tests.bot.connection import connected
from tests.bot.sandbox.tiny import Interaction, TinyBot, data
from tests.bot.stand_in import Sandbox


class Form(ui.Modal, title="A form"):
    """Every kind of field that Parlour may use."""

    heard: dict[str, object]
    name = ui.Label[Any](
        text="Name", component=ui.TextInput(custom_id="name", min_length=2, max_length=5)
    )
    why = ui.Label[Any](text="Why", component=ui.TextInput(custom_id="why", required=False))

    async def on_submit(self, interaction: Interaction) -> None:
        name, why = self.name.component, self.why.component
        assert isinstance(name, ui.TextInput)
        assert isinstance(why, ui.TextInput)
        self.heard |= {"name": name.value, "why": why.value}
        await interaction.response.send_message("Thank you", ephemeral=True)


async def test_a_modal_is_filled_in_by_custom_ids(sandbox: Sandbox) -> None:
    form = Form()
    form.heard = {}

    async def answer(interaction: Interaction) -> None:
        await interaction.response.send_modal(form)

    ann, ben, games = *map(sandbox.person, ("Ann", "Ben")), sandbox.channel("games")
    async with connected(TinyBot(command=answer), sandbox):
        opened = await (await ann.type(games, "go")).answered()
        assert opened.modal is not None
        assert opened.modal.title == "A form"
        for wrong in ({"name": "x"}, {"name": "xxxxxx"}, {"name": "Ann", "colour": "red"}, {}):
            with pytest.raises(ValueError, match=r"must have|no field"):
                await ann.fill(opened, wrong)
        sent = await ann.fill(opened, name="Ann")
        assert (await sent.answered()).message.text == "Thank you"

    assert form.heard == {"name": "Ann", "why": ""}
    with pytest.raises(ValueError, match="Ben has no modal open"):
        await ben.fill(opened, name="Ben")


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


def entities() -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    kinds = [discord.ChannelType.text]
    for menu in (
        ui.UserSelect[Any](custom_id="who", max_values=2, min_values=0),
        ui.ChannelSelect[Any](custom_id="where", channel_types=kinds, placeholder="Where"),
    ):
        view.add_item(ui.ActionRow(menu))
    return view


async def test_people_and_channels_are_picked_from_and_described_to_the_bot(
    sandbox: Sandbox,
) -> None:
    async def answer(interaction: Interaction) -> None:
        await interaction.response.send_message(view=entities())

    async def press(interaction: Interaction) -> None:
        await interaction.response.defer()

    ann, robot, games = *map(sandbox.person, ("Ann", "Robot")), sandbox.channel("games")
    bot = TinyBot(command=answer, press=press)
    async with connected(bot, sandbox):
        board = (await (await ann.type(games, "go")).answered()).message
        people = [str(robot.id), str(ann.id)]
        await (await ann.pick(board, *people, custom_id="who")).answered()
        await (await ann.pick(board, custom_id="who")).answered()
        await (await ann.pick(board, str(games.id), placeholder="Where")).answered()
        thread = str(sandbox.channel("games-thread").id)
        for wrong, menu, sentence in (
            (("1",), "who", "'1' is no person or bot"),
            ((str(ann.id),) * 2, "who", "Nothing can be picked twice"),
            ((), "where", "One picks between 1 and 1 values here, not 0"),
            ((thread,), "where", "#games-thread is no channel of a kind"),
            ((str(ann.dm.id),), "where", "is no channel of this server"),
        ):
            with pytest.raises(ValueError, match=sentence):
                await ann.pick(board, *wrong, custom_id=menu)

    who, nobody, where = [data(each) for each in bot.heard[1:]]
    assert (who["component_type"], who["values"]) == (5, people)
    assert who["resolved"]["users"][people[0]]["bot"]
    assert set(who["resolved"]["members"]) == set(people)
    assert (nobody["values"], "resolved" in nobody) == ([], False)
    assert (where["component_type"], where["values"]) == (8, [str(games.id)])
    assert where["resolved"]["channels"][str(games.id)]["name"] == "games"
