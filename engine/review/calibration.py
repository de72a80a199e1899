"""Corrects winning chances of Ludo's search by what games came to; the page has the tables."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log
from typing import Any, Final, NamedTuple

from engine.game import Game, Options, Seat
from engine.games import ludo
from engine.games.ludo.evaluation.race import nearest
from engine.games.ludo.rules import PRESETS, rules, settle
from engine.review.records import Chances


class Correction(NamedTuple):
    """The correction of chances among so many sides: log odds `x` become `steep x + bend x³`.

    They are the log odds against an even share. Both numbers are fitted by maximum likelihood,
    or by the worst tenth. Neither is negative, so that what is better for a seat stays better.
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
        bent = self.steep * odds + self.bend * odds**3
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


SURE: Final = 700.0
"""Log odds beyond which numbers overflow."""

FITTED: Final[dict[str, dict[int, tuple[float, float]]]] = {
    "classic": {2: (1.0, 0.01), 3: (0.834, 0.045), 4: (0.8, 0.12)},
    "quick": {2: (1.003, 0.009), 3: (1.009, 0.016), 4: (1.069, 0.005)},
    "damascus": {2: (0.641, 0.0), 3: (0.88, 0.02), 4: (0.766, 0.073)},
}
"""The steepness and the bend, by preset and seats."""

TEAMS: Final[dict[str, tuple[float, float]]] = {
    "classic": (0.331, 0.003),
    "quick": (0.472, 0.0),
    "damascus": (0.278, 0.013),
}
"""The same where four play in teams."""


def correction(game: Game[Any], seats: int, options: Options) -> Correction:
    """The correction at a table, or at that of the preset nearest to it; none in other games."""
    sides = len(set(game.sides(seats, options)))
    if game.key != ludo.GAME.key:
        return Correction(sides)
    house = rules(settle(options))
    preset = nearest(house, list(PRESETS))
    return Correction(sides, *(TEAMS[preset] if house.teams else FITTED[preset][seats]))


def calibrated(game: Game[Any], options: Options) -> bool:
    """Whether chances at a table are proven, or were checked against games by these very rules."""
    if game.key != ludo.GAME.key:
        return not game.dice
    alone = replace(rules(settle(options)), teams=False)
    return alone in [rules(settle(preset)) for preset in PRESETS.values()]
