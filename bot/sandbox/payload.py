"""JSON objects as they travel over the wire, with Discord's form of moments and of ids."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Final, NewType, TypeAlias, TypeGuard

from bot.sandbox.clock import SandboxClock

Payload: TypeAlias = dict[str, object]
"""A JSON object. Once sent it is never changed: observers and clients may still hold it."""

Snowflake = NewType("Snowflake", int)
"""The id of anything: milliseconds since 2015 began, then 22 bits that keep ids apart."""

EPOCH: Final = 1_420_070_400_000
"""The beginning of 2015, in milliseconds since 1970 began."""

_FOUNDED: Final = 1_704_067_200_000 - EPOCH
_LONGEST_ID: Final = 20


def fixed(number: int) -> Snowflake:
    """The `number`th id of those that are the same at every start, made early in 2024."""
    return Snowflake((_FOUNDED + number) << 22)


class Mint:
    """Ids of the clock's present, each greater than the one before."""

    def __init__(self, clock: SandboxClock) -> None:
        self._clock = clock
        self._last = 0

    def __call__(self) -> Snowflake:
        """The next id."""
        present = (int(self._clock.now() * 1000) - EPOCH) << 22
        self._last = max(self._last + 1, present)
        return Snowflake(self._last)


def snowflake(value: object) -> Snowflake:
    """The id that a page or a path names; 0, which is nothing's, where it is no id."""
    text = str(value)
    return Snowflake(int(text) if text.isdecimal() and len(text) <= _LONGEST_ID else 0)


def each(value: object, keys: str) -> Payload:
    """The same value for each of the keys, which stand between spaces."""
    return dict.fromkeys(keys.split(), value)


def parsed(raw: bytes | str) -> object:
    """The JSON value that was sent.

    Raises:
        ValueError: It is no JSON, or is nested too deep to be any.
    """
    try:
        value: object = json.loads(raw)
    except RecursionError:
        raise ValueError("The JSON is nested too deep.") from None
    return value


def is_object(value: object) -> TypeGuard[Payload]:
    """Whether the JSON value is an object."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[object]]:
    """Whether the JSON value is an array."""
    return isinstance(value, list)


def moment(seconds: float) -> str:
    """The moment, given in seconds since 1970 began, as Discord writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
