"""The whole of what the page shows to a person when it is opened."""

from __future__ import annotations

from bot.sandbox.model.accounts import Account
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload


def snapshot(world: World, me: Account, *, online: bool) -> Payload:
    """What `me` sees; `online` is whether the bot is there."""
    channels = [channel for channel in world.channels.values() if channel.open_to(me)]
    guild = world.guild
    return {
        "people": [_shown(account) for account in world.people],
        "me": _shown(me) | rights(world, me),
        "bot": {"id": str(world.bot.id), "name": world.bot.name, "online": online},
        "guild": {"id": str(guild.id), "name": guild.name, "locale": guild.locale},
        "channels": [_place(channel) for channel in channels],
        "commands": [command.payload() for command in world.commands],
        "messages": {
            str(each.id): [message.payload() for message in world.seen(me, each)]
            for each in channels
        },
        "users": {str(account.id): account.name for account in world.accounts.values()},
    }


def rights(world: World, me: Account) -> Payload:
    """What `me` may do in the server, and whether `me` owns it."""
    return {"permissions": str(me.permissions.value), "owner": me is world.guild.owner}


def _place(channel: Channel) -> Payload:
    return {
        "id": str(channel.id),
        "name": channel.name,
        "kind": channel.kind.value,
        "parent_id": None if channel.parent_id is None else str(channel.parent_id),
    }


def _shown(account: Account) -> Payload:
    return {
        "id": str(account.id),
        "name": account.name,
        "locale": account.locale,
        "color": account.color,
        "bot": account.bot,
    }
