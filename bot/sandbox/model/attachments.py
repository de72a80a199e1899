"""Files that came with messages, kept in memory."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from typing import Final

from bot.sandbox.payload import Payload
from bot.sandbox.snowflakes import Snowflake

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_SPOILER: Final = 1 << 3


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as the bot sent it, in the form field `files[index]`."""

    index: int
    filename: str
    content_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of a message, served at `url`."""

    id: Snowflake
    filename: str
    description: str
    content_type: str
    url: str
    data: bytes

    def described(self, description: str) -> Attachment:
        """The same file with another description."""
        return replace(self, description=description)

    @property
    def spoiler(self) -> bool:
        """Whether it is hidden until somebody wants to see it, which its name says."""
        return self.filename.startswith("SPOILER_")

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height in pixels of a PNG picture; None of anything else."""
        if not self.data.startswith(_PNG) or len(self.data) < 24:
            return None
        width, height = struct.unpack(">II", self.data[16:24])
        return width, height

    def extent(self) -> Payload:
        """Width and height as Discord sends them; nothing of what is no picture."""
        return {} if self.size is None else dict(zip(("width", "height"), self.size, strict=True))

    def payload(self) -> Payload:
        """The attachment as Discord sends it."""
        found: Payload = {
            "id": str(self.id),
            "filename": self.filename,
            "size": len(self.data),
            "url": self.url,
            "proxy_url": self.url,
            "content_type": self.content_type,
            "flags": _SPOILER if self.spoiler else 0,
            **self.extent(),
        }
        if self.description:
            found["description"] = self.description
        return found
