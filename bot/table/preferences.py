"""What the people at a table choose besides the rules, by their game's menu."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class BoardLook(StrEnum):
    """How a table shows a board that is not made of buttons."""

    EMOJI = "emoji"
    PICTURE = "picture"


@dataclass(frozen=True, slots=True)
class Preferences:
    """The choices of one table; `auto_roll`, dice without a press, is None until it is chosen."""

    auto_roll: bool | None = None
    board: BoardLook = BoardLook.EMOJI


USUAL: Final = Preferences()
