"""The context of an interaction, made once by the router and handed down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from discord import File, Interaction, Thread

from bot.message.blocks import Screen
from bot.message.text import Text
from bot.screens.table_panel import with_way_back
from bot.table.seats import PersonId
from bot.table.table import Place, Table
from bot.ui.custom_ids import is_in_words, is_panel
from bot.ui.places import place
from bot.ui.render import board_view
from bot.ui.response import Response
from bot.ui.words import Speech, Words


@dataclass(slots=True)
class Context:
    """The context a handler receives: the interaction, its response, who asks, and where.

    `message` is the one whose button was pressed, if any; `values` are those chosen in a menu, and
    `filled` has the answers of a form by the names of its questions. A handler keeps the `table`
    that was pressed here, as it was read last.
    """

    interaction: Interaction[Any]
    response: Response
    speech: Speech
    by: PersonId
    message: int | None
    values: tuple[str, ...] = ()
    filled: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    table: Table | None = None

    @property
    def chosen(self) -> str:
        """The first value, or an empty one."""
        return next(iter(self.values), "")

    @property
    def place(self) -> Place:
        """The channel where the person asks."""
        return place(self.interaction)

    @property
    def seen_by_all(self) -> bool:
        """Whether all in the channel see the message whose control was used."""
        message = self.interaction.message
        return message is not None and not message.flags.ephemeral

    @property
    def parent(self) -> int | None:
        """The channel that the place is a thread of, if it is one."""
        channel = self.interaction.channel
        return channel.parent_id if isinstance(channel, Thread) else None

    @property
    def read_by_one(self) -> bool:
        """Whether Discord shows all answers to the person who asks alone.

        In servers that have not added the bot they need a permission for the others to see.
        """
        if self.interaction.guild_id is None or self.interaction.is_guild_integration():
            return False
        return not self.interaction.permissions.use_external_apps

    @property
    def manages(self) -> bool:
        """Whether the person may manage the server."""
        may = self.interaction.permissions
        return may.manage_guild or may.administrator

    @property
    def words(self) -> Words:
        """Words in the person's language, by what they have chosen so far."""
        return self.speech.to(self.interaction)

    @property
    def in_panel(self) -> bool:
        """Whether the button that was pressed stands in the panel behind *More*."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral and is_panel(message)

    @property
    def in_words(self) -> bool:
        """Whether the button that was pressed stands below a board in words."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral and is_in_words(message)

    async def present(
        self, screen: Screen, table: Table, *files: File, instead: bool = False
    ) -> None:
        """Show a screen to the person who asks; `instead` of what was pressed, as in a panel."""
        shown = with_way_back(screen) if self.in_panel else screen
        view = board_view(shown, table, self.words)
        if instead or self.in_panel:
            await self.response.show(view, files)
        else:
            await self.response.say(view, *files)

    async def tell(self, *lines: Text, files: Sequence[File] = ()) -> None:
        """Tells something to the person who asks, and to nobody else."""
        await self.response.say("\n".join(map(self.words.line, lines)), *files)
