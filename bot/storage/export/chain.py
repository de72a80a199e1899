"""Lines of JSON of which none can be altered, lost, added or moved unseen.

The last member of each line's object is its check: the first 16 hexadecimal digits of the SHA-256
over the check of the line before, if there is one, and the bytes of the line up to the check. Lines
have one way to be written: ASCII, no space between members, a line feed at the end.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from json import JSONEncoder
from typing import Any, BinaryIO, Final, NoReturn

from bot.storage.export import WrongExport

LONGEST: Final = 1 << 26
"""How many bytes a line may have; the longest game or list of channels has a thousandth of it."""

DIGITS: Final = 16

_ENDING: Final = len(',"check":"') + DIGITS + len('"}\n')
_encode: Final = JSONEncoder(separators=(",", ":"), allow_nan=False).encode


class Chain:
    """Gives each line its check, which follows from all lines before."""

    def __init__(self) -> None:
        self._last = b""

    def line(self, body: bytes) -> bytes:
        """The next line: an object with its check, from its text without the closing brace."""
        self._last = sha256(self._last + body).hexdigest()[:DIGITS].encode()
        return b'%b,"check":"%b"}\n' % (body, self._last)


def body(values: Mapping[str, Any]) -> bytes:
    """What a line says, without its check and the closing brace."""
    return _encode(values)[:-1].encode()


def unchained(file: BinaryIO) -> Iterator[dict[str, Any]]:
    """What the lines of a file say, without their checks.

    Raises:
        WrongExport: A line is not as it was written.
    """
    chain = Chain()
    number = 0
    while line := file.readline(LONGEST):
        number += 1
        if len(line) < LONGEST and not line.endswith(b"\n"):
            raise WrongExport(f"the file ends within line {number}.")
        said = line[:-_ENDING]
        if chain.line(said) != line:
            raise WrongExport(f"line {number} is not as it was written.")
        yield _values(said, number)


def _values(said: bytes, number: int) -> dict[str, Any]:
    try:
        values = json.loads(said + b"}", parse_constant=_no_number)
        if isinstance(values, dict) and body(values) == said:
            return values
    except (ValueError, RecursionError):
        pass
    raise WrongExport(f"line {number} is not written as lines of an export are.")


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)
