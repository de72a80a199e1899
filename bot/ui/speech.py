"""In which language somebody is answered, and in which a board speaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from discord import Interaction

from bot.service.guild_settings import GuildId
from bot.service.ports import Guilds, People
from bot.table.seats import PersonId
from bot.ui.words import Words

if TYPE_CHECKING:
    from bot.ui.client import ParlourClient


class Speech:
    """Finds the words for an interaction. All that it asks for is in memory."""

    def __init__(self, client: ParlourClient, people: People, servers: Guilds) -> None:
        self._client = client
        self._people = people
        self._servers = servers

    def to(self, interaction: Interaction[ParlourClient]) -> Words:
        """Words that whoever asks reads, and nobody else: their own choice comes first."""
        own = self._people.choices(PersonId(interaction.user.id)).language
        return self._client.words(own, *self._known(interaction))

    def board(self, interaction: Interaction[ParlourClient]) -> Words:
        """Words for the board that somebody asks for, which others read too but in private."""
        if interaction.guild_id is None:
            return self.to(interaction)
        return self._client.words(*self._known(interaction))

    def _known(self, interaction: Interaction[ParlourClient]) -> Iterator[str]:
        """The languages of a person's Discord and of the server, the best first."""
        yield interaction.locale.value
        if interaction.guild_id is not None:
            chosen = self._servers.server(GuildId(interaction.guild_id)).language
            if chosen is not None:
                yield chosen
        if interaction.guild_locale is not None:
            yield interaction.guild_locale.value
