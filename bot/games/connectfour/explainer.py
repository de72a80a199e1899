"""Connect four's columns, sides and reasons, as hints and reviews tell them."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import Final

from bot.games import duel
from bot.games.connectfour.presenter import column_of, side_in_words
from bot.games.connectfour.sprites import DISCS_PAINTS, MIDDLE, STANDING, disc
from bot.message.canvas import Canvas, Paint, Point
from bot.message.text import Text, text
from engine.game import Move, Reason, Seat
from engine.games.connectfour import ConnectFourPosition
from engine.games.connectfour.review import DiscReason

PAINTS: Final = ("#ff7b7f", DISCS_PAINTS[1])
"""The colours of the sides on dark ground."""


class ConnectFourExplainer:
    """Names columns and reasons."""

    costs: Final = frozenset[StrEnum](
        {
            *(DiscReason.MISSES_WIN, DiscReason.LETS_WIN),
            *(DiscReason.LETS_FORK, DiscReason.GIVES_UP),
        }
    )

    reasons = staticmethod(duel.reasons)
    rolled = staticmethod(duel.rolled)
    victims = staticmethod(duel.victims)

    def move(self, position: ConnectFourPosition, move: Move) -> Text:  # noqa: ARG002 - on every board
        """A column, by its number."""
        return text("connectfour.words.move", column=move + 1)

    def reason(self, position: ConnectFourPosition, reason: Reason) -> Text:
        """A reason, with the columns it is about."""
        return duel.reason(reason, partial(column_of, position))

    def name(self, seats: int, seat: Seat) -> Text:  # noqa: ARG002 - there are always two
        """The colour of the seat."""
        return side_in_words(seat)

    def paint(self, seats: int, seat: Seat) -> Paint:  # noqa: ARG002 - there are always two
        """Red or yellow, as the discs are."""
        return PAINTS[seat]

    def draw(self, seats: int, seat: Seat, canvas: Canvas, centre: Point, side: float) -> None:  # noqa: ARG002 - there are always two
        """The disc, as high as a letter."""
        whole = side * MIDDLE / STANDING
        disc(seat, canvas, (centre[0] - whole / 2, centre[1] - whole / 2), whole)
