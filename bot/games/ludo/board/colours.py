"""The four colours of the board, one for each corner, in the order of play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.message.text import Sprite, Text, text
from engine.game import Seat
from engine.games.ludo.board import corners


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour: its key in the catalogues, and the common emoji of a token and of a square.

    `shape` is the common sign nearest to its tokens on the board, for labels, which show no others.
    """

    key: str
    token: str
    square: str
    shape: str

    @property
    def emblem(self) -> Sprite:
        """Its token without a number, the sign of the seat that plays it."""
        return Sprite(f"{self.key}_token", self.token)

    @property
    def name(self) -> Text:
        """The word for it."""
        return text(f"side.{self.key}")


COLOURS: Final = (
    Colour("red", "🔴", "🟥", "🔴"),
    Colour("green", "🟢", "🟩", "🟩"),
    Colour("yellow", "🟡", "🟨", "△"),
    Colour("blue", "🔵", "🟦", "🔷"),
)
"""By corner."""


def colour_of(seats: int, seat: Seat) -> Colour:
    """The colour of a seat at a table of so many seats."""
    return COLOURS[corners(seats)[seat]]
