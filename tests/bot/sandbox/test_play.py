"""discord.py plays on the sandbox: commands, presses, answers of every kind."""

from __future__ import annotations

from bot.sandbox import Answer, Sandbox
from tests.bot.connection import connected
from tests.bot.sandbox.tiny import Interaction, TinyBot, buttons


async def test_a_command_is_answered_with_a_board_that_everybody_sees(sandbox: Sandbox) -> None:
    async def answer(interaction: Interaction) -> None:
        await interaction.response.send_message(view=buttons("Up", "Down"))

    ann, ben, games = sandbox.person("Ann"), sandbox.person("Ben"), sandbox.channel("games")
    async with connected(TinyBot(command=answer), sandbox):
        typed = await (await ann.type(games, "go")).answered()

    assert typed.message.text == "A board"
    assert [button.label for button in typed.message.buttons] == ["Up", "Down"]
    assert ben.sees(games) == ann.sees(games) == [typed.message]


async def test_a_press_updates_the_board_and_its_note_is_for_the_presser_alone(
    sandbox: Sandbox,
) -> None:
    async def show(interaction: Interaction) -> None:
        await interaction.response.send_message(view=buttons("Up"))

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
