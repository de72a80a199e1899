"""Fonts for the words in pictures, which come with Parlour.

`letters` has a file for each script, cut out of Noto's bold fonts for the words that there are by
`python -m bot.locales.letters`. Raqm shapes Arabic, Hindi and Thai; it comes with Pillow,
but needs FriBiDi. Without it, or for a letter that a file lacks, the picture has no words; the
message beside it has them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from bot.cache import KB, Memo
from bot.locales import direction, script
from bot.message.text import TextValue

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont, ImageFont

UNASSIGNED: Final = "\U0010fffd"
"""A character that no font has, drawn like all missing letters."""


@dataclass(frozen=True, slots=True)
class Face:
    """A font's file; Pillow's own font, which has the letters of English, has none."""

    file: str = ""


PILLOW: Final = Face()
FOLDER: Final = Path(__file__).with_name("letters")
FACES: Final[Mapping[str, Face]] = {file.stem: Face(str(file)) for file in FOLDER.glob("*.ttf")}
"""The fonts by their scripts' codes in ISO 15924; `Latn` has Cyrillic letters too."""

SHAPED: Final = frozenset({"Arab", "Deva", "Thai"})
"""Scripts that need Raqm: right to left, or with letters that depend on their neighbours."""


@dataclass(frozen=True, slots=True)
class Caption:
    """Words for a picture, with a font that has their letters."""

    words: str
    face: Face = PILLOW
    locale: str = "en-US"

    @property
    def direction(self) -> str | None:
        """The direction for Raqm, `ltr` or `rtl`; None if the words need no shaping."""
        code = script(self.locale)
        shaped = code in SHAPED and self.face == FACES.get(code)
        return direction(self.locale) if shaped else None


class Lettering(Protocol):
    """Writes a picture's words in its reader's language."""

    def spelled(self, value: TextValue) -> str:
        """A text, number or share in the reader's language."""

    def captions(self, *values: TextValue) -> Sequence[Caption]:
        """Words to draw in a picture; empty if this machine lacks a font for any of them."""


def captions(words: Sequence[str], locale: str) -> Sequence[Caption]:
    """Words to draw, in one font that has all their letters; empty if there is no such font."""
    from PIL import features  # noqa: PLC0415 - Pillow is loaded with the first picture

    if not features.check("raqm" if script(locale) in SHAPED else "freetype2"):
        return ()
    letters = frozenset("".join(words))
    for face in (FACES.get(script(locale), FACES["Latn"]), FACES["Latn"], PILLOW):
        if _has(face, letters):
            return tuple(Caption(each, face, locale) for each in words)
    return ()


@lru_cache(1024)
def _has(face: Face, letters: frozenset[str]) -> bool:
    font = opened(face, 24, shaped=False)
    if font is None:
        return False
    seen = {c for c in letters if not c.isspace() and unicodedata.category(c) != "Cf"}
    missing = _look(font, UNASSIGNED)
    return all(_look(font, letter) != missing for letter in seen)


def _look(font: FreeTypeFont | ImageFont, letter: str) -> tuple[tuple[int, int], bytes]:
    mask = font.getmask(letter)
    return mask.size, bytes(mask)


@lru_cache(64)
def opened(face: Face, size: float, *, shaped: bool = True) -> FreeTypeFont | ImageFont | None:
    """A font in a size; None if its file cannot be read."""
    from PIL import ImageFont  # noqa: PLC0415 - Pillow is loaded with the first picture

    if face == PILLOW:
        return ImageFont.load_default(size=size)
    engine = None if shaped else ImageFont.Layout.BASIC
    try:
        return ImageFont.truetype(face.file, size, layout_engine=engine)
    except OSError:
        return None


CACHES: Final = (Memo("fonts", opened, each=64 * KB),)
