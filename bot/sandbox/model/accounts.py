"""The accounts (four people, the bot, another bot), their permissions, and the servers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntFlag, StrEnum
from typing import Final

from bot.sandbox.payload import Payload, Snowflake, each, fixed, moment


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
_USER: Final = {
    **each(None, "avatar banner accent_color avatar_decoration_data collectibles primary_guild"),
    **each(0, "public_flags flags"),
    "system": False,
}
_MEMBER: Final = {
    **each(None, "avatar banner communication_disabled_until nick premium_since"),
    **each(False, "pending mute deaf"),  # noqa: FBT003
    "flags": 0,
}


_ROLE: Final = {
    **each(0, "color flags"),
    **each(False, "hoist mentionable"),  # noqa: FBT003
    **each(None, "icon unicode_emoji"),
    "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
}
_GUILD: Final = {
    **each(
        None,
        "icon description home_header splash discovery_splash banner afk_channel_id "
        "system_channel_id widget_channel_id max_presences vanity_url_code rules_channel_id "
        "safety_alerts_channel_id public_updates_channel_id incidents_data",
    ),
    **each(
        0,
        "system_channel_flags verification_level mfa_level explicit_content_filter premium_tier "
        "premium_subscription_count nsfw_level",
    ),
    **each(False, "widget_enabled premium_progress_bar_enabled nsfw"),  # noqa: FBT003
    "max_stage_video_channel_users": 50,
    "max_video_channel_users": 25,
    **each([], "features emojis stickers"),
    "region": "us-east",
    "afk_timeout": 300,
    "default_message_notifications": 1,
    "max_members": 500_000,
}


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
            "bot": self.bot,
            **_USER,
        }

    def member(self) -> Payload:
        """The membership in the server as Discord sends it beside a user."""
        return {
            "joined_at": moment(_JOINED),
            "roles": [str(role) for role in self.roles],
            **_MEMBER,
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


class Membership(StrEnum):
    """The bot's membership in the server."""

    JOINED = "joined"
    UNAVAILABLE = "unavailable"
    """The bot is a member, but Discord has an outage there."""
    LEFT = "left"


@dataclass(eq=False, slots=True)
class Role:
    """A role of members; who has a higher one may give it, with the right to manage roles."""

    id: Snowflake
    name: str
    position: int
    granted: Permission = NONE
    managed: bool = False
    """Whether it belongs to a bot, so that nobody can give it."""
    linked: bool = False
    """Whether members link accounts elsewhere to get it."""

    def payload(self) -> Payload:
        """The role as Discord sends it."""
        tags: Payload = {"tags": {"guild_connections": None}} if self.linked else {}
        return {
            "id": str(self.id),
            "name": self.name,
            "permissions": str(self.granted.value),
            "position": self.position,
            "managed": self.managed,
            **_ROLE,
            **tags,
        }


def _roles() -> list[Role]:
    """The roles from the start, the lowest first."""
    champion = Role(fixed(31), "Champion", 1)
    return [champion, Role(BOTS_ROLE, "Parlour", 2, Permission.MANAGE_ROLES, managed=True)]


@dataclass(slots=True)
class Guild:
    """A server; `roles` are those beside the role of everybody.

    The audit log has the reasons for roles given, the oldest first.
    """

    id: Snowflake
    name: str
    owner: Account
    locale: str
    membership: Membership = Membership.JOINED
    roles: list[Role] = field(default_factory=_roles)
    audit_log: list[str] = field(default_factory=list)

    def partial(self) -> Payload:
        """The server as it stands in an interaction."""
        return {"id": str(self.id), "locale": self.locale, "features": []}

    def all_roles(self) -> list[Role]:
        """All roles; that of everybody has the server's id."""
        return [Role(self.id, "@everyone", 0, USUAL), *self.roles]

    def payload(self) -> Payload:
        """The server as Discord sends it."""
        return {
            "id": str(self.id),
            "name": self.name,
            "owner_id": str(self.owner.id),
            "preferred_locale": self.locale,
            "roles": [role.payload() for role in self.all_roles()],
            "application_id": str(BOT),
            **_GUILD,
        }


def _installs() -> dict[str, Payload]:
    return {kind: {"scopes": ["applications.commands"], "permissions": "0"} for kind in "01"}


@dataclass(eq=False, slots=True)
class Application:
    """The settings of the bot's application, which its owner has in the developer portal."""

    installs: dict[str, Payload] = field(default_factory=_installs)
    """The scopes and permissions to ask for, by kind: "0" into a server, "1" for a user."""

    def start_limit(self, now: float) -> Payload:  # noqa: ARG002 - a strict Discord counts
        """The limit of starts, as Discord tells it at `now`."""
        return {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}

    def payload(self) -> Payload:
        """The settings as Discord sends them."""
        return {
            "flags": 0,
            "flags_new": "0",
            "bot_require_code_grant": False,
            "interactions_endpoint_url": None,
            "integration_types_config": {
                kind: {"oauth2_install_params": params} for kind, params in self.installs.items()
            },
        }
