"""Pictures made by hand: PNG of one colour."""

from __future__ import annotations

import struct
import zlib

RED = (0xDD, 0x2E, 0x44)


def png(width: int = 1, height: int = 1, colour: tuple[int, int, int] = RED) -> bytes:
    """A picture of that many pixels."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = (b"\0" + bytes(colour) * width) * height
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    checked = kind + data
    return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))
