"""Buttons, menus, and the common parts of all components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from operator import not_
from typing import Annotated, Final, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, StrictBool, ValidationInfo, model_validator

from bot.sandbox.model.emojis import ApplicationEmojis
from bot.sandbox.model.files import MessageFile
from bot.sandbox.model.forms import SPARSE, Id, JsonForm, Number, fault, length_fault, sized
from bot.sandbox.model.unicode_emoji import is_emoji

ButtonPosition: TypeAlias = tuple[int, int]
"""Row and column, both from 0: rows are all action rows of the message, from top to bottom."""

_LINK: Final = 5


class ComponentType(IntEnum):
    """Discord's component types, as far as the sandbox knows them."""

    ROW = 1
    BUTTON = 2
    SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    CHANNEL_SELECT = 8
    TEXT = 10
    GALLERY = 12
    CONTAINER = 17
    LABEL = 18


@dataclass(frozen=True, slots=True)
class ComponentContext:
    """The context in which components of one message or modal are read.

    `files` are those that it can refer to, by name; `ids` and `custom_ids` the ones taken so far.
    """

    emojis: ApplicationEmojis
    files: Mapping[str, MessageFile] = field(default_factory=dict)
    ids: set[int] = field(default_factory=set)
    custom_ids: set[str] = field(default_factory=set)


def _unique_id(chosen: int, info: ValidationInfo[ComponentContext]) -> int:
    if chosen in info.context.ids:
        raise fault("COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
    if chosen:
        info.context.ids.add(chosen)
    return chosen


def _unique_custom_id(custom_id: str, info: ValidationInfo[ComponentContext]) -> str:
    if custom_id in info.context.custom_ids:
        raise fault("COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
    info.context.custom_ids.add(custom_id)
    return custom_id


CustomId = Annotated[str, sized(1, 100), AfterValidator(_unique_custom_id)]
"""The id that a press sends, unique in its message or modal."""


class Component(JsonForm):
    """A component; its `id` is its own choice, or else the next free number."""

    id: Annotated[Number, Field(le=2**31 - 1), AfterValidator(_unique_id)] = 0

    @property
    def inner(self) -> Sequence[Component]:
        """The components in it, from top to bottom."""
        return ()


class Emoji(JsonForm):
    """A Unicode emoji, or one of the application's where it has an id."""

    id: Annotated[Id | None, SPARSE] = None
    name: Annotated[str, sized(0, 32)] = ""
    animated: Annotated[bool | None, Field(exclude_if=lambda value: value is None)] = None

    @model_validator(mode="after")
    def _known(self, info: ValidationInfo[ComponentContext]) -> Self:
        if self.id is None:
            if not is_emoji(self.name):
                raise fault("COMPONENT_INVALID_EMOJI", "Invalid emoji", at="name")
            self.animated = None
            return self
        own = info.context.emojis.get(self.id)
        if own is None:
            raise fault("COMPONENT_INVALID_EMOJI", "Invalid emoji", at="id")
        self.name, self.animated = own.name, False
        return self


class Button(Component):
    """A button; those with a `custom_id` can be pressed, those with a `url` are links."""

    type: Literal[ComponentType.BUTTON]
    style: Literal[1, 2, 3, 4, 5]
    label: Annotated[str, sized(0, 80), SPARSE] = ""
    emoji: Annotated[Emoji | None, SPARSE] = None
    custom_id: Annotated[CustomId, SPARSE] = ""
    url: Annotated[str, sized(1, 512), SPARSE] = ""
    disabled: Annotated[StrictBool, SPARSE] = False
    _position: ButtonPosition

    @property
    def position(self) -> ButtonPosition:
        """Where it stands in the message."""
        return self._position

    def place(self, position: ButtonPosition) -> None:
        """Note where it stands in the message."""
        self._position = position

    @model_validator(mode="after")
    def _fits_its_style(self) -> Self:
        if not self.label.strip() and self.emoji is None:
            words = "A button must have a label or an emoji."
            raise fault("BUTTON_COMPONENT_EMPTY", words, at="label")
        needed, other = ("url", "custom_id") if self.style == _LINK else ("custom_id", "url")
        if getattr(self, other):
            code = "BUTTON_COMPONENT_FIELD_MUTUALLY_EXCLUSIVE"
            raise fault(code, f"A button of this style cannot have a {other}.", at=other)
        if not getattr(self, needed):
            raise fault("BASE_TYPE_REQUIRED", "This field is required", at=needed)
        if self.url and not self.url.startswith(("http://", "https://", "discord://")):
            words = f'Scheme "{self.url.partition(":")[0]}" is not supported.'
            raise fault("URL_TYPE_INVALID_SCHEME", words, at="url")
        return self


class MenuOption(JsonForm):
    """One line of a menu."""

    label: Annotated[str, sized(1, 100)]
    value: Annotated[str, sized(1, 100)]
    description: Annotated[str, sized(0, 100), SPARSE] = ""
    emoji: Annotated[Emoji | None, SPARSE] = None
    default: Annotated[StrictBool, SPARSE] = False


def _unique_values(choices: list[MenuOption]) -> list[MenuOption]:
    seen: set[str] = set()
    for index, choice in enumerate(choices):
        if choice.value in seen:
            code = "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"
            raise fault(code, "The specified option value is already used", at=f"{index}.value")
        seen.add(choice.value)
    return choices


class MenuComponent(Component):
    """The common parts of menus: of the bot's lines, of people, and of channels."""

    custom_id: CustomId
    placeholder: Annotated[str, sized(0, 150), SPARSE] = ""
    min_values: Annotated[Number, Field(le=25)] = 1
    max_values: Annotated[Number, Field(ge=1, le=25)] = 1
    disabled: Annotated[StrictBool, SPARSE] = False

    @model_validator(mode="after")
    def _counts_agree(self) -> Self:
        if self.min_values > self.max_values:
            words = f"Must not be less than min_values ({self.min_values})."
            raise fault("SELECT_COMPONENT_VALUES_OUT_OF_RANGE", words, at="max_values")
        return self


class Select(MenuComponent):
    """A menu of the lines that the bot has written."""

    type: Literal[ComponentType.SELECT]
    choices: Annotated[
        list[MenuOption], Field(alias="options"), sized(1, 25), AfterValidator(_unique_values)
    ]

    @model_validator(mode="after")
    def _enough_choices(self) -> Self:
        if self.max_values > len(self.choices):
            # Discord tells of too high a `max_values` as of too few options.
            raise length_fault(self.max_values, 25, at="options")
        if sum(choice.default for choice in self.choices) > self.max_values:
            words = f"Must not have more than {self.max_values} default options."
            raise fault("SELECT_COMPONENT_MAX_DEFAULTS", words, at="options")
        return self


class DefaultValue(JsonForm):
    """A person or a channel that is chosen already when a menu is drawn."""

    id: Id
    type: Literal["user", "channel"]


class EntityMenu(MenuComponent):
    """A menu that Discord fills by itself."""

    type: ComponentType
    chosen: Annotated[
        tuple[DefaultValue, ...], Field(alias="default_values", exclude_if=not_), sized(0, 25)
    ] = ()

    @model_validator(mode="after")
    def _chosen_within_bounds(self) -> Self:
        if self.chosen and not self.min_values <= len(self.chosen) <= self.max_values:
            words = f"Must be between {self.min_values} and {self.max_values} in length."
            raise fault("BASE_TYPE_BAD_LENGTH", words, at="default_values")
        kind = "user" if self.type is ComponentType.USER_SELECT else "channel"
        for index, each in enumerate(self.chosen):
            if each.type != kind:
                words = f"Value must be one of {{'{kind}'}}."
                raise fault("BASE_TYPE_CHOICES", words, at=f"default_values.{index}.type")
        return self


class UserSelect(EntityMenu):
    """A menu of people and bots."""

    type: Literal[ComponentType.USER_SELECT]


class ChannelSelect(EntityMenu):
    """A menu of the server's channels, of some types or of all."""

    type: Literal[ComponentType.CHANNEL_SELECT]
    channel_types: Annotated[tuple[Number, ...], SPARSE] = ()


SelectMenu: TypeAlias = Select | UserSelect | ChannelSelect
"""A menu of any kind."""

Control: TypeAlias = Button | SelectMenu
"""A button or a menu."""
