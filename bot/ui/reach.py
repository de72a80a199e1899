"""Channels that are gone, and channels that the bot may reach again."""

from __future__ import annotations

import logging

import discord

from bot.service.tables import Service
from bot.storage.guild_settings import GuildId, Guilds
from bot.storage.messages import Messages
from bot.table.refusals import Refusal
from bot.ui.boards import Boards

log = logging.getLogger(__name__)


class Reach:
    """Follows the channels of guilds.

    The games of a deleted channel are closed, and the channel leaves the list of those where games
    may be played. Boards that fell behind are tried again after any change that may help.
    """

    def __init__(self, guilds: Guilds, messages: Messages, tables: Service, boards: Boards) -> None:
        self._guilds = guilds
        self._messages = messages
        self._tables = tables
        self._boards = boards

    async def deleted(self, channel: discord.abc.GuildChannel) -> None:
        """Close the games of a deleted channel; its threads have events of their own."""
        guild = GuildId(channel.guild.id)
        if channel.id in self._guilds.settings_of(guild).channels:
            await self._guilds.list_channels(guild, delisted={channel.id})
            log.info("deleted channel taken off the list channel=%s", channel.id)
        await self._close(guild, channel.id)

    async def thread_deleted(self, event: discord.RawThreadDeleteEvent) -> None:
        """Close the games of a deleted thread."""
        await self._close(GuildId(event.guild_id), event.thread_id)

    async def compared(self, guild: discord.Guild) -> None:
        """Find channels that were deleted unheard in a guild that has just come."""
        listed = self._guilds.settings_of(GuildId(guild.id)).channels
        gone = listed - {channel.id for channel in guild.channels}
        if gone and guild.channels:
            await self._guilds.list_channels(GuildId(guild.id), delisted=gone)
            log.info("deleted channels taken off the list count=%d", len(gone))
        self._boards.wake(guild.id)

    async def changed(
        self, _: object, now: discord.abc.GuildChannel | discord.Role | discord.Member
    ) -> None:
        """Try boards again after a change of a channel, a role, or the bot's own roles."""
        self._boards.wake(now.guild.id)

    async def thread_changed(self, event: discord.RawThreadUpdateEvent) -> None:
        """Try boards again after a change of a thread, which may be open again."""
        self._boards.wake(event.guild_id)

    async def _close(self, guild: GuildId, channel: int) -> None:
        for session in await self._messages.mark_channel_lost(channel):
            try:
                await self._tables.close(session, guild)
            except Refusal:  # it has come to its end meanwhile
                log.debug("table over before its channel was session=%s", session)
