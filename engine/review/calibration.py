"""Corrects winning chances of Ludo's search by what games came to; the page has the tables."""

from __future__ import annotations

from math import exp, log
from typing import Final

from engine.game import Seat
from engine.review.records import Chances

SHARPER: Final = 0.01
POWERS: Final = {3: (0.8, 0.4), 4: (0.75, 0.9)}
"""By the number of sides: the power of even chances, and how it grows with how uneven they are."""


def calibrated(chance: float) -> float:
    """A chance between two sides as it comes true: nearly lost is lost a little more often yet.

    One number, fitted by maximum likelihood to 5,000 games. The gain of one side is the other's
    loss, and only an end is sure.
    """
    if not 0 < chance < 1:
        return chance
    odds = log(chance / (1 - chance))
    return 1 / (1 + exp(-odds - SHARPER * odds**3))


def power(told: Chances) -> float:
    """The power for odds among more than two sides: higher, the less even they are.

    The measure is their relative entropy to even chances (Kullback and Leibler, "On Information
    and Sufficiency", 1951). Its numbers are fitted by maximum likelihood and by the tenths.
    """
    sides = len(told)
    uneven = sum(chance * log(chance * sides) for chance in told if chance)
    least, growth = POWERS.get(sides, (1.0, 0.0))
    return least + growth * uneven


def calibrated_among(told: Chances, seat: Seat, exponent: float) -> Chances:
    """Chances among more than two sides as they come true, for a choice of `seat`.

    Its odds, in proportion to those of an even share, are taken to the power `exponent`, the same
    for all of its choices: so what is better for it stays better. The others' are taken so too,
    and then they share the rest. Only an end is sure.
    """
    others = len(told) - 1
    bent = []
    for chance in told:
        odds = (others * chance) ** exponent
        bent.append(odds / (odds + others * (1 - chance) ** exponent))
    left, shared = max(0.0, sum(told) - bent[seat]), sum(bent) - bent[seat]
    return tuple(
        chance if each == seat else chance * left / (shared or 1)
        for each, chance in enumerate(bent)
    )
