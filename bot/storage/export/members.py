"""What the members of a line may be: types and ranges."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import pairwise
from typing import Any, Final, TypeAlias, TypeVar

from bot.storage.schema import EPOCH

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)
Kind: TypeAlias = Callable[[Any], T]
"""Gives what a value of JSON stands for, or raises `Wrong` with what it must be."""

_SHOWN: Final = 60


class Wrong(Exception):
    """A line says what cannot be; the message says what, as the end of a sentence."""


class Members:
    """The members of a line."""

    def __init__(self, values: Mapping[str, Any], names: Sequence[str]) -> None:
        """Takes the members if they are those of `names`, in that order.

        Raises:
            Wrong: They are others.
        """
        for name in names:
            if name not in values:
                raise Wrong(f"{name} is missing.")
        for name in values:
            if name not in names:
                raise Wrong(f"it has {shown(name)}, which is not known here.")
        if tuple(values) != tuple(names):
            raise Wrong("its members are in another order than those of an export.")
        self._values = values

    def __call__(self, name: str, kind: Kind[T]) -> T:
        """What a member stands for.

        Raises:
            Wrong: It is not of that kind.
        """
        value = self._values[name]
        try:
            return kind(value)
        except Wrong as error:
            raise Wrong(f"{name} is {shown(value)}, but must be {error}.") from None


def shown(value: object) -> str:
    """A value in a sentence: short."""
    try:
        text = json.dumps(value)
    except RecursionError:
        text = "…"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def whole(least: int, most: int) -> Kind[int]:
    """Whole numbers within bounds."""

    def kind(value: object) -> int:
        if type(value) is not int or not least <= value <= most:
            raise Wrong(f"a whole number from {least} to {most}")
        return value

    return kind


def flag(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise Wrong("true or false")
    return value


def moment(value: object) -> datetime:
    """Points in time, in milliseconds since 1970 in UTC."""
    return EPOCH + TIME(value) * MILLISECOND


def word(of: type[E]) -> Kind[E]:
    """One of the words of a closed set."""

    def kind(value: object) -> E:
        if not isinstance(value, str) or value not in list(of):
            raise Wrong(f"one of {', '.join(of)}")
        return of(value)

    return kind


def text(pattern: str, what: str) -> Kind[str]:
    """Texts that match a pattern from beginning to end."""
    expression = re.compile(pattern, re.ASCII)

    def kind(value: object) -> str:
        if not isinstance(value, str) or not expression.fullmatch(value):
            raise Wrong(what)
        return value

    return kind


def or_null(kind: Kind[T]) -> Kind[T | None]:
    """What is of another kind, or null."""

    def nullable(value: object) -> T | None:
        try:
            return None if value is None else kind(value)
        except Wrong as error:
            raise Wrong(f"{error}, or null") from None

    return nullable


def list_of(kind: Kind[T], what: str) -> Kind[list[T]]:
    """Lists of what is of another kind."""

    def many(value: object) -> list[T]:
        if not isinstance(value, list):
            raise Wrong(f"a list of {what}")
        try:
            return [kind(each) for each in value]
        except Wrong as error:
            raise Wrong(f"a list of {what}, each {error}") from None

    return many


def ascending(kind: Kind[int], what: str) -> Kind[list[int]]:
    """Lists of numbers that grow."""
    many = list_of(kind, what)

    def sorted_(value: object) -> list[int]:
        numbers = many(value)
        if any(one >= other for one, other in pairwise(numbers)):
            raise Wrong(f"a list of {what}, ascending, none twice")
        return numbers

    return sorted_


NUMBER: Final = whole(1, (1 << 31) - 1)
COUNT: Final = whole(0, (1 << 31) - 1)
SNOWFLAKE: Final = whole(1, (1 << 63) - 1)
"""An id that Discord gave."""
PERSON: Final = whole(-(1 << 63), (1 << 63) - 1)
"""Discord's id of a person; below 0 a former player."""
TIME: Final = whole(0, 253402300799999)
"""Milliseconds since 1970 in UTC, until the end of 9999."""
MILLISECOND: Final = timedelta(milliseconds=1)
LANGUAGE: Final = text(r"[A-Za-z0-9-]{1,16}", "Discord's name of a language")
