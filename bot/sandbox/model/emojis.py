"""The application's own emoji: pictures that it may use in texts, on buttons and in menus."""

from __future__ import annotations

from dataclasses import dataclass

from bot.sandbox.model.accounts import Account
from bot.sandbox.payload import Payload
from bot.sandbox.snowflakes import Mint, Snowflake


@dataclass(frozen=True, slots=True)
class ApplicationEmoji:
    """An emoji of the application, written `<:name:id>` in texts; `image` is a PNG."""

    id: Snowflake
    name: str
    image: bytes
    creator: Account

    def payload(self) -> Payload:
        """The emoji as Discord sends it."""
        return {
            "id": str(self.id),
            "name": self.name,
            "user": self.creator.payload(),
            "roles": [],
            "require_colons": True,
            "managed": False,
            "animated": False,
            "available": True,
        }


class ApplicationEmojis(dict[Snowflake, ApplicationEmoji]):
    """All emoji of the application by their ids, oldest first."""

    def __init__(self, mint: Mint) -> None:
        super().__init__()
        self._mint = mint

    def make(self, name: str, image: bytes, creator: Account) -> ApplicationEmoji:
        """A new emoji."""
        emoji = ApplicationEmoji(self._mint(), name, image, creator)
        self[emoji.id] = emoji
        return emoji
