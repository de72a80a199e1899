"""Reading the components of a message, with Discord's rules of what may stand where."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.sandbox.model.attachments import Attachment
from bot.sandbox.model.components import (
    Block,
    Component,
    Container,
    File,
    Gallery,
    Media,
    Picture,
    Row,
    Section,
    Separator,
    Text,
    Thumbnail,
)
from bot.sandbox.model.controls import Button, Kind
from bot.sandbox.model.emojis import Emojis
from bot.sandbox.rules.controls import Tally, kind_of, read_button, read_row
from bot.sandbox.rules.forms import Form
from bot.sandbox.snowflakes import Snowflake

_IN_CONTAINER: Final = frozenset(
    {
        Kind.ROW,
        Kind.SECTION,
        Kind.TEXT,
        Kind.GALLERY,
        Kind.FILE,
        Kind.SEPARATOR,
    }
)
_ON_TOP: Final = _IN_CONTAINER | {Kind.CONTAINER}
_LEGACY: Final = frozenset({Kind.ROW})

_MOST_COMPONENTS: Final = 40
_MOST_TEXT: Final = 4000


class Layout:
    """Reads the components of one message; `files` are those it can refer to, by name."""

    def __init__(
        self,
        form: Form,
        files: Mapping[str, Attachment],
        mint: Callable[[], Snowflake],
        emojis: Emojis,
    ) -> None:
        self._form = form
        self._tally = Tally(form.value("components"), emojis)
        self._files = files
        self._mint = mint
        self._written = 0

    def legacy(self) -> tuple[Component, ...]:
        """Up to five action rows, below the content of the message."""
        parts = self._form.parts("components", most=5)
        return tuple(self._row(part) for part in parts if kind_of(part, _LEGACY))

    def components(self) -> tuple[Component, ...]:
        """Components of the second version, which are the whole of the message."""
        found: list[Component] = []
        for part in self._form.parts("components", most=_MOST_COMPONENTS):
            kind = kind_of(part, _ON_TOP)
            if kind is Kind.CONTAINER:
                found.append(self._container(part))
            elif kind is not None:
                found.append(self._block(part, kind))
        self._check_totals()
        return tuple(found)

    def _check_totals(self) -> None:
        if self._tally.components > _MOST_COMPONENTS:
            code = "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"
            words = f"The total number of components cannot exceed {_MOST_COMPONENTS}"
            self._form.fail("components", code, words)
        if self._written > _MOST_TEXT:
            code = "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"
            words = f"The total size of displayable text cannot exceed {_MOST_TEXT} characters"
            self._form.fail("components", code, words)

    def _container(self, form: Form) -> Container:
        container_id = self._tally.id(form)
        accent = form.number("accent_color", default=-1, most=0xFFFFFF)
        parts = form.parts("components", fewest=1, most=_MOST_COMPONENTS)
        kinds = ((part, kind_of(part, _IN_CONTAINER)) for part in parts)
        return Container(
            container_id,
            tuple(self._block(part, kind) for part, kind in kinds if kind is not None),
            None if accent < 0 else accent,
            form.flag("spoiler"),
        )

    def _block(self, form: Form, kind: Kind) -> Block:
        readers: dict[Kind, Callable[[Form], Block]] = {
            Kind.ROW: self._row,
            Kind.SECTION: self._section,
            Kind.TEXT: self._text,
            Kind.GALLERY: self._gallery,
            Kind.FILE: self._file,
            Kind.SEPARATOR: self._separator,
        }
        return readers[kind](form)

    def _row(self, form: Form) -> Row:
        row_id = self._tally.id(form)
        return Row(row_id, read_row(form, self._tally))

    def _text(self, form: Form) -> Text:
        content = form.required_text("content", longest=_MOST_TEXT)
        self._written += len(content)
        return Text(self._tally.id(form), content)

    def _section(self, form: Form) -> Section:
        section_id = self._tally.id(form)
        parts = form.parts("components", fewest=1, most=3)
        texts = [self._text(part) for part in parts if kind_of(part, frozenset({Kind.TEXT}))]
        return Section(section_id, tuple(texts), self._accessory(form))

    def _accessory(self, form: Form) -> Button | Thumbnail:
        form.require("accessory")
        part = form.part("accessory") or Form({"type": Kind.BUTTON.value}, form.problems)
        if kind_of(part, frozenset({Kind.BUTTON, Kind.THUMBNAIL})) is Kind.THUMBNAIL:
            return Thumbnail(self._tally.id(part), self._picture(part))
        return read_button(part, self._tally, None)

    def _gallery(self, form: Form) -> Gallery:
        gallery_id = self._tally.id(form)
        parts = form.parts("items", fewest=1, most=10)
        return Gallery(gallery_id, tuple(self._picture(part) for part in parts))

    def _picture(self, form: Form) -> Picture:
        return Picture(
            self._media(form, "media"),
            form.text("description", longest=1024),
            form.flag("spoiler"),
        )

    def _file(self, form: Form) -> File:
        return File(self._tally.id(form), self._media(form, "file"), form.flag("spoiler"))

    def _separator(self, form: Form) -> Separator:
        return Separator(
            self._tally.id(form),
            divider=form.flag("divider", default=True),
            spacing=form.one_of("spacing", (1, 2), default=1),
        )

    def _media(self, form: Form, key: str) -> Media:
        form.require(key)
        part = form.part(key)
        url = part.required_text("url", longest=2048) if part is not None else ""
        attachment = self._files.get(url.removeprefix("attachment://"))
        if attachment is not None and url.startswith("attachment://"):
            return Media(self._mint(), attachment.url, attachment)
        if part is not None and (key == "file" or not url.startswith(("http://", "https://"))):
            code = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
            part.fail("url", code, f"Referenced attachment ({url}) was not found")
        return Media(self._mint(), url)
