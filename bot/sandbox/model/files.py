"""Files that came with messages, and the application's own emoji, kept in memory."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from bot.sandbox.model.accounts import Account
from bot.sandbox.payload import Mint, Payload, Snowflake

PNG: Final = b"\x89PNG\r\n\x1a\n"
"""The first bytes of a PNG picture."""

GIF: Final = b"GIF8"

LARGEST_FILE: Final = 10 * 1024 * 1024
"""Bytes that one attachment may have."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as the bot sent it, in the form field `files[index]`."""

    index: int
    filename: str
    content_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class MessageFile:
    """An attachment of a message, served at `url`."""

    id: Snowflake
    filename: str
    description: str
    content_type: str
    url: str
    data: bytes

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height in pixels of a PNG or a GIF; None of anything else."""
        if self.data.startswith(GIF) and len(self.data) > 10:
            across, down = struct.unpack("<HH", self.data[6:10])
            return across, down
        if not self.data.startswith(PNG) or len(self.data) < 24:
            return None
        width, height = struct.unpack(">II", self.data[16:24])
        return width, height

    def _served(self) -> Payload:
        told = {"url": self.url, "proxy_url": self.url, "content_type": self.content_type}
        return told | dict(zip(("width", "height"), self.size or (), strict=False))

    def media(self) -> Payload:
        """The file as Discord sends it in a component that shows it."""
        return {"id": str(self.id), "attachment_id": str(self.id), **self._served()}

    def payload(self) -> Payload:
        """The attachment as Discord sends it."""
        told = {"id": str(self.id), "filename": self.filename, "size": len(self.data), "flags": 0}
        described = {"description": self.description} if self.description else {}
        return told | self._served() | described


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
