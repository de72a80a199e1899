"""What can be pressed or picked in a message: buttons and menus.

A `position` is (row, column), both from 0: rows are the action rows of the message from top to
bottom, wherever they are nested.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeAlias

from bot.sandbox.payload import Payload
from bot.sandbox.snowflakes import Snowflake

Position: TypeAlias = tuple[int, int]


class Kind(IntEnum):
    """Discord's component types."""

    ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT = 10
    THUMBNAIL = 11
    GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22
    CHECKBOX = 23


SELECTS: Final = frozenset(
    {
        Kind.STRING_SELECT,
        Kind.USER_SELECT,
        Kind.ROLE_SELECT,
        Kind.MENTIONABLE_SELECT,
        Kind.CHANNEL_SELECT,
    }
)


@dataclass(frozen=True, slots=True)
class Emoji:
    """A Unicode emoji, or a custom one where it has an id."""

    name: str
    id: Snowflake | None = None
    animated: bool = False

    def payload(self) -> Payload:
        """The emoji as Discord sends it."""
        if self.id is None:
            return {"name": self.name}
        return {"name": self.name, "id": str(self.id), "animated": self.animated}


@dataclass(frozen=True, slots=True)
class Button:
    """A button; those with a `custom_id` can be pressed, those with a `url` are links."""

    id: int
    style: int
    label: str
    emoji: Emoji | None
    custom_id: str
    url: str
    sku_id: Snowflake | None
    disabled: bool
    position: Position | None

    def payload(self) -> Payload:
        """The button as Discord sends it."""
        found: Payload = {"type": Kind.BUTTON.value, "id": self.id, "style": self.style}
        if self.custom_id:
            found["custom_id"] = self.custom_id
        if self.label:
            found["label"] = self.label
        if self.emoji is not None:
            found["emoji"] = self.emoji.payload()
        if self.url:
            found["url"] = self.url
        if self.sku_id is not None:
            found["sku_id"] = str(self.sku_id)
        if self.disabled:
            found["disabled"] = True
        return found


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of a menu, or one radio button or checkbox of a group."""

    label: str
    value: str
    description: str
    emoji: Emoji | None
    default: bool

    def payload(self) -> Payload:
        """The choice as Discord sends it."""
        found: Payload = {"label": self.label, "value": self.value}
        if self.description:
            found["description"] = self.description
        if self.emoji is not None:
            found["emoji"] = self.emoji.payload()
        if self.default:
            found["default"] = True
        return found


@dataclass(frozen=True, slots=True)
class Select:
    """A menu: of the `choices` where its kind is STRING_SELECT, else of people or channels."""

    id: int
    kind: Kind
    custom_id: str
    placeholder: str
    fewest: int
    most: int
    choices: tuple[Choice, ...]
    defaults: tuple[tuple[str, Snowflake], ...]
    channel_types: tuple[int, ...]
    disabled: bool
    required: bool

    def payload(self) -> Payload:
        """The menu as Discord sends it."""
        found: Payload = {
            "type": self.kind.value,
            "id": self.id,
            "custom_id": self.custom_id,
            "min_values": self.fewest,
            "max_values": self.most,
        }
        if self.placeholder:
            found["placeholder"] = self.placeholder
        if self.kind is Kind.STRING_SELECT:
            found["options"] = [choice.payload() for choice in self.choices]
        if self.defaults:
            found["default_values"] = [
                {"type": kind, "id": str(snowflake)} for kind, snowflake in self.defaults
            ]
        if self.channel_types:
            found["channel_types"] = list(self.channel_types)
        if self.disabled:
            found["disabled"] = True
        return found


Control: TypeAlias = Button | Select
