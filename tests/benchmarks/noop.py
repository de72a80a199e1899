"""A discord.py bot that does nothing: the yardstick of `clicks.py`.

`/button` sends a message with one button. `/board` sends one like that of Parlour's game of
tic-tac-toe after five moves: the same components, emoji, ids and texts, so that discord.py, the
network and the sandbox have as much to carry (`clicks.py` prints the bytes of both). The text is
fixed; there is no game and no store. Pressing a button edits the message to what it is already.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import AllowedMentions, ButtonStyle, Colour, Emoji, Interaction, app_commands, ui

from bot.games.tictactoe.sprites import SPRITES
from bot.ui.connection import point_at

CROSS, NOUGHT, LAST_CROSS, BLANK = "mark_x", "mark_o", "last_x", "a1"
CROSSES, NOUGHTS = "cross", "nought"
SQUARES: Final = ((CROSS, NOUGHT, CROSS), (BLANK, NOUGHT, LAST_CROSS), (BLANK, BLANK, BLANK))
STYLES: Final = {
    BLANK: ButtonStyle.secondary,
    NOUGHT: ButtonStyle.danger,
    CROSS: ButtonStyle.primary,
    LAST_CROSS: ButtonStyle.primary,
}
CONTROLS: Final = ({"undo": "Take back", "resign": "Resign"}, {"offer": "Offer draw"})

ANN: Final = "{cross} \u2068<@1191168914273337344>\u2069"
BEN: Final = "{nought} \u2068<@1191168914277531648>\u2069"
HEAD: Final = f"{BEN}, it's your move ⌛ <t:1795312073:R>"
FOOT: Final = f"-# {ANN}, {BEN}\n-# Tic-tac-toe 31 · 3x3, 3 in a row wins"


class Board(ui.LayoutView):
    """A message of the form and the size of a board of tic-tac-toe after five moves."""

    def __init__(self, emojis: Mapping[str, Emoji]) -> None:
        super().__init__(timeout=None)
        head, foot = (ui.TextDisplay[Board](words.format_map(emojis)) for words in (HEAD, FOOT))
        container = ui.Container[Board](head, accent_colour=Colour.blurple())
        for row, names in enumerate(SQUARES):
            squares = ui.ActionRow[Board]()
            for column, name in enumerate(names):
                action = f"m{3 * row + column}"
                squares.add_item(Square(action, style=STYLES[name], emoji=emojis[name]))
            container.add_item(squares)
        for labels in CONTROLS:
            controls = (Square(action, label=label) for action, label in labels.items())
            container.add_item(ui.ActionRow[Board](*controls))
        container.add_item(foot)
        self.add_item(container)


class Square(ui.Button[Board]):
    """A button that answers with the same message again."""

    def __init__(
        self,
        action: str,
        *,
        style: ButtonStyle = ButtonStyle.secondary,
        label: str | None = None,
        emoji: Emoji | None = None,
    ) -> None:
        super().__init__(style=style, label=label, emoji=emoji, custom_id=f"p1:31:5:{action}")

    async def callback(self, interaction: Interaction[Any]) -> None:
        await interaction.response.edit_message(view=self.view)


class Button(ui.View):
    """One button that answers with a constant message."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.button(label="Press", custom_id="noop")
    async def press(self, interaction: Interaction[Any], _: ui.Button[Any]) -> None:
        await interaction.response.edit_message(content="Pressed")


class Noop(discord.AutoShardedClient):
    """The bot."""

    def __init__(self) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=AllowedMentions.none(),
            max_messages=None,
        )
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        emojis = {
            name: await self.create_application_emoji(name=name, image=SPRITES[name]())
            for name in (*STYLES, CROSSES, NOUGHTS)
        }
        views: dict[str, Button | Board] = {"button": Button(), "board": Board(emojis)}
        for command, view in views.items():
            self.add_view(view)
            callback = offer(view)
            self.tree.add_command(
                app_commands.Command(name=command, description=command, callback=callback)
            )
        await self.tree.sync()


def offer(view: Button | Board) -> Any:
    """A command that sends a view."""

    async def send(interaction: Interaction[Any]) -> None:
        await interaction.response.send_message(view=view)

    return send


async def main() -> None:
    """Runs until it is ended."""
    await point_at(os.environ["DISCORD_API"])
    async with Noop() as client:
        await client.start(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    asyncio.run(main())
