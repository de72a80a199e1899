"""Corrects winning chances of a search by what games came to; the page has the tables."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log
from typing import Any, Final, NamedTuple, TypeAlias

from engine.game import Game, Options, Seat
from engine.games import part
from engine.review.records import Chances


class Correction(NamedTuple):
    """The correction of chances among so many sides: log odds `x` become `steep x + bend x³`.

    They are the log odds against an even share; beyond `STRAIGHT` they grow by the same factor as
    there. Both numbers are fitted by maximum likelihood, or by the worst tenth. Neither is
    negative, so that what is better for a seat stays better.
    """

    sides: int
    steep: float = 1.0
    bend: float = 0.0

    def of(self, chance: float) -> float:
        """A chance as it comes true; only an end is sure."""
        if not 0 < chance < 1:
            return chance
        even = log(self.sides - 1)
        odds = log(chance / (1 - chance)) + even
        bent = odds * (self.steep + self.bend * min(odds**2, STRAIGHT**2))
        return 1 / (1 + exp(min(even - bent, SURE)))

    def among(self, told: Chances, seat: Seat) -> Chances:
        """The chances of all seats as they come true, for a choice of `seat`.

        The chance of each seat is corrected. The others make up for what is left over of the sum:
        first the uncertain ones, in proportion to chance times risk, or else in proportion.
        """
        bent = [self.of(chance) for chance in told]
        risks = [chance * (1 - chance) for chance in bent]
        risks[seat] = 0.0
        excess = sum(told) - sum(bent)
        share = excess / (sum(risks) or 1)
        found = [chance + share * risk for chance, risk in zip(bent, risks, strict=True)]
        if min(found) >= 0:
            return tuple(found)
        left = max(0.0, sum(told) - bent[seat])
        scale = left / ((sum(bent) - bent[seat]) or 1)
        scaled = [chance * scale for chance in bent]
        scaled[seat] = bent[seat]
        return tuple(scaled)


STRAIGHT: Final = 4.5
"""Log odds from which on chances bend no further: games that clear are few."""

SURE: Final = 700.0
"""Log odds beyond which numbers overflow."""

Fitted: TypeAlias = Callable[[int, Options], tuple[float, float]]
"""The steepness and the bend at a table of so many seats."""


def correction(game: Game[Any], seats: int, options: Options) -> Correction:
    """The correction at a table by the numbers in its game's module `chances`, or none."""
    fitted: Fitted = part(game, "chances.fitted", lambda _seats, _options: (1.0, 0.0))
    return Correction(len(set(game.sides(seats, options))), *fitted(seats, options))


def calibrated(game: Game[Any], options: Options) -> bool:
    """Whether chances at a table are proven, or were checked against games by these very rules."""
    checked: Callable[[Options], bool] = part(game, "chances.checked", lambda _: not game.dice)
    return checked(options)
