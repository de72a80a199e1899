"""Twenty-one, a game as small as games get: no options, no presets, no dice, two or three seats.

In turn each seat counts on by one, two or three; the one who says 21 wins. With two seats the first
can always win: it says 1, then 5, 9, 13, 17 and 21.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.game import Game, Move, Options, Seat

LAST: Final = 21
STEPS: Final = (Move(1), Move(2), Move(3))


class Count(NamedTuple):
    """The number said last, and how many plies led to it at a table of `seats`."""

    said: int
    plies: int
    seats: int

    @property
    def turn(self) -> Seat:
        """The seat that counts on."""
        return Seat(self.plies % self.seats)

    def moves(self) -> Sequence[Move]:
        """The steps that do not go beyond the last number."""
        return [step for step in STEPS if self.said + step <= LAST]

    def odds(self) -> Sequence[float]:
        """Nothing: chance has no move in this game."""
        return ()

    def play(self, move: Move) -> Count:
        """The position after a step."""
        return Count(self.said + move, self.plies + 1, self.seats)

    def payoff(self) -> Sequence[float] | None:
        """1 to the seat that said the last number; the others share the loss."""
        if self.said < LAST:
            return None
        winner = (self.plies - 1) % self.seats
        return [1.0 if seat == winner else -1 / (self.seats - 1) for seat in range(self.seats)]


def _first(seats: int, _options: Options) -> Count:
    return Count(0, 0, seats)


def _settle(_chosen: Options) -> Options:
    return {}


GAME: Final = Game(key="twentyone", seats=(2, 3), options=(), first=_first, settle=_settle)
