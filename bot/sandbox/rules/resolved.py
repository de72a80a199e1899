"""What Discord adds to an interaction about the people and channels that it names."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.sandbox.model.accounts import Account, Permission
from bot.sandbox.model.channels import Channel
from bot.sandbox.payload import Payload


@dataclass(slots=True)
class Resolved:
    """What Discord adds about the people and channels that were named."""

    guild: bool
    users: Payload = field(default_factory=dict)
    members: Payload = field(default_factory=dict)
    channels: Payload = field(default_factory=dict)

    def add_account(self, account: Account) -> None:
        """Tell about a person or bot."""
        self.users[str(account.id)] = account.payload()
        if self.guild:
            permissions = {"permissions": str(account.permissions.value)}
            self.members[str(account.id)] = account.member() | permissions

    def add_channel(self, channel: Channel) -> None:
        """Tell about a channel."""
        permissions = {"permissions": str(Permission.VIEW_CHANNEL.value)}
        self.channels[str(channel.id)] = channel.payload() | permissions

    def payload(self) -> Payload:
        """All of it, by kind; kinds of which there is nothing are left out."""
        kinds = (("users", self.users), ("members", self.members), ("channels", self.channels))
        return {kind: found for kind, found in kinds if found}
