"""The accounts: four people, the bot under test, and another bot."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntFlag
from typing import Final

from bot.sandbox.payload import Payload, moment, nothing
from bot.sandbox.snowflakes import Snowflake, fixed


class Permission(IntFlag):
    """Discord's permissions, as far as the sandbox asks for them."""

    ADMINISTRATOR = 1 << 3
    MANAGE_GUILD = 1 << 5
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    USE_EXTERNAL_EMOJIS = 1 << 18
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    CREATE_PUBLIC_THREADS = 1 << 35
    SEND_MESSAGES_IN_THREADS = 1 << 38
    USE_EXTERNAL_APPS = 1 << 50


USUAL: Final = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.USE_EXTERNAL_APPS
)
"""The permissions of everybody where nothing is denied."""

EVERYTHING: Final = Permission((1 << 53) - 1)
"""The permissions of the server's owner and administrators."""

NONE: Final = Permission(0)
"""No permission at all."""

BOT: Final = fixed(0)
"""The id of the bot under test, and of its application."""

BOTS_ROLE: Final = fixed(32)
"""The id of the role that the bot brings to each server."""

_JOINED: Final = 1_704_153_600.0


@dataclass(eq=False, slots=True)
class Account:
    """A user of Discord, human or bot, and a member of the server."""

    id: Snowflake
    name: str
    color: str
    bot: bool = False
    locale: str = "en-US"
    granted: Permission = USUAL
    takes_direct_messages: bool = True
    roles: set[Snowflake] = field(default_factory=set)
    has_app: bool = False
    """Whether this person has added the bot's application to the account."""
    dismissed: set[Snowflake] = field(default_factory=set)
    """Ephemeral messages that this person has put away."""

    @property
    def permissions(self) -> Permission:
        """The permissions in the server: all of them for an administrator."""
        return EVERYTHING if Permission.ADMINISTRATOR in self.granted else self.granted

    def may(self, needed: Permission) -> bool:
        """Whether this person has all the permissions that are needed."""
        return not needed.value & ~self.permissions.value

    def payload(self) -> Payload:
        """The user as Discord sends it."""
        return {
            "id": str(self.id),
            "username": self.name.lower(),
            "global_name": None if self.bot else self.name,
            "discriminator": "0000" if self.bot else "0",
            **nothing("avatar banner accent_color avatar_decoration_data collectibles"),
            "primary_guild": None,
            "public_flags": 0,
            "flags": 0,
            "bot": self.bot,
            "system": False,
        }

    def member(self) -> Payload:
        """The membership in the server as Discord sends it beside a user."""
        return {
            **nothing("avatar banner communication_disabled_until nick premium_since"),
            "flags": 0,
            "joined_at": moment(_JOINED),
            "pending": False,
            "roles": [str(each) for each in self.roles],
            "mute": False,
            "deaf": False,
        }

    def full_member(self) -> Payload:
        """The membership as Discord sends it alone."""
        return {**self.member(), "user": self.payload()}


def residents() -> list[Account]:
    """Everybody: Ann, who owns the server, Ben, Cleo, Dan, the bot under test, and Robot."""
    return [
        Account(fixed(11), "Ann", "#5865f2", granted=EVERYTHING),
        Account(fixed(12), "Ben", "#3ba55d"),
        Account(fixed(13), "Cleo", "#eb459e"),
        Account(fixed(14), "Dan", "#faa61a"),
        Account(BOT, "Parlour", "#99aab5", bot=True, roles={BOTS_ROLE}),
        Account(fixed(15), "Robot", "#747f8d", bot=True),
    ]
