"""The components of a message: containers, texts, pictures, rows of buttons and menus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainSerializer,
    PlainValidator,
    StrictBool,
    ValidationInfo,
)

from bot.sandbox.model.controls import (
    Button,
    Component,
    ComponentContext,
    ComponentType,
    Control,
    MenuComponent,
)
from bot.sandbox.model.files import MessageFile
from bot.sandbox.model.forms import JsonForm, Number, fault, sized
from bot.sandbox.payload import Payload, is_object

_MOST_COMPONENTS: Final = 40
_MOST_TEXT: Final = 4000


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


def _referred(media: object, info: ValidationInfo[ComponentContext]) -> MessageFile:
    url = media.get("url") if is_object(media) else None
    if not url:
        raise fault("BASE_TYPE_REQUIRED", "This field is required", at="url")
    file = info.context.files.get(str(url).removeprefix("attachment://"))
    if file is None or url == file.filename:
        code = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
        raise fault(code, f"Referenced attachment ({url}) was not found", at="url")
    return file


def _told(file: MessageFile) -> Payload:
    return {
        "id": str(file.id),
        "url": file.url,
        "proxy_url": file.url,
        "attachment_id": str(file.id),
        "content_type": file.content_type,
        **file.extent(),
    }


class GalleryItem(JsonForm):
    """One of the message's pictures, with a description for those who cannot see it."""

    file: Annotated[
        MessageFile, PlainValidator(_referred), PlainSerializer(_told), Field(alias="media")
    ]
    description: Annotated[str, sized(0, 1024), PlainSerializer(lambda text: text or None)] = ""
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


C = TypeVar("C", bound=Component)


def arranged(components: tuple[C, ...]) -> tuple[C, ...]:
    """The components of a message or modal, each with its id, and buttons with their positions."""
    found = list(every(components))
    taken = {each.id for each in found}
    free = (number for number in count(1) if number not in taken)
    rows = (each for each in found if isinstance(each, ActionRow))
    for number, row in enumerate(rows):
        for column, control in enumerate(row.components):
            if isinstance(control, Button):
                control.place((number, column))
    for each in found:
        each.id = each.id or next(free)
    return components


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
        tuple[Annotated[ActionRow, only(ComponentType.ROW)], ...],
        sized(0, 5),
        AfterValidator(arranged),
    ] = ()


class ComponentLayout(JsonForm):
    """Components of the second version, which are the whole of the message."""

    components: Annotated[
        tuple[Annotated[Block | Container, Field(discriminator="type")], ...],
        sized(0, _MOST_COMPONENTS),
        AfterValidator(arranged),
        AfterValidator(_within_the_totals),
    ] = ()
