"""A small bot made with discord.py, whose answers each test chooses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

import discord
from discord import app_commands, ui

Interaction: TypeAlias = discord.Interaction[Any]
Registered: TypeAlias = (
    app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu
)
Answering: TypeAlias = Callable[[Interaction], Awaitable[object]]


class TinyBot(discord.AutoShardedClient):
    """Has `/go`, and answers it, presses, menus and modals as it is told."""

    def __init__(
        self,
        *,
        command: Answering | None = None,
        press: Answering | None = None,
        modal: Answering | None = None,
        intents: discord.Intents | None = None,
        commands: Sequence[Registered] = (),
        **options: Any,
    ) -> None:
        super().__init__(intents=intents or discord.Intents(guilds=True), **options)
        self.tree = app_commands.CommandTree(self)
        self.heard: list[Interaction] = []
        self.events: list[str] = []
        self._answers: Mapping[discord.InteractionType, Answering | None] = {
            discord.InteractionType.component: press,
            discord.InteractionType.modal_submit: modal,
        }
        self._commands = [go(command), *commands]

    async def setup_hook(self) -> None:
        for command in self._commands:
            self.tree.add_command(command)
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Without the 5 s that discord.py waits between shards for Discord's sake."""

    async def on_interaction(self, interaction: Interaction) -> None:
        self.heard.append(interaction)
        answer = self._answers.get(interaction.type)
        if answer is not None:
            await answer(interaction)

    async def on_socket_event_type(self, event: str) -> None:
        self.events.append(event)


def data(interaction: Interaction) -> Any:
    """The person's choices or fields, as they came."""
    return interaction.data


def go(answer: Answering | None) -> app_commands.Command[Any, ..., Any]:
    """A command `/go` that is answered so."""

    async def callback(interaction: Interaction) -> None:
        if answer is not None:
            await answer(interaction)

    return app_commands.Command(name="go", description="Go on.", callback=callback)


def buttons(*labels: str, text: str = "A board") -> ui.LayoutView:
    """Text and a row of buttons, whose custom ids are their labels in lower case."""
    view = ui.LayoutView(timeout=None)
    row: ui.ActionRow[ui.LayoutView] = ui.ActionRow()
    for label in labels:
        row.add_item(ui.Button(label=label, custom_id=label.lower()))
    view.add_item(ui.Container(ui.TextDisplay(text), row))
    return view
