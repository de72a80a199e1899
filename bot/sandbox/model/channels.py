"""Where people meet: text channels, a thread, direct messages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.sandbox.model.accounts import BOT, NONE, USUAL, Account, Permission
from bot.sandbox.payload import Payload, moment
from bot.sandbox.snowflakes import Snowflake

_OPENED: Final = 1_704_153_600.0


class ChannelKind(StrEnum):
    """What kind of channel it is."""

    TEXT = "text"
    THREAD = "thread"
    DIRECT = "dm"


@dataclass(eq=False, slots=True)
class Channel:
    """A channel; a direct one has a `recipient`."""

    id: Snowflake
    name: str
    kind: ChannelKind
    guild_id: Snowflake | None = None
    parent_id: Snowflake | None = None
    recipient: Account | None = None
    position: int = 0
    archived: bool = False
    denied: Permission = NONE
    """What the bot may not do here, of what it may usually do."""
    latest: Snowflake | None = None
    """The newest message that everybody here could see."""

    def deny(self, *permissions: Permission) -> None:
        """Take permissions in this channel from the bot."""
        for permission in permissions:
            self.denied |= permission

    def bot_may(self, permission: Permission) -> bool:
        """Whether the bot has the permission here."""
        return self.kind is ChannelKind.DIRECT or bool(USUAL & ~self.denied & permission)

    def open_to(self, account: Account) -> bool:
        """Whether the account can see this channel."""
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
                recipients = [] if self.recipient is None else [self.recipient.payload()]
                return found | {"type": 1, "recipients": recipients}

    def _as_text(self) -> Payload:
        return {
            "type": 0,
            "guild_id": str(self.guild_id),
            "name": self.name,
            "position": self.position,
            "parent_id": None,
            "topic": None,
            "nsfw": False,
            "rate_limit_per_user": 0,
            "permission_overwrites": self._overwrites(),
        }

    def _overwrites(self) -> list[Payload]:
        if not self.denied:
            return []
        return [{"id": str(BOT), "type": 1, "allow": "0", "deny": str(self.denied.value)}]

    def _as_thread(self) -> Payload:
        return {
            "type": 11,
            "guild_id": str(self.guild_id),
            "name": self.name,
            "parent_id": str(self.parent_id),
            "owner_id": str(self.parent_id),
            "rate_limit_per_user": 0,
            "message_count": 0,
            "total_message_sent": 0,
            "member_count": 4,
            "thread_metadata": {
                "archived": self.archived,
                "archive_timestamp": moment(_OPENED),
                "auto_archive_duration": 10080,
                "locked": False,
                "create_timestamp": moment(_OPENED),
            },
        }
