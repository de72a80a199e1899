"""Players in pictures: their names, drawn with the fonts that boards use, and their avatars."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bot.message.canvas import Collage
from bot.message.fonts import Caption, Lettering
from bot.table.seats import PersonId

LONGEST: Final = 12
"""The most letters of a name, so that a phone shows it beside others."""
JOINERS: Final = "\u200c\u200d"
"""Invisible characters that join or separate letters in some scripts."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A player's name in a server, and their avatar as a picture."""

    name: str
    avatar: bytes | None = None

    def captions(self, lettering: Lettering) -> Sequence[Caption]:
        """The name for a picture; empty if it has no letters, or this machine cannot write it."""
        short = _short(self.name)
        return lettering.captions(short) if short else ()

    def put_avatar(self, drawn: Collage, at: tuple[float, float], side: int) -> None:
        """Put the avatar on a picture, if there is one that can be read."""
        if self.avatar is not None:
            with suppress(OSError):  # no picture after all
                x, y = at
                drawn.put(Collage.within(self.avatar, (side, side)), (round(x), round(y)))


Profiles = Mapping[PersonId, Profile]
NOBODY_KNOWN: Final[Profiles] = {}


def _short(name: str) -> str:
    """The beginning of a name without signs that fonts of letters lack, such as emoji.

    The marks of a letter, such as vowel signs, stay with it and are not counted.
    """
    kept = ""
    for c in unicodedata.normalize("NFC", name):
        stays = kept[-1:] not in {"", " "} if _belongs(c) else c.isalnum() or c in "-_.'"
        kept += c if stays else " "
    plain = " ".join(word.rstrip(JOINERS) for word in kept.split())
    letters = [at for at, c in enumerate(plain) if not _belongs(c)]
    if len(letters) <= LONGEST:
        return plain
    return f"{plain[: letters[LONGEST - 1]].rstrip(JOINERS)}…"


def _belongs(c: str) -> bool:
    """Whether a character is part of the letter before it; what alters an emoji is not."""
    mark = unicodedata.category(c) in {"Mn", "Mc"} and not "\ufe00" <= c <= "\ufe0f"
    return mark or c in JOINERS
