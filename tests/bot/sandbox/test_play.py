"""discord.py plays on the sandbox: everything that Parlour uses, through unmodified discord.py."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from discord import AllowedMentions, app_commands, ui

from bot.sandbox import Answer
from tests.bot.connection import connected
from tests.bot.sandbox.tiny import Interaction, TinyBot, buttons, data
from tests.bot.stand_in import Sandbox


async def show(interaction: Interaction) -> None:
    await interaction.response.send_message(view=buttons("Up", "Down"))


async def test_a_command_is_answered_with_a_board_that_everybody_sees(sandbox: Sandbox) -> None:
    ann, ben, games = sandbox.person("Ann"), sandbox.person("Ben"), sandbox.channel("games")
    async with connected(TinyBot(command=show), sandbox):
        typed = await (await ann.type(games, "go")).answered()

    assert typed.response is Answer.MESSAGE
    assert typed.message.text == "A board"
    assert [button.label for button in typed.message.buttons] == ["Up", "Down"]
    assert ben.sees(games) == ann.sees(games) == [typed.message]


async def test_a_press_updates_the_board_and_its_note_is_for_the_presser_alone(
    sandbox: Sandbox,
) -> None:
    async def press(interaction: Interaction) -> None:
        await interaction.response.edit_message(view=buttons("Down", text="Another board"))
        await interaction.followup.send("Well done", ephemeral=True)

    ann, ben, games = sandbox.person("Ann"), sandbox.person("Ben"), sandbox.channel("games")
    async with connected(TinyBot(command=show, press=press), sandbox):
        board = (await (await ann.type(games, "go")).answered()).message
        pressed = await (await ben.press(board, "Up")).answered()
        await sandbox.until(lambda: pressed.followups)

    assert pressed.response is Answer.UPDATE
    assert pressed.message is board
    assert (board.text, board.edits) == ("Another board", 1)
    assert [message.text for message in ben.sees(games)] == ["Another board", "Well done"]
    assert [message.text for message in ann.sees(games)] == ["Another board"]


async def test_the_bot_knows_who_acts_where_and_in_which_language(sandbox: Sandbox) -> None:
    ann, ben = sandbox.person("Ann"), sandbox.person("Ben")
    ben.locale = "ar"
    thread = sandbox.channel("games-thread")
    bot = TinyBot(command=show, press=show)
    async with connected(bot, sandbox):
        board = (await (await ann.type(thread, "go")).answered()).message
        await (await ben.press(board, "Up")).answered()
        await (await ben.type(ben.dm, "go")).answered()
    typed, pressed, direct = bot.heard

    assert (typed.user.id, typed.user.display_name) == (ann.id, "Ann")
    assert typed.permissions.manage_guild
    assert not pressed.permissions.manage_guild
    assert pressed.message is not None
    assert pressed.message.id == board.id
    assert (pressed.locale.value, typed.guild_locale) == ("ar", discord.Locale.american_english)
    assert isinstance(typed.channel, discord.Thread)
    assert isinstance(direct.channel, discord.DMChannel)
    assert (direct.guild_id, direct.user.id) == (None, ben.id)
    assert typed.filesize_limit == 10 * 1024 * 1024


async def test_options_arrive_as_what_they_name(sandbox: Sandbox) -> None:
    heard: list[object] = []

    @app_commands.command(description="Play.")
    @app_commands.choices(level=[app_commands.Choice(name="Easy", value="easy")])
    async def play(
        interaction: Interaction,
        opponent: discord.User,
        place: discord.TextChannel,
        size: app_commands.Range[int, 3, 5],
        level: str,
    ) -> None:
        heard.extend([opponent.id, opponent.bot, place.id, size, level])
        await interaction.response.send_message("So be it.")

    ann, robot, games = *map(sandbox.person, ("Ann", "Robot")), sandbox.channel("games")
    async with connected(TinyBot(commands=[play]), sandbox):
        typed = await ann.type(games, "play", opponent=robot, place=games, size=4, level="easy")
        await typed.answered()

    assert heard == [robot.id, True, games.id, 4, "easy"]


async def test_a_command_is_chosen_in_the_menu_of_a_person(sandbox: Sandbox) -> None:
    @app_commands.context_menu(name="Show stats")
    async def show_stats(interaction: Interaction, member: discord.User) -> None:
        await interaction.response.send_message(f"Of {member.display_name}", ephemeral=True)

    ann, ben, games = *map(sandbox.person, ("Ann", "Ben")), sandbox.channel("games")
    async with connected(TinyBot(commands=[show_stats]), sandbox):
        here = await (await ann.choose(games, "Show stats", ben)).answered()
        there = await (await ann.choose(ann.dm, "Show stats", ann)).answered()
        with pytest.raises(ValueError, match="There is no command 'Stats' in the menu"):
            await ann.choose(games, "Stats", ben)

    assert (here.message.text, there.message.text) == ("Of Ben", "Of Ann")


async def test_what_a_bot_thinks_over_is_filled_in_later(sandbox: Sandbox) -> None:
    async def think(interaction: Interaction) -> None:
        response = await interaction.response.defer(thinking=True)
        assert response is not None
        assert response.is_thinking()
        await interaction.edit_original_response(view=buttons("Up", text="Thought"))

    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    async with connected(TinyBot(command=think), sandbox):
        typed = await (await ann.type(games, "go")).answered()
        await sandbox.until(lambda: not typed.message.thinking)

    assert typed.response is Answer.THINKING
    assert (typed.message.text, typed.message.edits) == ("Thought", 1)


async def test_a_press_may_be_answered_late_or_by_another_message(sandbox: Sandbox) -> None:
    async def press(interaction: Interaction) -> None:
        if data(interaction)["custom_id"] == "up":
            await interaction.response.defer()
            await interaction.edit_original_response(view=buttons("Up", text="Late"))
        else:
            await interaction.response.send_message("Not you.", ephemeral=True)

    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    async with connected(TinyBot(command=show, press=press), sandbox):
        board = (await (await ann.type(games, "go")).answered()).message
        note = await (await ann.press(board, "Down")).answered()
        late = await (await ann.press(board, "Up")).answered()
        await sandbox.until(lambda: board.edits)

    assert (note.response, note.message.text) == (Answer.MESSAGE, "Not you.")
    assert (late.response, late.message) == (Answer.LATER_UPDATE, board)
    assert board.text == "Late"


async def test_a_message_is_edited_by_channel_and_id_alone(sandbox: Sandbox) -> None:
    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    async with connected(TinyBot(command=show), sandbox) as client:
        board = (await (await ann.type(games, "go")).answered()).message
        partial = client.get_partial_messageable(games.id).get_partial_message(board.id)
        await partial.edit(view=buttons("Down", text="Mended"))
        assert board.text == "Mended"
        await partial.delete()

    assert board.deleted
    assert ann.sees(games) == []


async def test_direct_messages_reach_their_person(sandbox: Sandbox) -> None:
    ann = sandbox.person("Ann")
    async with connected(TinyBot(), sandbox) as client:
        direct = await client.create_dm(discord.Object(ann.id))
        await direct.send("Psst")
        ann.close_dms()
        with pytest.raises(discord.Forbidden) as refused:
            await direct.send("Hey")

    assert refused.value.code == 50007
    assert [message.text for message in ann.sees(ann.dm)] == ["Psst"]
    assert sandbox.person("Ben").sees(ann.dm) == []


async def test_only_the_challenged_are_notified(sandbox: Sandbox) -> None:
    ann, ben, games = *map(sandbox.person, ("Ann", "Ben")), sandbox.channel("games")

    async def challenge(interaction: Interaction) -> None:
        text = f"{ann.mention} challenges {ben.mention}"
        allowed = AllowedMentions(everyone=False, roles=False, users=[discord.Object(ben.id)])
        await interaction.response.send_message(text, allowed_mentions=allowed)

    async with connected(TinyBot(command=challenge), sandbox):
        typed = await (await ann.type(games, "go")).answered()

    assert typed.message.pinged == {"Ben"}


async def test_what_discords_clients_forbid_cannot_be_pressed(sandbox: Sandbox) -> None:
    async def answer(interaction: Interaction) -> None:
        view = ui.LayoutView(timeout=None)
        row = ui.ActionRow[Any]()
        row.add_item(ui.Button(label="Off", custom_id="off", disabled=True))
        row.add_item(ui.Button(label="Source", url="https://example.org"))
        row.add_item(ui.Button(emoji="❌", custom_id="cross"))
        view.add_item(row)
        await interaction.response.send_message(view=view, ephemeral=True)

    ann, ben, games = *map(sandbox.person, ("Ann", "Ben")), sandbox.channel("games")
    async with connected(TinyBot(command=answer), sandbox):
        note = (await (await ann.type(games, "go")).answered()).message
        with pytest.raises(ValueError, match="The button 'Off' is disabled"):
            await ann.press(note, "Off")
        with pytest.raises(ValueError, match="The button 'Source' is a link"):
            await ann.press(note, "Source")
        with pytest.raises(ValueError, match="0 buttons are 'Up'; the message has 'Off', 'Source'"):
            await ann.press(note, "Up")
        with pytest.raises(ValueError, match="Ben does not see that message"):
            await ben.press(note, "❌")
        assert (await ann.press(note, "❌")).data["custom_id"] == "cross"
        ann.dismiss(note)
        with pytest.raises(ValueError, match="Ann does not see that message"):
            await ann.press(note, "❌")

    assert ann.sees(games) == []


async def test_an_answer_without_a_message_says_so_when_it_is_asked_for_one(
    sandbox: Sandbox,
) -> None:
    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    async with connected(TinyBot(), sandbox):
        typed = await ann.type(games, "go")
        with pytest.raises(LookupError, match="Ann's command go has got no answer, and no message"):
            _ = typed.message


async def test_two_presses_in_a_row_are_simultaneous(sandbox: Sandbox) -> None:
    async def press(interaction: Interaction) -> None:
        await interaction.response.defer()

    ann, ben, games = *map(sandbox.person, ("Ann", "Ben")), sandbox.channel("games")
    async with connected(TinyBot(command=show, press=press), sandbox):
        board = (await (await ann.type(games, "go")).answered()).message
        first, second = await ann.press(board, "Up"), await ben.press(board, "Up")
        assert (first.response, second.response) == (None, None)
        await first.answered()
        await second.answered()


async def test_what_does_not_come_true_in_time_is_told_with_the_world(sandbox: Sandbox) -> None:
    async def answer(interaction: Interaction) -> None:
        rules = ui.Select[Any](placeholder="Rules", options=[discord.SelectOption(label="Quick")])
        await interaction.response.send_message(
            view=buttons("Up", "Down").add_item(ui.ActionRow(rules))
        )

    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    shown = r"(?s)#games.*Parlour.*A board.*\[Up\] \[Down\].*\[Rules ▾ Quick\]"
    async with connected(TinyBot(command=answer), sandbox):
        typed = await (await ann.type(games, "go")).answered()
        with pytest.raises(TimeoutError, match=shown):
            await sandbox.until(lambda: typed.message.edits, within=0.01)
