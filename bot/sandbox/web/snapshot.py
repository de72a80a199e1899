"""The page's content for a person as plain data: all of it first, then each change."""

from __future__ import annotations

from bot.sandbox.model.accounts import Account
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.commands import LOCALES
from bot.sandbox.model.messages import Message
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload
from bot.sandbox.words import words


def snapshot(world: World, me: Account, *, online: bool) -> Payload:
    """All that `me` sees; `online` is whether the bot is there."""
    channels = [channel for channel in world.channels.values() if channel.open_to(me)]
    guild = world.guild
    return {
        "people": [_shown(account) for account in world.people],
        "me": shown_to_self(world, me),
        "bot": {"id": str(world.bot.id), "name": world.bot.name, "online": online},
        "guild": {
            "id": str(guild.id),
            "name": guild.name,
            "locale": guild.locale,
            "roles": {str(role.id): role.name for role in guild.roles},
        },
        "channels": [place(channel, world) for channel in channels],
        "commands": commands(world),
        "messages": {
            str(each.id): [shown_message(message, me) for message in world.seen(me, each)]
            for each in channels
        },
        "users": {str(account.id): account.name for account in world.accounts.values()},
        "locales": sorted(LOCALES),
        "now": world.clock.now(),
    }


def commands(world: World) -> list[Payload]:
    """The commands of the bot."""
    return [command.payload() for command in world.commands]


def shown_message(message: Message, me: Account) -> Payload:
    """The message, and whether `me` was notified of it."""
    return message.payload() | {"pinged": me.name in message.pinged}


def shown_to_self(world: World, me: Account) -> Payload:
    """The permissions and choices of `me`."""
    return _shown(me) | {
        "permissions": str(me.permissions.value),
        "owner": me is world.guild.owner,
        "takes_direct_messages": me.takes_direct_messages,
        "has_app": me.has_app,
        "words": words(me.locale),
    }


def place(channel: Channel, world: World) -> Payload:
    """The channel as the page lists it."""
    return {
        "id": str(channel.id),
        "name": channel.name,
        "kind": channel.kind.value,
        "type": channel.payload()["type"],
        "parent_id": None if channel.parent_id is None else str(channel.parent_id),
        "context": channel.context,
        "inside": world.inside(channel),
    }


def _shown(account: Account) -> Payload:
    return {
        "id": str(account.id),
        "name": account.name,
        "locale": account.locale,
        "color": account.color,
        "bot": account.bot,
    }
