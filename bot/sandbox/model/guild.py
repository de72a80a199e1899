"""A server of the sandbox, as Discord describes it, and whether the bot is there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.sandbox.model.accounts import BOT, USUAL, Account
from bot.sandbox.payload import Payload, nothing
from bot.sandbox.snowflakes import Snowflake


class Membership(StrEnum):
    """The bot's membership in the server."""

    JOINED = "joined"
    UNAVAILABLE = "unavailable"
    """The bot is a member, but Discord has an outage there."""
    LEFT = "left"


@dataclass(slots=True)
class Guild:
    """A server."""

    id: Snowflake
    name: str
    owner: Account
    locale: str
    membership: Membership = Membership.JOINED

    def partial(self) -> Payload:
        """The server as it stands in an interaction."""
        return {"id": str(self.id), "locale": self.locale, "features": []}

    def role(self) -> Payload:
        """The role of everybody, which has the server's id."""
        colors: Payload = {"primary_color": 0, "secondary_color": None, "tertiary_color": None}
        return {
            "id": str(self.id),
            "name": "@everyone",
            "permissions": str(USUAL.value),
            "position": 0,
            "color": 0,
            "colors": colors,
            "hoist": False,
            "managed": False,
            "mentionable": False,
            "icon": None,
            "unicode_emoji": None,
            "flags": 0,
        }

    def payload(self) -> Payload:
        """The server as Discord sends it."""
        return {
            "id": str(self.id),
            "name": self.name,
            "owner_id": str(self.owner.id),
            "preferred_locale": self.locale,
            "roles": [self.role()],
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
