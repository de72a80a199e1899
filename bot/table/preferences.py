"""The choices of a table besides the rules of its game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final


class BoardLook(StrEnum):
    """The look of a board that is not made of buttons."""

    EMOJI = "emoji"
    PICTURE = "picture"


class Rolls(Enum):
    """The dice of people: by a press, without one, or without one until there is news for them."""

    BY_HAND = 0
    BY_THEMSELVES = 1
    WITH_STOPS = 2

    @property
    def automatic(self) -> bool:
        """Whether they roll without a press, if only for a while."""
        return self is not Rolls.BY_HAND


@dataclass(frozen=True, slots=True)
class Preferences:
    """The choices of one table; `auto_roll`, dice without a press, is None until it is chosen."""

    auto_roll: bool | None = None
    board: BoardLook = BoardLook.EMOJI

    def rolls(self, *, alone: bool) -> Rolls:
        """The dice of people, one of whom may be alone with computers."""
        if self.auto_roll is None:
            return Rolls.WITH_STOPS if alone else Rolls.BY_HAND
        return Rolls.BY_THEMSELVES if self.auto_roll else Rolls.BY_HAND


USUAL: Final = Preferences()
