"""Players in pictures: their names, drawn with the fonts that boards use, and their avatars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bot.message.canvas import Collage
from bot.message.fonts import Caption, Lettering
from bot.table.seats import PersonId

LONGEST: Final = 12
"""The most letters of a name, so that a phone shows it beside others."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A player's name in a server, and their avatar as a picture."""

    name: str
    avatar: bytes | None = None

    def captions(self, lettering: Lettering) -> Sequence[Caption]:
        """The name for a picture; none if this machine cannot write it."""
        return lettering.captions(_short(self.name))

    def put_avatar(self, drawn: Collage, at: tuple[float, float], side: int) -> None:
        """Put the avatar on a picture, if there is one that can be read."""
        if self.avatar is not None:
            with suppress(OSError):  # no picture after all
                x, y = at
                drawn.put(Collage.within(self.avatar, (side, side)), (round(x), round(y)))


Profiles = Mapping[PersonId, Profile]
NOBODY_KNOWN: Final[Profiles] = {}


def _short(name: str) -> str:
    """The beginning of a name without signs that fonts of letters lack, such as emoji."""
    plain = " ".join("".join(c if c.isalnum() or c in "-_.'" else " " for c in name).split())
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"
