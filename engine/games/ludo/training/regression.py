"""Weights from lessons: logistic regression from features to chances, lesson by lesson.

Every weight has a step size of its own that shrinks with what it has learned already (AdaGrad: John
Duchi, Elad Hazan and Yoram Singer, "Adaptive Subgradient Methods", 2011), so that a feature that is
seen once in a thousand games learns as surely as one that is always there.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

from engine.game import Seat
from engine.games.ludo.evaluation.features import COUNT, features
from engine.games.ludo.evaluation.race import race
from engine.games.ludo.evaluation.trained import sharpness, softmax
from engine.games.ludo.position import LudoPosition

UNSEEN: Final = 1e-4
"""The learning that a weight begins with: so the first step is not a leap."""


class Regression:
    """Weights that get better with every lesson."""

    def __init__(self, weights: Sequence[float], *, rate: float) -> None:
        self.weights = list(weights)
        self.rate = rate
        self.count = 0
        self.error = 0.0
        self._seen = [UNSEEN] * COUNT

    def begin(self, *, fading: float) -> None:
        """Begin a generation: count anew, and let earlier lessons weigh less."""
        self.count, self.error = 0, 0.0
        self._seen = [UNSEEN + fading * seen for seen in self._seen]

    def learn(self, position: LudoPosition, truth: Sequence[float]) -> None:
        """Move the weights towards the truth about a position: the average payoff of each seat."""
        weights, seen, rate = self.weights, self._seen, self.rate
        rows = [features(position, Seat(seat)) for seat in range(len(truth))]
        turns = map(race(position.table.rules).expected, position.tokens)
        scale = sharpness(sum(turns) / len(position.tokens))
        scores = [scale * sum([weights[number] * value for number, value in row]) for row in rows]
        others = len(truth) - 1
        chances = [(share * others + 1) / (others + 1) for share in truth]
        for chance, wanted, row in zip(softmax(scores), chances, rows, strict=True):
            surprise = wanted - chance
            self.error += surprise * surprise
            push = surprise * scale
            for number, value in row:
                slope = push * value
                seen[number] += slope * slope
                weights[number] += rate * slope / sqrt(seen[number])
        self.count += 1
