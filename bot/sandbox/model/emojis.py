"""The application's own emoji: pictures that it may use in texts, on buttons and in menus."""

from __future__ import annotations

from collections.abc import Iterator
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


class ApplicationEmojis:
    """All emoji of the application, oldest first."""

    def __init__(self, mint: Mint) -> None:
        self._mint = mint
        self._stored: dict[Snowflake, ApplicationEmoji] = {}

    def __iter__(self) -> Iterator[ApplicationEmoji]:
        return iter(self._stored.values())

    def __len__(self) -> int:
        return len(self._stored)

    def get(self, emoji_id: Snowflake) -> ApplicationEmoji | None:
        """The emoji with that id."""
        return self._stored.get(emoji_id)

    def add(self, name: str, image: bytes, creator: Account) -> ApplicationEmoji:
        """A new emoji."""
        emoji = ApplicationEmoji(self._mint(), name, image, creator)
        self._stored[emoji.id] = emoji
        return emoji

    def remove(self, emoji: ApplicationEmoji) -> None:
        """Forget the emoji; messages that have it show its name."""
        del self._stored[emoji.id]
