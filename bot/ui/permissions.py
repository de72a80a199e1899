"""What the bot may do in a channel, by what it has heard of it."""

from __future__ import annotations

import discord


def permissions_in(guild: discord.Guild | None, number: int) -> discord.Permissions:
    """The bot's own permissions in a channel of a guild; all of them where it does not know."""
    channel = None if guild is None else guild.get_channel_or_thread(number)
    orphan = isinstance(channel, discord.Thread) and channel.parent is None
    if guild is None or channel is None or orphan:
        return discord.Permissions.all()
    return channel.permissions_for(guild.me)
