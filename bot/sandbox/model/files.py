"""Files that came with messages, kept in memory."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from bot.sandbox.payload import Payload
from bot.sandbox.snowflakes import Snowflake

PNG: Final = b"\x89PNG\r\n\x1a\n"
"""The first bytes of a PNG picture."""
GIF: Final = b"GIF8"


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

    def extent(self) -> Payload:
        """Width and height as Discord sends them; nothing of what is no picture."""
        return {} if self.size is None else dict(zip(("width", "height"), self.size, strict=True))

    def payload(self) -> Payload:
        """The attachment as Discord sends it."""
        told: Payload = {
            "id": str(self.id),
            "filename": self.filename,
            "size": len(self.data),
            "url": self.url,
            "proxy_url": self.url,
            "content_type": self.content_type,
            "flags": 0,
            **self.extent(),
        }
        return told | ({"description": self.description} if self.description else {})
