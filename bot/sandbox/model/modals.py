"""Modals: forms that open above the chat and are sent back filled in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from bot.sandbox.model.components import ComponentType, Select, TextDisplay
from bot.sandbox.payload import Payload


@dataclass(frozen=True, slots=True)
class TextInput:
    """A line or, in style 2, a paragraph to write."""

    id: int
    custom_id: str
    style: int
    value: str
    placeholder: str
    shortest: int
    longest: int
    required: bool

    def payload(self) -> Payload:
        """The input as the page is told about it."""
        return {
            "type": ComponentType.TEXT_INPUT.value,
            "id": self.id,
            "custom_id": self.custom_id,
            "style": self.style,
            "value": self.value,
            "placeholder": self.placeholder,
            "min_length": self.shortest,
            "max_length": self.longest,
        }


ModalField: TypeAlias = TextInput | Select


@dataclass(frozen=True, slots=True)
class Label:
    """A field with its label."""

    id: int
    label: str
    description: str
    field: ModalField

    def payload(self) -> Payload:
        """The labelled field as the page is told about it."""
        return {
            "type": ComponentType.LABEL.value,
            "id": self.id,
            "label": self.label,
            "description": self.description,
            "component": self.field.payload() | {"required": self.field.required},
        }


@dataclass(frozen=True, slots=True)
class Modal:
    """A form that the bot has opened for a person."""

    custom_id: str
    title: str
    components: tuple[Label | TextDisplay, ...]

    def fields(self) -> Iterator[ModalField]:
        """What can be filled in, from top to bottom."""
        return (part.field for part in self.components if isinstance(part, Label))

    def payload(self) -> Payload:
        """The modal as the page is told about it."""
        return {
            "custom_id": self.custom_id,
            "title": self.title,
            "components": [component.payload() for component in self.components],
        }
