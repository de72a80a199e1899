"""A discord.py bot that does nothing: the yardstick of `clicks.py`.

`/button` sends a message with one button, `/board` one that is as large as a board of tic-tac-toe.
Pressing edits the message to a constant one.
"""

from __future__ import annotations

import asyncio
import os
from typing import Any

import discord
from discord import Interaction, app_commands, ui

from bot.ui.connection import point_at


class Board(ui.LayoutView):
    """A message as large as a board: nine squares and one more button, that all do the same."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        container = ui.Container[Board](ui.TextDisplay("Press\n" * 4))
        for row in range(4):
            squares = ui.ActionRow[Board]()
            for column in range(3 if row < 3 else 1):
                squares.add_item(Square(f"noop:{row}:{column}"))
            container.add_item(squares)
        self.add_item(container)


class Square(ui.Button[Board]):
    """A button that answers with a constant message."""

    def __init__(self, custom_id: str) -> None:
        super().__init__(label="\u200b", custom_id=custom_id)

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
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None)
        self.tree = app_commands.CommandTree(self)
        for name, view in (("button", Button), ("board", Board)):
            self.tree.add_command(
                app_commands.Command(name=name, description=name, callback=offer(view))
            )

    async def setup_hook(self) -> None:
        self.add_view(Button())
        self.add_view(Board())
        await self.tree.sync()


def offer(view: type[Button | Board]) -> Any:
    """A command that sends a view."""

    async def send(interaction: Interaction[Any]) -> None:
        await interaction.response.send_message(view=view())

    return send


async def main() -> None:
    """Runs until it is ended."""
    await point_at(os.environ["PARLOUR_DISCORD_URL"])
    async with Noop() as client:
        await client.start(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    asyncio.run(main())
