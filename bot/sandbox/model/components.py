"""The components of a message or modal: containers, texts, pictures, rows of buttons and menus.

A button's `position` is (row, column), both from 0: rows are the action rows of the message from
top to bottom, wherever they are nested.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from bot.sandbox.model.files import MessageFile
from bot.sandbox.payload import Payload
from bot.sandbox.snowflakes import Snowflake

ButtonPosition: TypeAlias = tuple[int, int]


class ComponentType(IntEnum):
    """Discord's component types, as far as the sandbox knows them."""

    ROW = 1
    BUTTON = 2
    SELECT = 3
    TEXT_INPUT = 4
    TEXT = 10
    GALLERY = 12
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18


@dataclass(frozen=True, slots=True)
class Emoji:
    """A Unicode emoji, or one of the application's where it has an id."""

    name: str
    id: Snowflake | None = None

    def payload(self) -> Payload:
        """The emoji as Discord sends it."""
        if self.id is None:
            return {"name": self.name}
        return {"name": self.name, "id": str(self.id), "animated": False}


@dataclass(frozen=True, slots=True)
class Button:
    """A button; those with a `custom_id` can be pressed, those with a `url` are links."""

    id: int
    style: int
    label: str
    emoji: Emoji | None
    custom_id: str
    url: str
    disabled: bool
    position: ButtonPosition

    def payload(self) -> Payload:
        """The button as Discord sends it."""
        optional: Payload = {
            "custom_id": self.custom_id,
            "label": self.label,
            "emoji": None if self.emoji is None else self.emoji.payload(),
            "url": self.url,
            "disabled": self.disabled,
        }
        told: Payload = {"type": ComponentType.BUTTON.value, "id": self.id, "style": self.style}
        return told | _present(optional)


@dataclass(frozen=True, slots=True)
class MenuOption:
    """One line of a menu."""

    label: str
    value: str
    description: str
    emoji: Emoji | None
    default: bool

    def payload(self) -> Payload:
        """The line as Discord sends it."""
        optional: Payload = {
            "description": self.description,
            "emoji": None if self.emoji is None else self.emoji.payload(),
            "default": self.default,
        }
        return {"label": self.label, "value": self.value} | _present(optional)


@dataclass(frozen=True, slots=True)
class Select:
    """A menu of the lines that the bot has written."""

    id: int
    custom_id: str
    placeholder: str
    fewest: int
    most: int
    choices: tuple[MenuOption, ...]
    disabled: bool
    required: bool

    def payload(self) -> Payload:
        """The menu as Discord sends it."""
        told: Payload = {
            "type": ComponentType.SELECT.value,
            "id": self.id,
            "custom_id": self.custom_id,
            "min_values": self.fewest,
            "max_values": self.most,
            "options": [choice.payload() for choice in self.choices],
        }
        return told | _present({"placeholder": self.placeholder, "disabled": self.disabled})


Control: TypeAlias = Button | Select
"""What can be pressed or picked from."""


@dataclass(frozen=True, slots=True)
class ActionRow:
    """Up to five buttons, or one menu."""

    id: int
    controls: tuple[Control, ...]

    def payload(self) -> Payload:
        """The row as Discord sends it."""
        inner = [control.payload() for control in self.controls]
        return {"type": ComponentType.ROW.value, "id": self.id, "components": inner}


@dataclass(frozen=True, slots=True)
class TextDisplay:
    """Markdown of its own."""

    id: int
    content: str

    def payload(self) -> Payload:
        """The text as Discord sends it."""
        return {"type": ComponentType.TEXT.value, "id": self.id, "content": self.content}


@dataclass(frozen=True, slots=True)
class GalleryItem:
    """One of the message's pictures, with a description for those who cannot see it."""

    id: Snowflake
    file: MessageFile
    description: str

    def payload(self) -> Payload:
        """The picture as Discord sends it."""
        media: Payload = {
            "id": str(self.id),
            "url": self.file.url,
            "proxy_url": self.file.url,
            "attachment_id": str(self.file.id),
            "content_type": self.file.content_type,
            **self.file.extent(),
        }
        return {"media": media, "description": self.description or None, "spoiler": False}


@dataclass(frozen=True, slots=True)
class Gallery:
    """Up to ten pictures."""

    id: int
    pictures: tuple[GalleryItem, ...]

    def payload(self) -> Payload:
        """The gallery as Discord sends it."""
        items = [picture.payload() for picture in self.pictures]
        return {"type": ComponentType.GALLERY.value, "id": self.id, "items": items}


@dataclass(frozen=True, slots=True)
class Separator:
    """Space between components, with or without a line."""

    id: int
    divider: bool
    spacing: int

    def payload(self) -> Payload:
        """The separator as Discord sends it."""
        told: Payload = {"type": ComponentType.SEPARATOR.value, "id": self.id}
        return told | {"divider": self.divider, "spacing": self.spacing}


@dataclass(frozen=True, slots=True)
class Container:
    """A box around components, with a coloured edge where it has an `accent`."""

    id: int
    components: tuple[ComponentBlock, ...]
    accent: int | None

    def payload(self) -> Payload:
        """The container as Discord sends it."""
        return {
            "type": ComponentType.CONTAINER.value,
            "id": self.id,
            "components": [component.payload() for component in self.components],
            "accent_color": self.accent,
            "spoiler": False,
        }


ComponentBlock: TypeAlias = ActionRow | TextDisplay | Gallery | Separator
Component: TypeAlias = ComponentBlock | Container


def blocks(components: Sequence[Component]) -> Iterator[ComponentBlock]:
    """The components from top to bottom, the contents of containers in their place."""
    for component in components:
        if isinstance(component, Container):
            yield from component.components
        else:
            yield component


def controls(components: Sequence[Component]) -> Iterator[Control]:
    """Every button and menu, from top to bottom."""
    for block in blocks(components):
        if isinstance(block, ActionRow):
            yield from block.controls


def texts(components: Sequence[Component]) -> Iterator[str]:
    """The text of every text display, from top to bottom."""
    return (block.content for block in blocks(components) if isinstance(block, TextDisplay))


def pictures(components: Sequence[Component]) -> Iterator[GalleryItem]:
    """Every picture of a gallery, from top to bottom."""
    for block in blocks(components):
        if isinstance(block, Gallery):
            yield from block.pictures


def _present(fields: Payload) -> Payload:
    return {key: value for key, value in fields.items() if value}
