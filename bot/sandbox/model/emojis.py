"""The application's own emoji: pictures that it may use in texts, on buttons and in menus."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bot.sandbox.model.accounts import Account
from bot.sandbox.payload import Payload
from bot.sandbox.snowflakes import Mint, Snowflake


@dataclass(frozen=True, slots=True)
class Image:
    """A picture as it was sent, and what kind it is, such as `image/png`."""

    data: bytes
    content_type: str

    @property
    def animated(self) -> bool:
        """Whether it may move."""
        return self.content_type == "image/gif"


@dataclass(frozen=True, slots=True)
class OwnEmoji:
    """An emoji of the application, written `<:name:id>` in texts."""

    id: Snowflake
    name: str
    image: Image
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
            "animated": self.image.animated,
            "available": True,
        }


class Emojis:
    """All emoji of the application, oldest first."""

    def __init__(self, mint: Mint) -> None:
        self._mint = mint
        self._stored: dict[Snowflake, OwnEmoji] = {}

    def __iter__(self) -> Iterator[OwnEmoji]:
        return iter(self._stored.values())

    def __len__(self) -> int:
        return len(self._stored)

    def get(self, emoji_id: Snowflake) -> OwnEmoji | None:
        """The emoji with that id."""
        return self._stored.get(emoji_id)

    def add(self, name: str, image: Image, creator: Account) -> OwnEmoji:
        """A new emoji."""
        emoji = OwnEmoji(self._mint(), name, image, creator)
        self._stored[emoji.id] = emoji
        return emoji

    def rename(self, emoji: OwnEmoji, name: str) -> OwnEmoji:
        """The emoji under its new name."""
        self._stored[emoji.id] = replace(emoji, name=name)
        return self._stored[emoji.id]

    def remove(self, emoji: OwnEmoji) -> None:
        """Forget the emoji; messages that have it show its name."""
        del self._stored[emoji.id]
