"""The people, channels and messages that an interaction names, as the bot is told of them."""

from __future__ import annotations

from bot.sandbox.model.accounts import NONE, Account, Permission
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.messages import Message
from bot.sandbox.payload import Payload


class Resolved:
    """The `resolved` part of an interaction that comes from `channel`."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._found: dict[str, Payload] = {}

    def add(self, named: Account | Channel | Message) -> str:
        """Describe an account, a channel or a message with all its content, and return its id."""
        if isinstance(named, Account):
            found = [("users", named.payload(), NONE)]
            if self._channel.guild_id is not None:
                found.append(("members", named.member(), named.permissions))
        elif isinstance(named, Channel):
            found = [("channels", named.payload(), Permission.VIEW_CHANNEL)]
        else:
            found = [("messages", named.payload(), NONE)]
        for kind, told, permissions in found:
            more = {"permissions": str(permissions.value)} if permissions else {}
            self._found.setdefault(kind, {})[str(named.id)] = told | more
        return str(named.id)

    def payload(self) -> Payload:
        """The part as data: empty if nothing is named."""
        return {"resolved": self._found} if self._found else {}
