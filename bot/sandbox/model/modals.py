"""Modals: forms that open above the chat and are sent back filled in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, StrictBool, model_validator

from bot.sandbox.model.components import arranged, only
from bot.sandbox.model.controls import Component, ComponentType, CustomId
from bot.sandbox.model.forms import JsonForm, Number, fault, length_fault, sized


class TextInput(Component):
    """A line or, in style 2, a paragraph to write."""

    type: Literal[ComponentType.TEXT_INPUT]
    custom_id: CustomId
    style: Literal[1, 2]
    value: str = ""
    placeholder: Annotated[str, sized(0, 100)] = ""
    min_length: Annotated[Number, Field(le=4000)] = 0
    max_length: Annotated[Number, Field(ge=1, le=4000)] = 4000
    required: StrictBool = True

    @model_validator(mode="after")
    def _lengths_agree(self) -> Self:
        if self.min_length > self.max_length:
            words = f"Must not be greater than {self.max_length}."
            raise fault("TEXT_INPUT_LENGTHS_OUT_OF_ORDER", words, at="min_length")
        if len(self.value) > self.max_length:
            raise length_fault(0, self.max_length, at="value")
        return self


class Label(Component):
    """A field with its label."""

    type: Literal[ComponentType.LABEL]
    label: Annotated[str, sized(1, 45)]
    description: Annotated[str, sized(0, 100)] = ""
    component: Annotated[TextInput, only(ComponentType.TEXT_INPUT)]

    @property
    def inner(self) -> Sequence[Component]:
        """The field."""
        return (self.component,)


class Modal(JsonForm):
    """A form that the bot has opened for a person."""

    custom_id: Annotated[str, sized(1, 100)]
    title: Annotated[str, sized(1, 45)]
    components: Annotated[
        tuple[Annotated[Label, only(ComponentType.LABEL)], ...],
        sized(1, 5),
        AfterValidator(arranged),
    ]
