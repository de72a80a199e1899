"""A server of the sandbox, as Discord describes it, and whether the bot is there."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from bot.sandbox.model.accounts import BOT, BOTS_ROLE, NONE, USUAL, Account, Permission
from bot.sandbox.payload import Payload, nothing
from bot.sandbox.snowflakes import Snowflake, fixed


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
        colors: Payload = {"primary_color": 0, "secondary_color": None, "tertiary_color": None}
        return {
            "id": str(self.id),
            "name": self.name,
            "permissions": str(self.granted.value),
            "position": self.position,
            "color": 0,
            "colors": colors,
            "hoist": False,
            "managed": self.managed,
            "mentionable": False,
            "icon": None,
            "unicode_emoji": None,
            "flags": 0,
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

    def may_give(self, giver: Account, role: Role) -> bool:
        """Whether a member may give a role to others."""
        own = [each for each in self.roles if each.id in giver.roles]
        managing = any(Permission.MANAGE_ROLES in each.granted for each in own)
        higher = any(each.position > role.position for each in own)
        return managing and higher and not role.managed

    def payload(self) -> Payload:
        """The server as Discord sends it."""
        return {
            "id": str(self.id),
            "name": self.name,
            "owner_id": str(self.owner.id),
            "preferred_locale": self.locale,
            "roles": [each.payload() for each in self.all_roles()],
            "application_id": str(BOT),
            **_NOTHING_SPECIAL,
        }


_NOTHING_SPECIAL: Payload = {
    **nothing(
        "icon description home_header splash discovery_splash banner afk_channel_id "
        "system_channel_id widget_channel_id max_presences vanity_url_code rules_channel_id "
        "safety_alerts_channel_id public_updates_channel_id incidents_data"
    ),
    "features": [],
    "region": "us-east",
    "afk_timeout": 300,
    "system_channel_flags": 0,
    "widget_enabled": False,
    "verification_level": 0,
    "default_message_notifications": 1,
    "mfa_level": 0,
    "explicit_content_filter": 0,
    "max_members": 500_000,
    "max_stage_video_channel_users": 50,
    "max_video_channel_users": 25,
    "premium_tier": 0,
    "premium_subscription_count": 0,
    "premium_progress_bar_enabled": False,
    "nsfw": False,
    "nsfw_level": 0,
    "emojis": [],
    "stickers": [],
}
