"""Reading the components of a message, with Discord's rules of what may stand where."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.sandbox.model.components import (
    ActionRow,
    Component,
    ComponentBlock,
    ComponentType,
    Container,
    Gallery,
    GalleryItem,
    Separator,
    TextDisplay,
)
from bot.sandbox.model.emojis import ApplicationEmojis
from bot.sandbox.model.files import MessageFile
from bot.sandbox.rules.components import ComponentTally, read_row, type_of
from bot.sandbox.rules.forms import JsonForm
from bot.sandbox.snowflakes import Snowflake

_IN_CONTAINER: Final = frozenset(
    {ComponentType.ROW, ComponentType.TEXT, ComponentType.GALLERY, ComponentType.SEPARATOR}
)
_ON_TOP: Final = _IN_CONTAINER | {ComponentType.CONTAINER}
_LEGACY: Final = frozenset({ComponentType.ROW})

_MOST_COMPONENTS: Final = 40
_MOST_TEXT: Final = 4000


class LayoutReader:
    """Reads the components of one message; `files` are those it can refer to, by name."""

    def __init__(
        self,
        form: JsonForm,
        files: Mapping[str, MessageFile],
        mint: Callable[[], Snowflake],
        emojis: ApplicationEmojis,
    ) -> None:
        self._form = form
        self._tally = ComponentTally(form.value("components"), emojis)
        self._files = files
        self._mint = mint
        self._written = 0

    def legacy(self) -> tuple[Component, ...]:
        """Up to five action rows, below the content of the message."""
        parts = self._form.parts("components", most=5)
        return tuple(self._row(part) for part in parts if type_of(part, _LEGACY))

    def components(self) -> tuple[Component, ...]:
        """Components of the second version, which are the whole of the message."""
        found: list[Component] = []
        for part in self._form.parts("components", most=_MOST_COMPONENTS):
            kind = type_of(part, _ON_TOP)
            if kind is ComponentType.CONTAINER:
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

    def _container(self, form: JsonForm) -> Container:
        container_id = self._tally.id(form)
        accent = form.number("accent_color", default=-1, most=0xFFFFFF)
        parts = form.parts("components", fewest=1, most=_MOST_COMPONENTS)
        kinds = ((part, type_of(part, _IN_CONTAINER)) for part in parts)
        inner = tuple(self._block(part, kind) for part, kind in kinds if kind is not None)
        return Container(container_id, inner, None if accent < 0 else accent)

    def _block(self, form: JsonForm, kind: ComponentType) -> ComponentBlock:
        readers: dict[ComponentType, Callable[[JsonForm], ComponentBlock]] = {
            ComponentType.ROW: self._row,
            ComponentType.TEXT: self._text,
            ComponentType.GALLERY: self._gallery,
            ComponentType.SEPARATOR: self._separator,
        }
        return readers[kind](form)

    def _row(self, form: JsonForm) -> ActionRow:
        row_id = self._tally.id(form)
        return ActionRow(row_id, read_row(form, self._tally))

    def _text(self, form: JsonForm) -> TextDisplay:
        content = form.required_text("content", longest=_MOST_TEXT)
        self._written += len(content)
        return TextDisplay(self._tally.id(form), content)

    def _gallery(self, form: JsonForm) -> Gallery:
        gallery_id = self._tally.id(form)
        found = (self._picture(part) for part in form.parts("items", fewest=1, most=10))
        return Gallery(gallery_id, tuple(picture for picture in found if picture is not None))

    def _picture(self, form: JsonForm) -> GalleryItem | None:
        form.require("media")
        part = form.part("media") or JsonForm({}, form.problems)
        url = part.required_text("url", longest=2048)
        description = form.text("description", longest=1024)
        name = url.removeprefix("attachment://")
        if name == url or name not in self._files:
            code = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
            part.fail("url", code, f"Referenced attachment ({url}) was not found")
            return None
        return GalleryItem(self._mint(), self._files[name], description)

    def _separator(self, form: JsonForm) -> Separator:
        return Separator(
            self._tally.id(form),
            divider=form.flag("divider", default=True),
            spacing=form.one_of("spacing", (1, 2), default=1),
        )
