"""The sequential test of two strengths: a match ends as soon as it has told which one is true.

Abraham Wald, "Sequential Tests of Statistical Hypotheses", 1945, for results with draws after
Michel Van den Bergh, "A Practical Introduction to the GSPRT", 2020: the log likelihood ratio of two
mean scores, with the variance that the games have shown. Either error has a chance of `ERROR`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from engine.arena import Score

ERROR: Final = 0.05
BOUND: Final = math.log((1 - ERROR) / ERROR)
"""The log likelihood ratio at which the test ends, to either side."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """The test of whether the first agent of two is stronger by `higher` than by `lower` Elo."""

    lower: float
    higher: float

    def __post_init__(self) -> None:
        if not self.lower < self.higher:
            raise ValueError("of the two Elo the first has to be the lower one")

    def ratio(self, score: Score) -> float:
        """The log likelihood ratio of `higher` to `lower` after these games."""
        if not score.games:
            return 0.0
        counts = {1.0: score.won, 0.5: score.drawn, 0.0: score.lost}
        # Half a game more of each result: one that has not come up yet is not impossible.
        seen = {points: count + 0.5 for points, count in counts.items()}
        games = sum(seen.values())
        mean = sum(points * count for points, count in seen.items()) / games
        variance = sum(count * (points - mean) ** 2 for points, count in seen.items()) / games
        low, high = expected(self.lower), expected(self.higher)
        return games * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, score: Score) -> float | None:
        """The Elo that the test has settled for; None while it goes on."""
        ratio = self.ratio(score)
        if ratio >= BOUND:
            return self.higher
        return self.lower if ratio <= -BOUND else None


def expected(elo: float) -> float:
    """The mean score of an agent that is stronger by so many Elo."""
    return 1 / (1 + 10 ** (-elo / 400))
