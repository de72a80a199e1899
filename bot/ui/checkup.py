"""A check-up of the bot's side of Discord: its application, its commands, where it may play.

It only uses Discord's REST API, so that a running bot is not disturbed.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

import discord

from bot.locales import ENGLISH, shipped
from bot.screens.tournament import RoleFault
from bot.storage.choices import GuildId, GuildSettings
from bot.ui.connection import server_time
from bot.ui.errors import UNKNOWN_CHANNEL
from bot.ui.invitations import OF_ACCOUNT, PERMISSIONS, SCOPES
from bot.ui.winner_roles import fault_of

PRIVILEGED: Final = {
    "Presence": ("gateway_presence", "gateway_presence_limited"),
    "Server Members": ("gateway_guild_members", "gateway_guild_members_limited"),
    "Message Content": ("gateway_message_content", "gateway_message_content_limited"),
}
"""The privileged intents, none of which Parlour needs: name on the page Bot, and flags."""

NAMES: Final = {
    "read_messages": "View Channels",
    "send_messages": "Send Messages",
    "create_public_threads": "Create Public Threads",
    "send_messages_in_threads": "Send Messages in Threads",
}
"""Discord's names of the permissions that the bot needs."""

LATEST: Final = 10.0
"""The most seconds by which this machine's clock may differ from Discord's."""


class Health(StrEnum):
    """The health of one thing."""

    WELL = "✓"
    WRONG = "✗"
    UNKNOWN = "–"
    """Not needed, or nothing to check yet."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A line of a check-up: its subject, and the facts or what to do about them."""

    health: Health
    about: str
    words: str


def judged(about: str, fault: str | None, well: str) -> Finding:
    """The finding of a fault, or of `well` if there is none."""
    return Finding(Health.WELL if fault is None else Health.WRONG, about, fault or well)


async def set_up(client: discord.Client) -> None:
    """Set the scopes and permissions of Discord's own install link, for servers and people.

    Other scopes for people are kept: Discord would remove any that are not named.
    """
    application = await client.application_info()
    params = _asked_of(application.user_integration_config)
    more = [] if params is None else [each for each in params.scopes if each not in OF_ACCOUNT]
    await application.edit(
        guild_install_scopes=[*SCOPES],
        guild_install_permissions=PERMISSIONS,
        user_install_scopes=[*OF_ACCOUNT, *more],
    )


def _asked_of(
    config: discord.IntegrationTypeConfig | None,
) -> discord.AppInstallParams | None:
    return None if config is None else config.oauth2_install_params


async def examined(
    client: discord.Client,
    *,
    emoji: Collection[str],
    guilds: Mapping[GuildId, GuildSettings],
    now: datetime,
) -> AsyncIterator[Finding]:
    """Examine the bot's application, its commands and channels, line by line."""
    application = await client.application_info()
    yield _application(application)
    yield _intents(application)
    yield _install(application)
    yield _directory(application)
    yield await _commands(client)
    yield await _emoji(client, emoji)
    async for finding in _channels(client, guilds):
        yield finding
    yield _clock(now, await server_time())


def _application(application: discord.AppInfo) -> Finding:
    fault = None
    if application.interactions_endpoint_url:
        fault = (
            f"{application.interactions_endpoint_url} gets what people press, not Parlour; "
            "empty Interactions Endpoint URL on the page General Information."
        )
    elif application.bot_require_code_grant:
        fault = "Nobody can add the bot; switch off Requires OAuth2 Code Grant on the page Bot."
    servers = application.approximate_guild_count
    many = "1 server" if servers == 1 else f"{servers} servers"
    return judged(
        "application", fault, f"{printable(application.name)} ({application.id}), in {many}."
    )


def _intents(application: discord.AppInfo) -> Finding:
    flags = application.flags
    on = [name for name, either in PRIVILEGED.items() if any(getattr(flags, f) for f in either)]
    fault = None
    if on:
        fault = f"Parlour does without {', '.join(on)}; switch that off on the page Bot."
    return judged("intents", fault, "None that is privileged is on, and none is needed.")


def _install(application: discord.AppInfo) -> Finding:
    params = _asked_of(application.guild_integration_config)
    of_people = _asked_of(application.user_integration_config)
    asked = " and ".join(SCOPES)
    fault = None
    if (
        params is None
        or not {*SCOPES} <= {*params.scopes}
        or not PERMISSIONS.is_subset(params.permissions)
    ):
        fault = f"Discord's own link does not ask for {asked} with {_named(PERMISSIONS)}"
    elif of_people is None or not {*OF_ACCOUNT} <= {*of_people.scopes}:
        fault = "People cannot add the bot to their account (User Install)"
    if fault is not None:
        fault += "; set that on the page Installation, or use --fix."
    return judged("install", fault, "Servers and people can add the bot by Discord's own link.")


def _directory(application: discord.AppInfo) -> Finding:
    """The finding of what the application lacks for Discord's directory."""
    asked = {
        "a description": application.description,
        "an icon": application.icon,
        "tags": application.tags,
        "terms of service": application.terms_of_service_url,
        "a privacy policy": application.privacy_policy_url,
    }
    lacking = [what for what, entered in asked.items() if not entered]
    if lacking:
        words = f"It lacks {', '.join(lacking)}; bot/deploy/discovery.md has what to enter."
        return Finding(Health.UNKNOWN, "directory", words)
    return Finding(Health.WELL, "directory", "Discord's directory can show the bot.")


async def _commands(client: discord.Client) -> Finding:
    tree = discord.app_commands.CommandTree(client)
    there, wanted = {command.name for command in await tree.fetch_commands()}, command_names()
    fault = None
    if not there:
        return Finding(Health.UNKNOWN, "commands", "None yet; the first start registers them.")
    if missing := sorted(wanted - there):
        fault = f"Not registered: {', '.join(missing)}; start Parlour, which registers them."
    elif strange := sorted(there - wanted):
        fault = f"Not Parlour's: {', '.join(strange)}; start Parlour, which removes them."
    return judged("commands", fault, f"All {len(wanted)} are registered.")


def command_names() -> set[str]:
    """Return the names of all commands in English, those of menus included."""
    words = shipped()[ENGLISH]
    slash = {key for key in words.keys("command.") if key.count(".") == 1}
    return {
        words.template(key)
        for key in slash.union(words.keys("menu.person."), words.keys("menu.message."))
    }


async def _emoji(client: discord.Client, wanted: Collection[str]) -> Finding:
    there = {emoji.name for emoji in await client.fetch_application_emojis()}
    fault = None
    if not there:
        words = "None yet; Parlour uploads them in the first minutes after its first start."
        return Finding(Health.UNKNOWN, "emoji", words)
    if missing := {*wanted} - there:
        fault = (
            f"{len(missing)} of {len(wanted)} are missing; start Parlour and leave it running for "
            "some minutes, in which it uploads them."
        )
    return judged("emoji", fault, f"All {len(wanted)} are there.")


async def _channels(
    client: discord.Client, guilds: Mapping[GuildId, GuildSettings]
) -> AsyncIterator[Finding]:
    """Examine the permissions in listed channels; one line if they suffice."""
    looked_at, well = 0, True
    for number, settings in guilds.items():
        if not settings.named_channels and settings.winner_role is None:
            continue
        try:
            guild = await client.fetch_guild(number)
            itself = await guild.fetch_member(client.application_id or 0)
        except (discord.NotFound, discord.Forbidden):  # a server that the bot has left
            continue
        if settings.winner_role is not None:
            fault = await _role_fault(guild, itself, settings.winner_role)
            if fault is not None:
                well = False
                yield Finding(Health.WRONG, "permissions", f"{printable(guild.name)}: {fault}")
        for channel in sorted(settings.named_channels):
            looked_at += 1
            if (fault := await _channel_fault(guild, itself, channel)) is not None:
                well = False
                yield Finding(Health.WRONG, "permissions", f"{printable(guild.name)}: {fault}")
    if well:
        words = f"Enough in all {looked_at} listed channels." if looked_at else "None is listed."
        yield Finding(Health.WELL, "permissions", words)


async def _role_fault(guild: discord.Guild, itself: discord.Member, number: int) -> str | None:
    """Why the bot cannot give winners of tournaments their role; None if it can."""
    if not itself.guild_permissions.manage_roles:
        return "the bot lacks Manage Roles, so that winners of tournaments get no role."
    role = guild.get_role(number)
    if role is None:
        return "the role for winners of tournaments is gone; choose another in /settings."
    fault = fault_of(role, itself, await guild.fetch_channels())
    if fault is RoleFault.UNSAFE:
        return (
            f"winners of tournaments do not get {printable(role.name)} any more: it lets people "
            "moderate, or is not given by hand; choose another in /settings."
        )
    if fault is RoleFault.OUT_OF_REACH:
        return f"the bot's own role is not above {printable(role.name)}, which winners get."
    return None


async def _channel_fault(guild: discord.Guild, itself: discord.Member, number: int) -> str | None:
    """Why the bot cannot play in a channel; None if it can."""
    try:
        channel = await guild.fetch_channel(number)
    except discord.NotFound as error:
        if error.code != UNKNOWN_CHANNEL:
            raise
        return f"channel {number} is gone; the next choice of channels in /settings drops it."
    except discord.Forbidden:
        return f"the bot cannot see channel {number}; give it View Channels there."
    may = discord.Permissions.all()
    if not isinstance(channel, discord.Thread):
        may = channel.permissions_for(itself)
    lacking = discord.Permissions(PERMISSIONS.value & ~may.value)
    return (
        f"in #{printable(channel.name)} the bot lacks {_named(lacking)}." if lacking.value else None
    )


def printable(name: str) -> str:
    """A name without control characters, which could garble a terminal's line."""
    return "".join(character for character in name if character.isprintable())


def _named(permissions: discord.Permissions) -> str:
    return ", ".join(NAMES[name] for name, has in permissions if has)


def _clock(now: datetime, there: datetime) -> Finding:
    ahead = (now - there).total_seconds()
    fault = None
    if abs(ahead) > LATEST:
        fault = (
            f"It is {abs(ahead):.0f} s {'ahead of' if ahead > 0 else 'behind'} Discord's; let the "
            "system set it (timedatectl set-ntp true)."
        )
    return judged("clock", fault, "It agrees with Discord's.")
