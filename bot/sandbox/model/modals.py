"""Modals: forms that open above the chat and are sent back filled in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from bot.sandbox.model.components import Text
from bot.sandbox.model.controls import Choice, Kind, Select
from bot.sandbox.payload import Payload


@dataclass(frozen=True, slots=True)
class TextInput:
    """A line or, in style 2, a paragraph to write; `label` only where no Label wraps it."""

    id: int
    custom_id: str
    label: str
    style: int
    value: str
    placeholder: str
    shortest: int
    longest: int
    required: bool

    @property
    def kind(self) -> Kind:
        """Discord's type of it."""
        return Kind.TEXT_INPUT

    def payload(self) -> Payload:
        """The input as the page is told about it."""
        return {
            "type": Kind.TEXT_INPUT.value,
            "id": self.id,
            "custom_id": self.custom_id,
            "label": self.label or None,
            "style": self.style,
            "value": self.value,
            "placeholder": self.placeholder,
            "required": self.required,
            "min_length": self.shortest,
            "max_length": self.longest,
        }


@dataclass(frozen=True, slots=True)
class Tick:
    """One checkbox, or a group of radio buttons or checkboxes, by `kind`."""

    id: int
    kind: Kind
    custom_id: str
    choices: tuple[Choice, ...]
    fewest: int
    most: int
    default: bool

    def payload(self) -> Payload:
        """The boxes as the page is told about them."""
        told: Payload = {"type": self.kind.value, "id": self.id, "custom_id": self.custom_id}
        if self.kind is Kind.CHECKBOX:
            return told | {"default": self.default}
        told["options"] = [choice.payload() for choice in self.choices]
        told["required"] = self.fewest > 0
        if self.kind is Kind.CHECKBOX_GROUP:
            told |= {"min_values": self.fewest, "max_values": self.most}
        return told


Field: TypeAlias = TextInput | Select | Tick


@dataclass(frozen=True, slots=True)
class Labelled:
    """A field with a label, or (`kind` ROW) a text input that carries its own."""

    id: int
    kind: Kind
    label: str
    description: str
    field: Field

    def payload(self) -> Payload:
        """The labelled field as the page is told about it."""
        inner = self.field.payload()
        if self.kind is Kind.ROW:
            return {"type": self.kind.value, "id": self.id, "components": [inner]}
        if isinstance(self.field, Select):
            inner["required"] = self.field.required
        return {
            "type": self.kind.value,
            "id": self.id,
            "label": self.label,
            "description": self.description,
            "component": inner,
        }


@dataclass(frozen=True, slots=True)
class Modal:
    """A form that the bot has opened for a person."""

    custom_id: str
    title: str
    components: tuple[Labelled | Text, ...]

    def fields(self) -> Iterator[Field]:
        """What can be filled in, from top to bottom."""
        return (part.field for part in self.components if isinstance(part, Labelled))

    def payload(self) -> Payload:
        """The modal as the page is told about it."""
        return {
            "custom_id": self.custom_id,
            "title": self.title,
            "components": [component.payload() for component in self.components],
        }
