"""What a message is laid out in: rows, texts, sections, pictures, containers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.sandbox.model.attachments import Attachment
from bot.sandbox.model.controls import Button, Control, Kind
from bot.sandbox.payload import Payload
from bot.sandbox.snowflakes import Snowflake


@dataclass(frozen=True, slots=True)
class Row:
    """An action row: up to five buttons, or one menu."""

    id: int
    controls: tuple[Control, ...]

    def payload(self) -> Payload:
        """The row as Discord sends it."""
        controls = [control.payload() for control in self.controls]
        return {"type": Kind.ROW.value, "id": self.id, "components": controls}


@dataclass(frozen=True, slots=True)
class Text:
    """A text display: Markdown of its own."""

    id: int
    content: str

    @property
    def kind(self) -> Kind:
        """Discord's type of it."""
        return Kind.TEXT

    def payload(self) -> Payload:
        """The text as Discord sends it."""
        return {"type": Kind.TEXT.value, "id": self.id, "content": self.content}


@dataclass(frozen=True, slots=True)
class Media:
    """A picture or file, by address; one of the message's own where it has an `attachment`."""

    id: Snowflake
    url: str
    attachment: Attachment | None = None

    def payload(self) -> Payload:
        """The medium as Discord sends it."""
        found: Payload = {"id": str(self.id), "url": self.url, "proxy_url": self.url}
        if self.attachment is None:
            return found
        own: Payload = {
            "attachment_id": str(self.attachment.id),
            "content_type": self.attachment.content_type,
        }
        return found | own | self.attachment.extent()


@dataclass(frozen=True, slots=True)
class Picture:
    """A medium shown with a description for those who cannot see it."""

    media: Media
    description: str
    spoiler: bool

    def payload(self) -> Payload:
        """The picture as Discord sends it."""
        return {
            "media": self.media.payload(),
            "description": self.description or None,
            "spoiler": self.spoiler,
        }


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A small picture beside a section."""

    id: int
    picture: Picture

    def payload(self) -> Payload:
        """The thumbnail as Discord sends it."""
        return {"type": Kind.THUMBNAIL.value, "id": self.id, **self.picture.payload()}


@dataclass(frozen=True, slots=True)
class Section:
    """Up to three texts with a button or a thumbnail beside them."""

    id: int
    texts: tuple[Text, ...]
    accessory: Button | Thumbnail

    def payload(self) -> Payload:
        """The section as Discord sends it."""
        return {
            "type": Kind.SECTION.value,
            "id": self.id,
            "components": [text.payload() for text in self.texts],
            "accessory": self.accessory.payload(),
        }


@dataclass(frozen=True, slots=True)
class Gallery:
    """Up to ten pictures."""

    id: int
    pictures: tuple[Picture, ...]

    def payload(self) -> Payload:
        """The gallery as Discord sends it."""
        pictures = [picture.payload() for picture in self.pictures]
        return {"type": Kind.GALLERY.value, "id": self.id, "items": pictures}


@dataclass(frozen=True, slots=True)
class File:
    """An attachment shown in its place."""

    id: int
    media: Media
    spoiler: bool

    def payload(self) -> Payload:
        """The file as Discord sends it."""
        attachment = self.media.attachment
        return {
            "type": Kind.FILE.value,
            "id": self.id,
            "file": self.media.payload(),
            "name": None if attachment is None else attachment.filename,
            "size": None if attachment is None else len(attachment.data),
            "spoiler": self.spoiler,
        }


@dataclass(frozen=True, slots=True)
class Separator:
    """Space between components, with or without a line."""

    id: int
    divider: bool
    spacing: int

    def payload(self) -> Payload:
        """The separator as Discord sends it."""
        return {
            "type": Kind.SEPARATOR.value,
            "id": self.id,
            "divider": self.divider,
            "spacing": self.spacing,
        }


@dataclass(frozen=True, slots=True)
class Container:
    """A box around components, with a coloured edge where it has an `accent`."""

    id: int
    components: tuple[Row | Text | Section | Gallery | File | Separator, ...]
    accent: int | None
    spoiler: bool

    def payload(self) -> Payload:
        """The container as Discord sends it."""
        return {
            "type": Kind.CONTAINER.value,
            "id": self.id,
            "components": [component.payload() for component in self.components],
            "accent_color": self.accent,
            "spoiler": self.spoiler,
        }


Block: TypeAlias = Row | Text | Section | Gallery | File | Separator
Component: TypeAlias = Block | Container


def blocks(components: Sequence[Component]) -> Iterator[Block]:
    """The components from top to bottom, the contents of containers in their place."""
    for component in components:
        if isinstance(component, Container):
            yield from component.components
        else:
            yield component


def controls(components: Sequence[Component]) -> Iterator[Control]:
    """Every button and menu, from top to bottom."""
    for block in blocks(components):
        match block:
            case Row():
                yield from block.controls
            case Section(accessory=Button() as button):
                yield button
            case _:
                pass


def texts(components: Sequence[Component]) -> Iterator[str]:
    """The text of every text display, from top to bottom."""
    for block in blocks(components):
        match block:
            case Text():
                yield block.content
            case Section():
                yield from (text.content for text in block.texts)
            case _:
                pass


def pictures(components: Sequence[Component]) -> Iterator[Picture]:
    """Every picture of a gallery or beside a section, from top to bottom."""
    for block in blocks(components):
        match block:
            case Gallery():
                yield from block.pictures
            case Section(accessory=Thumbnail() as thumbnail):
                yield thumbnail.picture
            case _:
                pass


def attachments(components: Sequence[Component]) -> Iterator[Attachment]:
    """Every attachment that is shown as a picture or as a file."""
    shown = [picture.media for picture in pictures(components)]
    shown += [block.media for block in blocks(components) if isinstance(block, File)]
    return (media.attachment for media in shown if media.attachment is not None)
