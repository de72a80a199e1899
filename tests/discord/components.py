"""Discord's rules for the components of messages and modals, as forms that refuse."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, Self, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainValidator,
    StrictBool,
    ValidationInfo,
    model_validator,
)

from bot.sandbox.model.components import ComponentType, JsonForm
from bot.sandbox.model.files import ApplicationEmojis
from bot.sandbox.payload import is_object
from tests.discord.forms import Id, Number, fault, length_fault, sized

C = TypeVar("C", bound="Component")

_LINK: Final = 5
_MOST_COMPONENTS: Final = 40
_MOST_TEXT: Final = 4000

# The code points with the property Emoji in Unicode's emoji-data.txt, digits left out.
_EMOJI: Final = (
    "©®‼⁉™ℹ↔-↙↩↪⌚⌛⌨⏏⏩-⏳⏸-⏺Ⓜ▪▫▶◀◻-◾☀-☄☎☑☔☕☘☝☠☢☣☦☪☮☯☸-☺♀♂♈-♓♟♠♣♥♦♨♻♾♿⚒-⚗⚙⚛⚜⚠⚡⚧⚪⚫⚰⚱⚽⚾⛄⛅⛈⛎⛏⛑"
    "⛓⛔⛩⛪⛰-⛵⛷-⛺⛽✂✅✈-✍✏✒✔✖✝✡✨✳✴❄❇❌❎❓-❕❗❣❤➕-➗➡➰➿⤴⤵⬅-⬇⬛⬜⭐⭕〰〽㊗㊙"
    "\U0001f004\U0001f0cf\U0001f170\U0001f171\U0001f17e\U0001f17f\U0001f18e\U0001f191-\U0001f19a"
    "\U0001f201\U0001f202\U0001f21a\U0001f22f\U0001f232-\U0001f23a\U0001f250\U0001f251"
    "\U0001f300-\U0001f64f\U0001f680-\U0001f6ff\U0001f7e0-\U0001f7eb\U0001f7f0"
    "\U0001f90c-\U0001f9ff\U0001fa70-\U0001faff"
)
_ONE: Final = f"[{_EMOJI}]\ufe0f?[\U0001f3fb-\U0001f3ff]?[\U000e0020-\U000e007f]*"
_KEYCAP: Final = "[0-9#*]\ufe0f?\u20e3"
_FLAG: Final = "[\U0001f1e6-\U0001f1ff]{2}"
_PATTERN: Final = re.compile(f"(?:{_ONE}(?:\u200d{_ONE})*|{_KEYCAP}|{_FLAG})")


def is_emoji(text: str) -> bool:
    """Whether the text is exactly one emoji."""
    return _PATTERN.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class ComponentContext:
    """The context in which components of one message or modal are read.

    `files` are those that it can refer to, by name; `ids` and `custom_ids` the ones taken so far.
    """

    emojis: ApplicationEmojis
    files: Collection[str] = ()
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

    id: Id | None = None
    name: Annotated[str, sized(0, 32)] = ""
    animated: bool | None = None

    @model_validator(mode="after")
    def _known(self, info: ValidationInfo[ComponentContext]) -> Self:
        if self.id is None:
            if not is_emoji(self.name):
                raise fault("COMPONENT_INVALID_EMOJI", "Invalid emoji", at="name")
        elif self.id not in info.context.emojis:
            raise fault("COMPONENT_INVALID_EMOJI", "Invalid emoji", at="id")
        return self


class Button(Component):
    """A button; those with a `custom_id` can be pressed, those with a `url` are links."""

    type: Literal[ComponentType.BUTTON]
    style: Literal[1, 2, 3, 4, 5]
    label: Annotated[str, sized(0, 80)] = ""
    emoji: Emoji | None = None
    custom_id: CustomId = ""
    url: Annotated[str, sized(1, 512)] = ""
    disabled: StrictBool = False

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
    description: Annotated[str, sized(0, 100)] = ""
    emoji: Emoji | None = None
    default: StrictBool = False


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
    placeholder: Annotated[str, sized(0, 150)] = ""
    min_values: Annotated[Number, Field(le=25)] = 1
    max_values: Annotated[Number, Field(ge=1, le=25)] = 1
    disabled: StrictBool = False

    @model_validator(mode="after")
    def _counts_agree(self) -> Self:
        _check_counts(self.min_values, self.max_values)
        return self


def _check_counts(least: int, most: int) -> None:
    if least > most:
        words = f"Must not be less than min_values ({least})."
        raise fault("SELECT_COMPONENT_VALUES_OUT_OF_RANGE", words, at="max_values")


def _check_defaults(choices: Sequence[MenuOption], most: int) -> None:
    if sum(choice.default for choice in choices) > most:
        words = f"Must not have more than {most} default options."
        raise fault("SELECT_COMPONENT_MAX_DEFAULTS", words, at="options")


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
        _check_defaults(self.choices, self.max_values)
        return self


class DefaultValue(JsonForm):
    """A person or a channel that is chosen already when a menu is drawn."""

    id: Id
    type: Literal["user", "channel"]


class EntityMenu(MenuComponent):
    """A menu that Discord fills by itself."""

    type: ComponentType
    chosen: Annotated[tuple[DefaultValue, ...], Field(alias="default_values"), sized(0, 25)] = ()

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
    channel_types: tuple[Number, ...] = ()


SelectMenu: TypeAlias = Select | UserSelect | ChannelSelect
"""A menu of any kind."""

Control: TypeAlias = Button | SelectMenu
"""A button or a menu."""


def _one_row_wide(controls: tuple[Control, ...]) -> tuple[Control, ...]:
    if len(controls) > 1 and any(isinstance(control, MenuComponent) for control in controls):
        words = "The specified component exceeds the maximum width"
        raise fault("COMPONENT_LAYOUT_WIDTH_EXCEEDED", words)
    return controls


class ActionRow(Component):
    """Up to five buttons, or one menu."""

    type: Literal[ComponentType.ROW]
    components: Annotated[
        tuple[Annotated[Control, Field(discriminator="type")], ...],
        sized(1, 5),
        AfterValidator(_one_row_wide),
    ]

    @property
    def inner(self) -> Sequence[Component]:
        """Its buttons, or its menu."""
        return self.components


class TextDisplay(Component):
    """Markdown of its own."""

    type: Literal[ComponentType.TEXT]
    content: Annotated[str, sized(1, _MOST_TEXT)]


def _referred(media: object, info: ValidationInfo[ComponentContext]) -> object:
    url = media.get("url") if is_object(media) else None
    if not url:
        raise fault("BASE_TYPE_REQUIRED", "This field is required", at="url")
    name = str(url).removeprefix("attachment://")
    if name not in info.context.files or url == name:
        code = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
        raise fault(code, f"Referenced attachment ({url}) was not found", at="url")
    return media


class GalleryItem(JsonForm):
    """One of the message's pictures, with a description for those who cannot see it."""

    media: Annotated[object, PlainValidator(_referred)]
    description: Annotated[str, sized(0, 1024)] = ""
    spoiler: StrictBool = False


class Gallery(Component):
    """Up to ten pictures."""

    type: Literal[ComponentType.GALLERY]
    items: Annotated[tuple[GalleryItem, ...], sized(1, 10)]


Block: TypeAlias = ActionRow | TextDisplay | Gallery
"""The components that fit into a container."""


class Container(Component):
    """A box around components, with a coloured edge where it has an accent colour."""

    type: Literal[ComponentType.CONTAINER]
    components: Annotated[
        tuple[Annotated[Block, Field(discriminator="type")], ...], sized(1, _MOST_COMPONENTS)
    ]
    accent_color: Annotated[Number, Field(le=0xFFFFFF)] | None = None
    spoiler: StrictBool = False

    @property
    def inner(self) -> Sequence[Component]:
        """The components in the box."""
        return self.components


def every(components: Sequence[Component]) -> Iterator[Component]:
    """All components from top to bottom, each before those in it."""
    for component in components:
        yield component
        yield from every(component.inner)


def texts(components: Sequence[Component]) -> Iterator[str]:
    """The text of every text display, from top to bottom."""
    return (each.content for each in every(components) if isinstance(each, TextDisplay))


def _within_the_totals(components: tuple[C, ...]) -> tuple[C, ...]:
    if sum(1 for _ in every(components)) > _MOST_COMPONENTS:
        words = f"The total number of components cannot exceed {_MOST_COMPONENTS}"
        raise fault("COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", words)
    if sum(map(len, texts(components))) > _MOST_TEXT:
        words = f"The total size of displayable text cannot exceed {_MOST_TEXT} characters"
        raise fault("COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", words)
    return components


def only(kind: ComponentType) -> BeforeValidator:
    """The rule that a component is of that type."""

    def check(data: object) -> object:
        if is_object(data) and data.get("type") != kind:
            words = f"Value of field must be one of ({kind.value})."
            raise fault("UNION_TYPE_CHOICES", words, at="type")
        return data

    return BeforeValidator(check)


class LegacyRows(JsonForm):
    """Up to five action rows, below the content of the message."""

    components: Annotated[
        tuple[Annotated[ActionRow, only(ComponentType.ROW)], ...], sized(0, 5)
    ] = ()


class ComponentLayout(JsonForm):
    """Components of the second version, which are the whole of the message."""

    components: Annotated[
        tuple[Annotated[Block | Container, Field(discriminator="type")], ...],
        sized(0, _MOST_COMPONENTS),
        AfterValidator(_within_the_totals),
    ] = ()


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


def _check_required(least: int, *, required: bool) -> None:
    if required and not least:
        words = "Must not be 0 where an answer is required."
        raise fault("SELECT_COMPONENT_VALUES_OUT_OF_RANGE", words, at="min_values")


class FormMenu(Select):
    """A menu of lines in a modal, where nothing is disabled."""

    required: StrictBool = True
    disabled: Literal[False] = False


class RadioGroup(Component):
    """Lines of which one is chosen."""

    type: Literal[ComponentType.RADIO_GROUP]
    custom_id: CustomId
    choices: Annotated[
        list[MenuOption], Field(alias="options"), sized(2, 10), AfterValidator(_unique_values)
    ]
    required: StrictBool = True

    @model_validator(mode="after")
    def _one_is_chosen(self) -> Self:
        _check_defaults(self.choices, 1)
        return self


class CheckboxGroup(Component):
    """Lines of which each is chosen or not."""

    type: Literal[ComponentType.CHECKBOX_GROUP]
    custom_id: CustomId
    choices: Annotated[
        list[MenuOption], Field(alias="options"), sized(1, 10), AfterValidator(_unique_values)
    ]
    min_values: Annotated[Number, Field(le=10)] = 1
    max_values: Annotated[Number, Field(ge=1, le=10)] = 10
    required: StrictBool = True

    @model_validator(mode="after")
    def _counts_agree(self) -> Self:
        if not self.min_values <= self.max_values <= len(self.choices):
            raise length_fault(self.max_values, 10, at="options")
        _check_required(self.min_values, required=self.required)
        _check_defaults(self.choices, self.max_values)
        return self


class FileUpload(Component):
    """A place for files."""

    type: Literal[ComponentType.FILE_UPLOAD]
    custom_id: CustomId
    min_values: Annotated[Number, Field(le=10)] = 1
    max_values: Annotated[Number, Field(ge=1, le=10)] = 1
    required: StrictBool = True

    @model_validator(mode="after")
    def _counts_agree(self) -> Self:
        _check_counts(self.min_values, self.max_values)
        _check_required(self.min_values, required=self.required)
        return self


FormField: TypeAlias = TextInput | FormMenu | RadioGroup | CheckboxGroup | FileUpload
"""The components that a label may be of, as far as Parlour uses them."""


class Label(Component):
    """A field with its label."""

    type: Literal[ComponentType.LABEL]
    label: Annotated[str, sized(1, 45)]
    description: Annotated[str, sized(0, 100)] = ""
    component: Annotated[FormField, Field(discriminator="type")]

    @property
    def inner(self) -> Sequence[Component]:
        """The field."""
        return (self.component,)


class ModalForm(JsonForm):
    """A form that the bot has opened for a person."""

    custom_id: Annotated[str, sized(1, 100)]
    title: Annotated[str, sized(1, 45)]
    components: Annotated[
        tuple[Annotated[Label, only(ComponentType.LABEL)], ...],
        sized(1, 5),
    ]
