"""Messages, interactions and servers as a bot is sent them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.sandbox.model.accounts import BOT, USUAL, Guild, Membership, Permission
from bot.sandbox.model.channels import Channel, ChannelKind
from bot.sandbox.model.files import LARGEST_FILE
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload, each

_BLANK: Payload = {"content": "", "embeds": [], "attachments": [], "components": []}


def to_bot(message: Message) -> Payload:
    """The message as the bot gets it, without content that needs the privileged intent.

    Content of others comes without the intent in direct messages, and where the bot is mentioned.
    """
    told = message.payload()
    direct = message.channel.kind is ChannelKind.DIRECT
    mentioned = any(account.id == BOT for account in message.body.mentions)
    return told if direct or mentioned or message.author.id == BOT else told | _BLANK


def in_event(message: Message) -> Payload:
    """The message as an event carries it."""
    told = to_bot(message) | message.place
    answer = message.author.id == BOT and message.origin
    if message.channel.guild_id is not None and not answer:
        told["member"] = message.author.member()
    return told


def interaction_event(interaction: Interaction, world: World) -> Payload:
    """The interaction as the bot gets it."""
    channel, source = interaction.channel, interaction.source
    told: Payload = {
        "id": str(interaction.id),
        "application_id": str(BOT),
        "type": interaction.act.value,
        "data": interaction.data,
        "token": interaction.token,
        "version": 1,
        "channel_id": str(channel.id),
        "channel": _partial(channel),
        "locale": interaction.person.locale,
        "app_permissions": str(_app_permissions(interaction, world).value),
        "entitlements": [],
        "authorizing_integration_owners": interaction.owners,
        "context": channel.context,
        "attachment_size_limit": LARGEST_FILE,
        **_where_and_who(interaction, world),
    }
    return told if source is None else told | {"message": source.payload()}


def _app_permissions(interaction: Interaction, world: World) -> Permission:
    channel = interaction.channel
    if not interaction.by_user_alone:
        return USUAL & ~channel.denied
    if channel.guild_id is None:
        return Permission.EMBED_LINKS | Permission.ATTACH_FILES
    return world.permissions(interaction.person, channel)


def _where_and_who(interaction: Interaction, world: World) -> Payload:
    person, guild = interaction.person, world.guild_of(interaction.channel)
    if guild is None:
        return {"user": person.payload()}
    may = world.permissions(person, interaction.channel)
    permissions: Payload = {"permissions": str(may.value)}
    return {
        "guild_id": str(guild.id),
        "guild": guild.partial(),
        "guild_locale": guild.locale,
        "member": person.full_member() | permissions,
    }


def _partial(channel: Channel) -> Payload:
    if channel.guild_id is None:
        return channel.payload()
    return channel.payload() | {"permissions": str(USUAL.value)}


def ready_event(world: World, guilds: Sequence[Guild]) -> Payload:
    """The event that answers IDENTIFY, with the servers on the shard."""
    there = [guild for guild in guilds if guild.membership is not Membership.LEFT]
    return {
        "v": 10,
        "user": world.bot.payload() | {"mfa_enabled": True, "verified": True},
        "guilds": [{"id": str(guild.id), "unavailable": True} for guild in there],
        "application": {"id": str(world.bot.id), "flags": 0},
        "private_channels": [],
    }


def guild_event(world: World, guild: Guild) -> Payload:
    """A server as a bot gets it when it connects: with its channels, and itself as member."""
    places = [place for place in world.channels.values() if place.guild_id == guild.id]
    return {
        **guild.payload(),
        "unavailable": False,
        "joined_at": world.bot.member()["joined_at"],
        "large": False,
        "member_count": len(world.accounts),
        "members": [world.bot.full_member()],
        "channels": [place.payload() for place in places if place.kind is ChannelKind.TEXT],
        "threads": [place.payload() for place in places if place.kind is ChannelKind.THREAD],
        **each(
            [],
            "voice_states presences stage_instances guild_scheduled_events soundboard_sounds",
        ),
    }
