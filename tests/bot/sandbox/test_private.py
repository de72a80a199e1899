"""discord.py shows to one person alone what that person can use: ephemeral buttons and menus."""

from __future__ import annotations

import discord
import pytest
from discord import ui

from bot.sandbox import Answer, Message
from tests.bot.connection import connected
from tests.bot.sandbox.exhibits import Panel
from tests.bot.sandbox.page_requests import ask
from tests.bot.sandbox.raw import raw
from tests.bot.sandbox.tiny import Interaction, TinyBot, buttons
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import Event, Observed


async def show(interaction: Interaction) -> None:
    await interaction.response.send_message(view=Panel(), ephemeral=True)


async def opened(sandbox: Sandbox) -> Message:
    """The panel that Ann has opened."""
    typed = await sandbox.person("Ann").type(sandbox.channel("games"), "go")
    return (await typed.answered()).message


async def test_a_menu_for_one_person_changes_its_own_message(sandbox: Sandbox) -> None:
    ann, bot = sandbox.person("Ann"), TinyBot(command=show)
    async with connected(bot, sandbox):
        panel = await opened(sandbox)
        picked = await (await ann.pick(panel, "Stars")).answered()

    assert (picked.response, picked.message) == (Answer.UPDATE, panel)
    assert panel.ephemeral
    assert panel.text == "Stars is chosen"
    heard = bot.heard[-1].message
    assert heard is not None
    assert heard.flags.ephemeral
    assert heard.id == panel.id


async def test_a_deferred_press_changes_it_later(sandbox: Sandbox) -> None:
    ann = sandbox.person("Ann")
    async with connected(TinyBot(command=show), sandbox):
        panel = await opened(sandbox)
        pressed = await (await ann.press(panel, "Later")).answered()
        await sandbox.until(lambda: panel.edits)

    assert pressed.response is Answer.LATER_UPDATE
    assert (panel.text, panel.ephemeral) == ("Later is chosen", True)


async def test_what_follows_is_for_one_or_for_all(sandbox: Sandbox) -> None:
    ann, ben, games = *map(sandbox.person, ("Ann", "Ben")), sandbox.channel("games")
    async with connected(TinyBot(command=show), sandbox):
        panel = await opened(sandbox)
        pressed = await ann.press(panel, "Tell")
        await sandbox.until(lambda: len(pressed.followups) == 2)

    assert [each.text for each in ann.sees(games)] == ["Tell is chosen", "For you", "For all"]
    assert [each.text for each in ben.sees(games)] == ["For all"]


async def test_a_panel_is_closed_by_its_own_button(sandbox: Sandbox) -> None:
    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    async with connected(TinyBot(command=show), sandbox):
        panel = await opened(sandbox)
        await ann.press(panel, "Close")
        await sandbox.until(lambda: panel.deleted)
        with pytest.raises(ValueError, match="Ann does not see that message"):
            await ann.press(panel, "Close")

    assert ann.sees(games) == []


async def test_nobody_else_can_use_it_by_whatever_way(sandbox: Sandbox) -> None:
    ben, bot = sandbox.person("Ben"), TinyBot(command=show)
    async with connected(bot, sandbox), raw(sandbox) as api:
        panel = await opened(sandbox)
        with pytest.raises(ValueError, match="Ben does not see that message"):
            await ben.press(panel, "Later")
        with pytest.raises(ValueError, match="Ben does not see that message"):
            await ben.pick(panel, "Stars")
        address = {"channel_id": str(panel.channel.id), "message_id": str(panel.id)}
        request = {"type": "component", "custom_id": "panel:later", "as": str(ben.id)}
        answer = await ask(api, "/sandbox/act", request | address)

    assert (answer.status, answer.body["error"]) == (400, "Ben does not see that message.")
    assert len(bot.heard) == 1


async def test_a_dismissed_panel_is_gone_for_its_reader_and_not_for_the_bot(
    sandbox: Sandbox,
) -> None:
    ann, games, bot = sandbox.person("Ann"), sandbox.channel("games"), TinyBot(command=show)
    async with connected(bot, sandbox):
        panel = await opened(sandbox)
        ann.dismiss(panel)
        edited = await bot.heard[0].edit_original_response(view=Panel("Stars"))

    assert edited.id == panel.id
    assert panel.text == "Stars is chosen"
    assert ann.sees(games) == []


async def test_no_other_event_tells_of_it(sandbox: Sandbox) -> None:
    seen: list[Observed] = []
    sandbox.observe(seen.append)
    intents = discord.Intents(guilds=True, guild_messages=True)
    async with connected(TinyBot(command=show, intents=intents), sandbox):
        panel = await opened(sandbox)
        pressed = await sandbox.person("Ann").press(panel, "Tell")
        await sandbox.until(lambda: len(pressed.followups) == 2)

    told = [each for each in seen if isinstance(each, Event) and each.name.startswith("MESSAGE")]
    assert [each.name for each in told] == ["MESSAGE_CREATE"]
    assert told[0].data["id"] == str(pressed.followups[1].id)


async def test_a_press_on_what_is_for_one_may_be_thought_over_for_one_or_for_all(
    sandbox: Sandbox,
) -> None:
    async def answer(interaction: Interaction) -> None:
        await interaction.response.send_message(view=buttons("Mine", "Ours"), ephemeral=True)

    async def press(interaction: Interaction) -> None:
        mine = interaction.data == {"custom_id": "mine", "component_type": 2, "id": 4}
        await interaction.response.defer(thinking=True, ephemeral=mine)
        # The first answer decides who sees it, whatever the message asks for.
        await interaction.followup.send("Thought", ephemeral=not mine)

    ann = sandbox.person("Ann")
    async with connected(TinyBot(command=answer, press=press), sandbox):
        note = await opened(sandbox)
        mine, ours = [await (await ann.press(note, label)).answered() for label in ("Mine", "Ours")]
        await sandbox.until(lambda: not (mine.message.thinking or ours.message.thinking))

    assert (mine.message.text, mine.message.ephemeral) == ("Thought", True)
    assert (ours.message.text, ours.message.ephemeral) == ("Thought", False)
    assert mine.message.payload()["flags"] == 64


async def test_a_form_is_opened_from_what_is_for_one_and_changes_it(sandbox: Sandbox) -> None:
    class Name(ui.Modal, title="Name"):
        name: ui.Label[Name] = ui.Label(text="Name", component=ui.TextInput(custom_id="name"))

        async def on_submit(self, interaction: Interaction) -> None:
            assert isinstance(self.name.component, ui.TextInput)
            text = self.name.component.value
            await interaction.response.edit_message(view=buttons("Again", text=text))

    async def answer(interaction: Interaction) -> None:
        await interaction.response.send_message(view=buttons("Name"), ephemeral=True)

    async def press(interaction: Interaction) -> None:
        await interaction.response.send_modal(Name())

    ann = sandbox.person("Ann")
    async with connected(TinyBot(command=answer, press=press), sandbox):
        note = await opened(sandbox)
        form = await (await ann.press(note, "Name")).answered()
        await (await ann.fill(form, name="Table two")).answered()

    assert (note.text, note.ephemeral) == ("Table two", True)
