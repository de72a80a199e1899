"""`/settings`: a server's settings, as those who manage it change them."""

from __future__ import annotations

from discord.app_commands import AppCommandChannel

from bot.locales import own_name
from bot.message.text import Text, text
from bot.service.guild_settings import MOST_CHANNELS, GuildId, GuildSettings
from bot.service.ports import Guilds
from bot.table.refusals import NotManager, TooManyChannels
from bot.ui.answer import Answer
from bot.ui.asking import Answering, Asked, Speaking
from bot.ui.errors import rooms
from bot.ui.preferences import AUTOMATIC

YES, NO = "yes", "no"


class ServerSettings:
    """Carries out what a server's managers decide, and says what holds from now on.

    Discord offers the commands to those who may manage the server, but servers can offer them to
    others too; so who may use them is asked here once more.
    """

    def __init__(self, servers: Guilds, answering: Answering, words: Speaking) -> None:
        self._servers = servers
        self._answering = answering
        self._words = words

    async def show(self, interaction: Asked) -> None:
        """`/settings show` was typed."""
        async with self._answering(interaction) as answer:
            await self._show(answer, interaction, _managed(interaction))

    async def list_channel(
        self, interaction: Asked, *, channel: AppCommandChannel, allowed: str
    ) -> None:
        """`/settings channels` was typed; channels that are gone leave the list with that."""
        async with self._answering(interaction) as answer:
            server = _managed(interaction)
            before = self._servers.server(server).channels
            gone = before - _existing(interaction, before)
            if allowed == NO:
                await self._servers.list_channels(server, delisted={channel.id, *gone})
            else:
                if len(before - gone | {channel.id}) > MOST_CHANNELS:
                    raise TooManyChannels(MOST_CHANNELS)
                await self._servers.list_channels(server, listed={channel.id}, delisted=gone)
            await self._show(answer, interaction, server)

    async def limit_games(self, interaction: Asked, *, limit: int) -> None:
        """`/settings limit` was typed."""
        async with self._answering(interaction) as answer:
            server = _managed(interaction)
            await self._servers.limit_games(server, limit)
            await self._show(answer, interaction, server)

    async def choose_language(self, interaction: Asked, *, language: str) -> None:
        """`/settings language` was typed."""
        async with self._answering(interaction) as answer:
            server = _managed(interaction)
            chosen = None if language == AUTOMATIC else language
            await self._servers.choose_language(server, chosen)
            await self._show(answer, interaction, server)

    async def _show(self, answer: Answer, interaction: Asked, server: GuildId) -> None:
        words = self._words(interaction)
        await answer.say("\n".join(map(words.of, held(self._servers.server(server)))))


def held(server: GuildSettings) -> tuple[Text, ...]:
    """What holds in a server, in words."""
    where = text("settings.everywhere")
    if server.channels:
        where = text("settings.channels", channels=rooms(server.channels))
    spoken = text("settings.automatic")
    if server.language is not None:
        spoken = text("settings.language", language=own_name(server.language))
    return (text("settings.title"), where, text("settings.limit", games=server.games), spoken)


def _managed(interaction: Asked) -> GuildId:
    """The server that whoever asks may manage.

    Raises:
        NotManager: They may not.
    """
    may = interaction.permissions
    if interaction.guild_id is None or not (may.manage_guild or may.administrator):
        raise NotManager
    return GuildId(interaction.guild_id)


def _existing(interaction: Asked, channels: frozenset[int]) -> frozenset[int]:
    """Which of a server's channels there are, as far as this process knows the server."""
    guild = interaction.guild
    if guild is None or not guild.channels:
        return channels
    return channels & {channel.id for channel in guild.channels}
