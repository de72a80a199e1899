"""The components of messages and modals, as the bot sends them: read, not judged.

As with Discord, null is the same as nothing, and what a form does not know is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import count
from operator import not_
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PrivateAttr,
    ValidationError,
    model_validator,
)

from bot.sandbox.model.files import ApplicationEmojis, MessageFile
from bot.sandbox.payload import Payload, Snowflake, is_object
from bot.sandbox.refusals import INVALID_FORM, RequestRefused

ButtonPosition: TypeAlias = tuple[int, int]
"""Row and column, both from 0: rows are all action rows of the message, from top to bottom."""

SPARSE: Final = Field(exclude_if=not_)
"""Marks a field that is left out of the JSON if it is empty."""

Id = Annotated[Snowflake, PlainSerializer(str)]
"""A snowflake id, which is a string in JSON."""


class JsonForm(BaseModel):
    """A JSON object with known fields."""

    model_config = ConfigDict(serialize_by_alias=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: object) -> object:
        if is_object(data) and None in data.values():
            return {key: value for key, value in data.items() if value is not None}
        return data

    def payload(self) -> Payload:
        """The object as Discord sends it."""
        return self.model_dump(mode="json")


F = TypeVar("F", bound=BaseModel)


def read(form: type[F], data: object) -> F:
    """The data as a form.

    Raises:
        RequestRefused: A field is missing or of another type; the words name the first such.
    """
    try:
        return form.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or form.__name__
        raise RequestRefused(INVALID_FORM, words=f"{where}: {first['msg']}") from None


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
    FILE_UPLOAD = 19
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22


class Component(JsonForm):
    """A component; its `id` is its own choice, or else the next free number."""

    id: int = 0

    @property
    def inner(self) -> Sequence[Component]:
        """The components in it, from top to bottom."""
        return ()


class Emoji(JsonForm):
    """A Unicode emoji, or one of the application's where it has an id."""

    id: Annotated[Id | None, SPARSE] = None
    name: str = ""
    animated: Annotated[bool | None, Field(exclude_if=lambda value: value is None)] = None


class Button(Component):
    """A button; those with a `custom_id` can be pressed, those with a `url` are links."""

    type: Literal[ComponentType.BUTTON]
    style: int
    label: Annotated[str, SPARSE] = ""
    emoji: Annotated[Emoji | None, SPARSE] = None
    custom_id: Annotated[str, SPARSE] = ""
    url: Annotated[str, SPARSE] = ""
    disabled: Annotated[bool, SPARSE] = False
    _position: ButtonPosition = PrivateAttr((0, 0))

    @property
    def position(self) -> ButtonPosition:
        """Where it stands in the message."""
        return self._position

    def place(self, position: ButtonPosition) -> None:
        """Note where it stands in the message."""
        self._position = position


class MenuOption(JsonForm):
    """One line of a menu."""

    label: str
    value: str
    description: Annotated[str, SPARSE] = ""
    emoji: Annotated[Emoji | None, SPARSE] = None
    default: Annotated[bool, SPARSE] = False


class MenuComponent(Component):
    """The common parts of menus: of the bot's lines, of people, and of channels."""

    custom_id: str
    placeholder: Annotated[str, SPARSE] = ""
    min_values: int = 1
    max_values: int = 1
    disabled: Annotated[bool, SPARSE] = False


class Select(MenuComponent):
    """A menu of the lines that the bot has written."""

    type: Literal[ComponentType.SELECT]
    choices: Annotated[list[MenuOption], Field(alias="options")]


class DefaultValue(JsonForm):
    """A person or a channel that is chosen already when a menu is drawn."""

    id: Id
    type: str


class UserSelect(MenuComponent):
    """A menu of people and bots."""

    type: Literal[ComponentType.USER_SELECT]
    chosen: Annotated[tuple[DefaultValue, ...], Field(alias="default_values"), SPARSE] = ()


class ChannelSelect(MenuComponent):
    """A menu of the server's channels, of some types or of all."""

    type: Literal[ComponentType.CHANNEL_SELECT]
    chosen: Annotated[tuple[DefaultValue, ...], Field(alias="default_values"), SPARSE] = ()
    channel_types: Annotated[tuple[int, ...], SPARSE] = ()


SelectMenu: TypeAlias = Select | UserSelect | ChannelSelect
"""A menu of any kind."""

Control: TypeAlias = Button | SelectMenu
"""A button or a menu."""


class ActionRow(Component):
    """A row of buttons, or one menu."""

    type: Literal[ComponentType.ROW]
    components: tuple[Annotated[Control, Field(discriminator="type")], ...]

    @property
    def inner(self) -> Sequence[Component]:
        """Its buttons, or its menu."""
        return self.components


class TextDisplay(Component):
    """Markdown of its own."""

    type: Literal[ComponentType.TEXT]
    content: str


class GalleryItem(JsonForm):
    """One of the message's pictures, with a description for those who cannot see it."""

    media: Payload
    description: Annotated[str, PlainSerializer(lambda text: text or None)] = ""
    spoiler: bool = False
    _file: MessageFile = PrivateAttr()

    @property
    def file(self) -> MessageFile:
        """The picture."""
        return self._file

    def show(self, files: Mapping[str, MessageFile]) -> None:
        """Find the picture among the message's files, by the name that it is referred to by.

        Raises:
            RequestRefused: There is no such file.
        """
        url = str(self.media.get("url"))
        file = files.get(url.removeprefix("attachment://"))
        if file is None:
            raise RequestRefused(INVALID_FORM, words=f"The message has no file {url}")
        self._file, self.media = file, file.media()


class Gallery(Component):
    """Some pictures."""

    type: Literal[ComponentType.GALLERY]
    items: tuple[GalleryItem, ...]


class Container(Component):
    """A box around components, with a coloured edge where it has an accent colour."""

    type: Literal[ComponentType.CONTAINER]
    components: tuple[
        Annotated[ActionRow | TextDisplay | Gallery, Field(discriminator="type")], ...
    ]
    accent_color: int | None = None
    spoiler: bool = False

    @property
    def inner(self) -> Sequence[Component]:
        """The components in the box."""
        return self.components


Block: TypeAlias = Annotated[
    ActionRow | TextDisplay | Gallery | Container, Field(discriminator="type")
]
"""A component that stands in a message by itself."""


class TextInput(Component):
    """A line or, in style 2, a paragraph to write."""

    type: Literal[ComponentType.TEXT_INPUT]
    custom_id: str
    style: int
    value: str = ""
    placeholder: str = ""
    min_length: int = 0
    max_length: int = 4000
    required: bool = True


class FormMenu(Select):
    """A menu of lines in a modal."""

    required: bool = True


class RadioGroup(Component):
    """Lines of which one is chosen."""

    type: Literal[ComponentType.RADIO_GROUP]
    custom_id: str
    choices: Annotated[list[MenuOption], Field(alias="options")]
    required: bool = True


class CheckboxGroup(Component):
    """Lines of which each is chosen or not."""

    type: Literal[ComponentType.CHECKBOX_GROUP]
    custom_id: str
    choices: Annotated[list[MenuOption], Field(alias="options")]
    min_values: int = 1
    max_values: int = 10
    required: bool = True


class FileUpload(Component):
    """A place for files."""

    type: Literal[ComponentType.FILE_UPLOAD]
    custom_id: str
    min_values: int = 1
    max_values: int = 1
    required: bool = True


FormField: TypeAlias = Annotated[
    TextInput | FormMenu | RadioGroup | CheckboxGroup | FileUpload, Field(discriminator="type")
]
"""A component that is filled in."""


class Label(Component):
    """A field with its label."""

    type: Literal[ComponentType.LABEL]
    label: str
    description: str = ""
    component: FormField

    @property
    def inner(self) -> Sequence[Component]:
        """The field."""
        return (self.component,)


class Modal(JsonForm):
    """A form that the bot has opened for a person."""

    custom_id: str
    title: str
    components: tuple[Label, ...]


def every(components: Sequence[Component]) -> Iterator[Component]:
    """All components from top to bottom, each before those in it."""
    for component in components:
        yield component
        yield from every(component.inner)


def texts(components: Sequence[Component]) -> Iterator[str]:
    """The text of every text display, from top to bottom."""
    return (each.content for each in every(components) if isinstance(each, TextDisplay))


def arrange(
    components: Sequence[Component],
    emojis: ApplicationEmojis,
    files: Mapping[str, MessageFile],
) -> None:
    """Give each component its id, buttons their positions, pictures their files, emoji their names.

    `files` are those of the message, by name.

    Raises:
        RequestRefused: A picture is not among them.
    """
    found = list(every(components))
    taken = {each.id for each in found}
    free = (number for number in count(1) if number not in taken)
    row = 0
    for each in found:
        each.id = each.id or next(free)
        match each:
            case ActionRow():
                for column, control in enumerate(each.components):
                    if isinstance(control, Button):
                        control.place((row, column))
                row += 1
            case Button():
                _name(each.emoji, emojis)
            case Select() | RadioGroup() | CheckboxGroup():
                for choice in each.choices:
                    _name(choice.emoji, emojis)
            case Gallery():
                for item in each.items:
                    item.show(files)


def _name(emoji: Emoji | None, emojis: ApplicationEmojis) -> None:
    if emoji is None:
        return
    own = None if emoji.id is None else emojis.get(emoji.id)
    if own is not None:
        emoji.name, emoji.animated = own.name, False
    elif emoji.id is None:
        emoji.animated = None
