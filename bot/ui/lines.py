"""Words on a fixed number of lines of a phone 360 pixels wide.

A board keeps its height only if the words on it never take one line more or less. A client's
letters are not known here, so their widths are those of a usual font, in the pixels of a phone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from bot.message.blocks import Brief
from bot.message.text import Separator
from bot.ui.words import Words

ROOM: Final = 262.0
"""The width of a line in a container."""

EMOJI, WIDE, LETTER, NARROW = 21.0, 15.5, 7.8, 3.8
"""The widths of an emoji, of a letter of Chinese or Japanese, and of other letters."""

EMPTY: Final = "\u200b"
"""A line that shows nothing: a client drops one without any letter."""

OWN_EMOJI: Final = re.compile("<:[^>]+>")
SMALL: Final = frozenset(" .,:;·'!|()ijlIftr")
UNSEEN: Final = frozenset({"Mn", "Me", "Cf"})


def brief(told: Brief, words: Words) -> list[str]:
    """The lines of some words, as many as asked for unless the kept ones alone need more."""
    lines = [*_packed(told, words)]
    empty = [EMPTY] * (told.lines - len(lines))
    return [*map(words.from_its_side, lines), *empty]


def _packed(told: Brief, words: Words) -> Iterator[str]:
    line, begun = "", 0
    for place, item in enumerate(map(words.spelled, told.items)):
        longer = f"{line}{Separator.DOT}{item}" if line else item
        if width(longer) <= ROOM or not line or (begun + 1 >= told.lines and place < told.kept):
            line = longer
        elif begun + 1 < told.lines:
            yield line
            line, begun = item, begun + 1
        else:
            break
    if line:
        yield line


def width(written: str) -> float:
    """The width of a line, in pixels."""
    plain, own = OWN_EMOJI.subn("", written)
    return own * EMOJI + sum(map(_letter, plain))


def _letter(letter: str) -> float:
    kind = unicodedata.category(letter)
    if kind in UNSEEN:
        return 0.0
    if unicodedata.east_asian_width(letter) in {"W", "F"}:
        return EMOJI if kind == "So" else WIDE
    return NARROW if letter in SMALL else LETTER
