"""What Discord tells of channels: which are gone, and which the bot may reach again."""

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
    """Follows the channels of servers.

    The games of a channel that was deleted are closed, since nobody can go on with them, and it
    leaves the list of those where games may be played. Whatever may have brought a channel back
    into reach has the boards tried again that fell behind there.
    """

    def __init__(self, guilds: Guilds, messages: Messages, tables: Service, boards: Boards) -> None:
        self._guilds = guilds
        self._messages = messages
        self._tables = tables
        self._boards = boards

    async def deleted(self, channel: discord.abc.GuildChannel) -> None:
        """A channel was deleted; of its threads Discord tells nothing, discord.py does."""
        guild = GuildId(channel.guild.id)
        if channel.id in self._guilds.settings_of(guild).channels:
            await self._guilds.list_channels(guild, delisted={channel.id})
            log.info("deleted channel taken off the list channel=%s", channel.id)
        await self._close(guild, channel.id)

    async def thread_deleted(self, event: discord.RawThreadDeleteEvent) -> None:
        """A thread was deleted."""
        await self._close(GuildId(event.guild_id), event.thread_id)

    async def compared(self, guild: discord.Guild) -> None:
        """A server is there, with all its channels: some may have been deleted unheard."""
        listed = self._guilds.settings_of(GuildId(guild.id)).channels
        gone = listed - {channel.id for channel in guild.channels}
        if gone and guild.channels:
            await self._guilds.list_channels(GuildId(guild.id), delisted=gone)
            log.info("deleted channels taken off the list count=%d", len(gone))
        self._boards.wake(guild.id)

    async def channel_changed(
        self, _: discord.abc.GuildChannel, now: discord.abc.GuildChannel
    ) -> None:
        """A channel is another than it was, perhaps in what the bot may do there."""
        self._boards.wake(now.guild.id)

    async def role_changed(self, _: discord.Role, now: discord.Role) -> None:
        """A role is another than it was, perhaps in what the bot may do."""
        self._boards.wake(now.guild.id)

    async def member_changed(self, _: discord.Member, now: discord.Member) -> None:
        """A member has other roles: Discord tells the bot of its own alone."""
        self._boards.wake(now.guild.id)

    async def thread_changed(self, event: discord.RawThreadUpdateEvent) -> None:
        """A thread is another than it was, perhaps open again."""
        self._boards.wake(event.guild_id)

    async def _close(self, guild: GuildId, channel: int) -> None:
        for session in await self._messages.mark_channel_lost(channel):
            try:
                await self._tables.close(session, guild)
            except Refusal:  # it has come to its end meanwhile
                log.debug("table over before its channel was session=%s", session)
