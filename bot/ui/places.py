"""The place of an interaction: its channel, and whether the bot is there."""

from __future__ import annotations

from typing import Any

from discord import Interaction

from bot.table.table import Place


def place(interaction: Interaction[Any]) -> Place:
    """Return the channel where a person asks."""
    assert interaction.channel_id is not None, "interactions come from a channel"
    return Place(
        interaction.guild_id, interaction.channel_id, unreachable=not _is_member(interaction)
    )


def _is_member(interaction: Interaction[Any]) -> bool:
    """Whether the bot can use the channel by itself.

    It cannot in group chats, between other people, and in servers where people alone have added it,
    or where its commands are but not the bot.
    """
    if interaction.guild_id is None:
        return not interaction.context.private_channel
    known = interaction.client.get_guild(interaction.guild_id)
    return interaction.is_guild_integration() and known is not None
