"""The context of an interaction, made once by the router and handed down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from discord import File, Interaction, Thread

from bot.message.text import Text
from bot.table.seats import PersonId
from bot.table.table import Place
from bot.ui.response import Response
from bot.ui.words import Speech, Words


@dataclass(frozen=True, slots=True)
class Context:
    """The context a handler receives: the interaction, its response, who asks, and where."""

    interaction: Interaction[Any]
    response: Response
    speech: Speech

    @property
    def by(self) -> PersonId:
        """The person who asks."""
        return PersonId(self.interaction.user.id)

    @property
    def place(self) -> Place:
        """The channel where the person asks."""
        assert self.interaction.channel_id is not None, "interactions come from a channel"
        return Place(self.interaction.guild_id, self.interaction.channel_id)

    @property
    def message(self) -> int | None:
        """The message whose control was used, if one was."""
        pressed = self.interaction.message
        return None if pressed is None else pressed.id

    @property
    def parent(self) -> int | None:
        """The channel that the place is a thread of, if it is one."""
        channel = self.interaction.channel
        return channel.parent_id if isinstance(channel, Thread) else None

    @property
    def chosen(self) -> str:
        """The value chosen, if a menu was used: each of ours gives one."""
        data: Mapping[str, object] = self.interaction.data or {}
        values = data.get("values")
        return str(values[0]) if isinstance(values, list) and values else ""

    @property
    def words(self) -> Words:
        """Words in the person's language, by what they have chosen so far."""
        return self.speech.to(self.interaction)

    async def tell(self, *lines: Text, file: File | None = None) -> None:
        """Tells something to the person who asks, and to nobody else."""
        await self.response.say("\n".join(map(self.words.of, lines)), file)
