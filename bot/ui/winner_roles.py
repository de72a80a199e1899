"""The role for winners of tournaments: which roles are allowed, and who may choose them.

The bot gives no role that the person who chooses it could not give themselves in Discord, and none
with power over others: anybody may open a tournament, join it, and let a friend win. As roles
change, a role is checked again when it is given. The choice is a setting of the server: it stays
even if the person who made it loses their rank.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from discord import Guild, Member, Permissions, Role, User
from discord.abc import GuildChannel

from bot.screens.tournament import RoleFault

POWERS: Final = Permissions(
    administrator=True,
    ban_members=True,
    deafen_members=True,
    kick_members=True,
    manage_channels=True,
    manage_events=True,
    manage_expressions=True,
    manage_guild=True,
    manage_messages=True,
    manage_nicknames=True,
    manage_roles=True,
    manage_threads=True,
    manage_webhooks=True,
    mention_everyone=True,
    moderate_members=True,
    move_members=True,
    mute_members=True,
    pin_messages=True,
    view_audit_log=True,
    view_guild_insights=True,
)
"""The permissions to act on others or their messages, to notify everybody, or to see who did what.

They are given to trusted people, and winning a tournament is no reason for trust.
"""


def role_fault(role: Role) -> RoleFault | None:
    """Why the bot does not give a role to winners; None if it does."""
    return fault_of(role, role.guild.me, role.guild.channels)


def fault_of(role: Role, itself: Member, channels: Iterable[GuildChannel]) -> RoleFault | None:
    """`role_fault` for a fetched server, of which the bot's member and channels are given."""
    return _fault(role, itself, _powerful(role.guild, channels))


def choosable_roles(guild: Guild, by: Member | User) -> Sequence[Role]:
    """The roles that both a person and the bot may give, the highest first."""
    if not isinstance(by, Member):
        return ()
    given = [role for role in guild.roles if _gives(by, role)]
    powerful = _powerful(guild, guild.channels)
    return [role for role in reversed(given) if _fault(role, guild.me, powerful) is None]


def _fault(role: Role, itself: Member, powerful: Collection[int]) -> RoleFault | None:
    linked = role.tags is not None and role.tags.is_guild_connection()
    if role.is_default() or role.managed or linked or role.id in powerful:
        return RoleFault.UNSAFE
    above = itself.top_role > role or itself.id == role.guild.owner_id
    if not above or not itself.guild_permissions.manage_roles:
        return RoleFault.OUT_OF_REACH
    return None


def _gives(member: Member, role: Role) -> bool:
    """Whether a member may give a role; permissions in single channels do not count."""
    if member.id == member.guild.owner_id:
        return True
    return member.guild_permissions.manage_roles and member.top_role > role


def _powerful(guild: Guild, channels: Iterable[GuildChannel]) -> Collection[int]:
    """The ids of roles that have one of `POWERS`, in the server or in one of its channels."""
    granted = [(role.id, role.permissions) for role in guild.roles]
    for channel in channels:
        granted += ((of.id, here.pair()[0]) for of, here in channel.overwrites.items())
    return {role for role, permissions in granted if permissions.value & POWERS.value}
