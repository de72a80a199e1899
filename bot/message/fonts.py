"""Fonts for the words in pictures, among those installed on this machine.

Pillow brings letters for English alone, so that numbers need no font. Words of other languages
need an installed font, found by the name of its file: Noto's and DejaVu's, which are free, or those
of Windows and macOS. No font comes with Parlour. Raqm shapes Arabic, Hebrew, Hindi and Thai; it
comes with Pillow but needs FriBiDi. Where a font or Raqm is missing, the picture has no words; the
message beside it has them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, Protocol

from babel import Locale
from babel.core import get_global

from bot.message.text import TextValue

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont, ImageFont

UNASSIGNED: Final = "\U0010fffd"
"""A character that no font has, drawn like any missing letter."""


@dataclass(frozen=True, slots=True)
class Face:
    """A font's file and its index in a file of several; Pillow's own font has no file."""

    file: str = ""
    index: int = 0


PILLOW: Final = Face()
LATIN: Final = tuple(
    map(Face, ("NotoSans-Bold.ttf", "DejaVuSans-Bold.ttf", "arialbd.ttf", "Arial Bold.ttf"))
)
CJK: Final = "NotoSansCJK-Bold.ttc"
FACES: Final[Mapping[str, tuple[Face, ...]]] = {
    "Arab": (Face("NotoSansArabic-Bold.ttf"), *LATIN),
    "Deva": tuple(
        map(Face, ("NotoSansDevanagari-Bold.ttf", "Nirmala.ttc", "NirmalaB.ttf", "Kohinoor.ttc"))
    ),
    "Hans": (Face(CJK, 2), *map(Face, ("msyhbd.ttc", "Hiragino Sans GB.ttc"))),
    "Hant": (Face(CJK, 3), *map(Face, ("msjhbd.ttc", "STHeiti Medium.ttc"))),
    "Hebr": (Face("NotoSansHebrew-Bold.ttf"), *LATIN),
    "Jpan": (Face(CJK), *map(Face, ("YuGothB.ttc", "ヒラギノ角ゴシック W6.ttc"))),
    "Kore": (Face(CJK, 1), *map(Face, ("malgunbd.ttf", "AppleSDGothicNeo.ttc"))),
    "Thai": tuple(map(Face, ("NotoSansThai-Bold.ttf", "tahomabd.ttf", "Tahoma Bold.ttf"))),
}
"""The fonts of each script, by its code in ISO 15924; Latin, Greek and Cyrillic share theirs."""

SHAPED: Final = frozenset({"Arab", "Deva", "Hebr", "Thai"})
"""Scripts that Raqm writes: from the right, or with letters that depend on their neighbours."""


@dataclass(frozen=True, slots=True)
class Caption:
    """Words for a picture, with a font that has their letters."""

    words: str
    face: Face = PILLOW
    locale: str = "en-US"

    @property
    def direction(self) -> str | None:
        """The direction for Raqm, `ltr` or `rtl`; None if the words need no shaping."""
        shaped = script(self.locale) in SHAPED and self.face != PILLOW
        return Locale.parse(self.locale, sep="-").text_direction if shaped else None


class Lettering(Protocol):
    """Writes a picture's words in its reader's language."""

    def spelled(self, value: TextValue) -> str:
        """A text, number or share in the reader's language."""

    def captions(self, *values: TextValue) -> Sequence[Caption]:
        """The words of a picture; none if this machine cannot write all of them."""


def script(locale: str) -> str:
    """The script that a language is usually written in, by its code in ISO 15924."""
    likely = get_global("likely_subtags")
    tag = locale.replace("-", "_")
    full: str = likely.get(tag) or likely[tag.partition("_")[0]]
    return full.split("_")[1]


def captions(words: Sequence[str], locale: str) -> Sequence[Caption]:
    """Words of a language in one font; none if this machine cannot write all of them."""
    from PIL import features  # noqa: PLC0415 - Pillow is loaded with the first picture

    if not features.check("raqm" if script(locale) in SHAPED else "freetype2"):
        return ()
    letters = frozenset("".join(words))
    for face in (*FACES.get(script(locale), LATIN), PILLOW):
        if _has(face, letters):
            return tuple(Caption(each, face, locale) for each in words)
    return ()


@cache
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
    """A font in a size; None if it is not installed."""
    from PIL import ImageFont  # noqa: PLC0415 - Pillow is loaded with the first picture

    if face == PILLOW:
        return ImageFont.load_default(size=size)
    engine = None if shaped else ImageFont.Layout.BASIC
    try:
        return ImageFont.truetype(face.file, size, face.index, layout_engine=engine)
    except OSError:
        return None
