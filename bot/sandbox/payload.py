"""JSON objects as they travel over the wire, and Discord's form of moments."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TypeAlias, TypeGuard

Payload: TypeAlias = dict[str, object]
"""A JSON object. Once sent it is never changed: observers and clients may still hold it."""


def nothing(keys: str) -> Payload:
    """Null for each of the keys, between spaces: fields that Discord sends without a value."""
    return dict.fromkeys(keys.split())


def is_object(value: object) -> TypeGuard[Payload]:
    """Whether the JSON value is an object."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[object]]:
    """Whether the JSON value is an array."""
    return isinstance(value, list)


def moment(seconds: float) -> str:
    """The moment, given in seconds since 1970 began, as Discord writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
