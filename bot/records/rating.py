"""Ratings by the Plackett-Luce model.

The model is algorithm 4 of Weng and Lin, "A Bayesian Approximation Method for Online Ranking",
2011, in openskill's implementation with its usual parameters. Openskill needs nothing else, takes
0.7 MB and 20 ms to import, and rates a table of four in 15 µs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce

_ZERO, _SCALE = 1000, 40

PROVISIONAL_BELOW: Final = 10
"""With fewer games between people, a rating is provisional."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A belief about a person's strength: its mean `mu` and its standard deviation `sigma`."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """A strength that the person almost certainly has; leaderboards are sorted by it."""
        return self.mu - 3 * self.sigma

    @property
    def points(self) -> int:
        """The ordinal as players read it, in whole points: a newcomer has 1000."""
        return round(_ZERO + _SCALE * self.ordinal)

    @property
    def spread(self) -> int:
        """The standard deviation in points."""
        return round(_SCALE * self.sigma)


NEWCOMER: Final = Rating(25.0, 25.0 / 3)
"""The belief about a person who has not played yet; its ordinal is 0."""


def rated(sides: Sequence[Sequence[Rating]], ranks: Sequence[int]) -> list[list[Rating]]:
    """The ratings after a game of sides against each other; the lowest rank is the best."""
    model = PlackettLuce()
    teams = [[model.rating(mu=each.mu, sigma=each.sigma) for each in side] for side in sides]
    after = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [[Rating(each.mu, each.sigma) for each in team] for team in after]
