"""Where people meet: text channels, a thread, direct messages, a group chat."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from bot.sandbox.model.accounts import BOT, NONE, USUAL, Account, Permission
from bot.sandbox.payload import Payload, Snowflake, each, moment

_OPENED: Final = 1_704_153_600.0


class ChannelKind(StrEnum):
    """The kinds of channels."""

    TEXT = "text"
    THREAD = "thread"
    DIRECT = "dm"
    """With the bot, or between two people."""
    GROUP = "group"


@dataclass(eq=False, slots=True)
class Channel:
    """A channel; a direct one has a `recipient`."""

    id: Snowflake
    name: str
    kind: ChannelKind
    guild_id: Snowflake | None = None
    parent_id: Snowflake | None = None
    recipient: Account | None = None
    """The person of direct messages with the bot."""
    between: tuple[Account, ...] = ()
    """The people of a group chat or of direct messages where the bot is not."""
    position: int = 0
    archived: bool = False
    locked: bool = False
    """Whether an archived thread is opened again by moderators alone."""
    denied: Permission = NONE
    """The usual permissions that the bot lacks here."""
    granted: dict[Snowflake, Permission] = field(default_factory=dict)
    """The permissions that roles have here beside their own."""
    external_apps: bool = True
    """Whether everybody reads here what applications answer that only a person has added."""
    latest: Snowflake | None = None
    """The newest message that everybody here could see."""

    @property
    def context(self) -> int:
        """Discord's number: 0 in servers, 1 in direct messages with the bot, 2 among people."""
        if self.guild_id is not None:
            return 0
        return 2 if self.between else 1

    def bot_may(self, permission: Permission) -> bool:
        """Whether the bot has the permission here."""
        return self.recipient is not None or bool(USUAL & ~self.denied & permission)

    def open_to(self, account: Account) -> bool:
        """Whether the account can see this channel."""
        if self.between:
            return account in self.between
        return self.recipient is None or self.recipient is account

    def payload(self) -> Payload:
        """The channel as Discord sends it."""
        found: Payload = {
            "id": str(self.id),
            "flags": 0,
            "last_message_id": None if self.latest is None else str(self.latest),
        }
        match self.kind:
            case ChannelKind.TEXT:
                return found | self._as_text()
            case ChannelKind.THREAD:
                return found | self._as_thread()
            case ChannelKind.DIRECT:
                return found | {"type": 1, "recipients": self._recipients()}
            case ChannelKind.GROUP:
                named: Payload = {"name": self.name, "icon": None}
                owner: Payload = {"owner_id": str(self.between[0].id)}
                return found | {"type": 3, "recipients": self._recipients()} | named | owner

    def _recipients(self) -> list[Payload]:
        there = self.between if self.recipient is None else (self.recipient,)
        return [account.payload() for account in there]

    def _as_text(self) -> Payload:
        return {
            "type": 0,
            "guild_id": str(self.guild_id),
            "name": self.name,
            "position": self.position,
            "nsfw": False,
            **each(None, "parent_id topic"),
            "rate_limit_per_user": 0,
            "permission_overwrites": self._overwrites(),
        }

    def _overwrites(self) -> list[Payload]:
        found: list[Payload] = [
            {"id": str(role), "type": 0, "allow": str(granted.value), "deny": "0"}
            for role, granted in self.granted.items()
        ]
        if self.denied:
            found.append({"id": str(BOT), "type": 1, "allow": "0", "deny": str(self.denied.value)})
        return found

    def _as_thread(self) -> Payload:
        return {
            "type": 11,
            "guild_id": str(self.guild_id),
            "name": self.name,
            "parent_id": str(self.parent_id),
            "owner_id": str(self.parent_id),
            **each(0, "rate_limit_per_user message_count total_message_sent"),
            "member_count": 4,
            "thread_metadata": {
                "archived": self.archived,
                "archive_timestamp": moment(_OPENED),
                "auto_archive_duration": 10080,
                "locked": self.locked,
                "create_timestamp": moment(_OPENED),
            },
        }
