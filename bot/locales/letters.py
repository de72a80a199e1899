"""Cut the fonts of pictures out of Noto's: `python -m bot.locales.letters` after new words.

Each script has a file in `bot/message/letters`, with its alphabet, or of Chinese, Hindi, Japanese
and Korean the characters that pictures need. The fonts to cut from are those of Debian's packages
fonts-noto-core and fonts-noto-cjk, under the SIL Open Font License; fontTools comes with the tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from fontTools import subset
from fontTools.merge import Merger
from fontTools.ttLib import TTFont

from bot.locales import Language, script, shipped

FOLDER: Final = Path(__file__).parents[1] / "message" / "letters"
NOTO: Final = Path("/usr/share/fonts")
LATIN: Final = "truetype/noto/NotoSans-Bold.ttf"
CJK: Final = "opentype/noto/NotoSansCJK-Bold.ttc"

DRAWN: Final = re.compile(
    r"(picture|outcome|choice\.level|engine\.tree\.(max|min|chance)|"
    r"share\.(winner|drawn|label)|list|side)(\.|$)"
)
"""The keys of texts that pictures may say."""

PLACEHOLDER: Final = re.compile(r"\{\w+\}")

ANYWHERE: Final = " !%()+,-./0123456789:;=?·–—…−\u00a0٪٫٬،\u061c\u200e\u200f"

EUROPE: Final = ((0x41, 0x7A), (0xA0, 0x17F), (0x218, 0x21B), (0x400, 0x45F), (0x490, 0x491))
VIETNAM: Final = ((0x1A0, 0x1A1), (0x1AF, 0x1B0), (0x1EA0, 0x1EF9))
"""Blocks with the letters of names, of which the words of pictures need few."""

SOURCES: Final = {
    "Latn": (LATIN, 0, (*EUROPE, *VIETNAM)),
    "Arab": ("truetype/noto/NotoSansArabic-Bold.ttf", 0, ((0x621, 0x64A), (0x660, 0x669))),
    "Deva": ("truetype/noto/NotoSansDevanagari-Bold.ttf", 0, ()),
    "Thai": ("truetype/noto/NotoSansThai-Bold.ttf", 0, ((0xE01, 0xE5B),)),
    "Jpan": (CJK, 0, ()),
    "Kore": (CJK, 1, ()),
    "Hans": (CJK, 2, ()),
    "Hant": (CJK, 3, ()),
}
"""The font of each script, its index in a file of several, and the blocks that it needs whole."""


def words(language: Language) -> Iterator[str]:
    """All that pictures may say in a language."""
    for key in language.keys(""):
        if DRAWN.match(key):
            yield PLACEHOLDER.sub("", language.template(key))
    yield language.listed(["1", "2", "3"])
    yield from (language.percent(share, signed=True) for share in (-0.5, 0.5))


def cut() -> None:
    """Write the files."""
    needed = {each: set(ANYWHERE) for each in SOURCES}
    for locale, language in shipped().items():
        own = script(locale)
        needed[own if own in SOURCES else "Latn"].update("".join(words(language)))
    for name, (source, index, blocks) in SOURCES.items():
        for first, last in blocks:
            needed[name].update(map(chr, range(first, last + 1)))
        parts = [_part(source, index, needed[name])]
        lacking = needed[name].difference(map(chr, parts[0].getBestCmap()))
        if lacking and source not in {LATIN, CJK}:
            parts.append(_part(LATIN, 0, lacking))
        _merged(parts).save(FOLDER / f"{name}.ttf")


def _part(source: str, index: int, letters: Iterable[str]) -> TTFont:
    options = subset.Options(font_number=index, hinting=False, notdef_outline=True)
    if source == CJK:
        options.layout_features = []
    options.name_IDs = [0, 1, 2, 13, 14]
    font = subset.load_font(str(NOTO / source), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text="".join(sorted(letters)))
    subsetter.subset(font)
    for table in font["cmap"].tables:
        if 0x2013 in table.cmap:  # Noto Sans has no minus sign, which looks like its dash
            table.cmap.setdefault(0x2212, table.cmap[0x2013])
    return font


def _merged(parts: Sequence[TTFont]) -> TTFont:
    """One font of several, as of a script whose own has no figures."""
    if len(parts) == 1:
        return parts[0]
    with TemporaryDirectory() as folder:
        files = [str(Path(folder, f"{number}.ttf")) for number in range(len(parts))]
        for part, file in zip(parts, files, strict=True):
            part.save(file)
        return Merger().merge(files)


if __name__ == "__main__":
    cut()
