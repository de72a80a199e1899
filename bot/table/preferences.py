"""The choices of a table besides the rules of its game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class BoardLook(StrEnum):
    """The look of a board that is not made of buttons."""

    EMOJI = "emoji"
    PICTURE = "picture"


@dataclass(frozen=True, slots=True)
class Preferences:
    """The choices of one table; `auto_roll`, dice without a press, is None until it is chosen."""

    auto_roll: bool | None = None
    board: BoardLook = BoardLook.EMOJI


USUAL: Final = Preferences()
