"""Weights from lessons: one Newton step of the logistic regression from features to chances."""

from __future__ import annotations

from collections.abc import Sequence

from engine.evaluations.features import NAMES, features
from engine.evaluations.race import race
from engine.evaluations.trained import sharpness
from engine.game import Seat
from engine.training.selfplay import Lesson


class Regression:
    """The slope and the curvature of the cross-entropy of all lessons so far.

    `curvature[a][b]` is filled for b <= a.
    """

    def __init__(self) -> None:
        self.slope = [0.0] * len(NAMES)
        self.curvature = [[0.0] * (feature + 1) for feature in range(len(NAMES))]
        self.count = 0
        self.error = 0.0

    def learn(self, lesson: Lesson) -> None:
        """Add a lesson."""
        chances, truths = _chances(lesson.thought), _chances(lesson.truth)
        rows = seen(lesson)
        mean = [sum(map(float.__mul__, chances, column)) for column in zip(*rows, strict=True)]
        for chance, truth, row in zip(chances, truths, rows, strict=True):
            apart = [
                (feature, value - usual)
                for feature, (value, usual) in enumerate(zip(row, mean, strict=True))
                if value != usual
            ]
            surprise = truth - chance
            for feature, value in apart:
                self.slope[feature] += surprise * value
                weighted = chance * value
                line = self.curvature[feature]
                for other, beside in apart:
                    if other > feature:
                        break
                    line[other] += weighted * beside
            self.error += surprise * surprise
        self.count += 1

    def add(self, other: Regression) -> None:
        """Add all lessons of another."""
        self.slope = list(map(float.__add__, self.slope, other.slope))
        for mine, more in zip(self.curvature, other.curvature, strict=True):
            mine[:] = map(float.__add__, mine, more)
        self.count += other.count
        self.error += other.error

    def step(self, weights: Sequence[float], *, ridge: float) -> list[float]:
        """Better weights; `ridge` holds back those about which the lessons say little."""
        slope = [s - ridge * weight for s, weight in zip(self.slope, weights, strict=True)]
        change = _solved(self.curvature, slope, ridge=ridge)
        return [weight + more for weight, more in zip(weights, change, strict=True)]


def seen(lesson: Lesson) -> list[list[float]]:
    """The features of each seat, as much as they count at this length of the race."""
    position = lesson.position
    seats = position.table.seats
    table = race(position.table.rules)
    scale = sharpness(sum(table.expected(own) for own in position.tokens) / seats)
    return [[scale * value for value in features(position, Seat(seat))] for seat in range(seats)]


def _chances(worth: Sequence[float]) -> list[float]:
    """The chances to win that an average worth, from 1 for the winner, stands for."""
    others = len(worth) - 1
    return [(share * others + 1) / (others + 1) for share in worth]


def _solved(
    curvature: Sequence[Sequence[float]], slope: Sequence[float], *, ridge: float
) -> list[float]:
    """The x with (curvature + ridge) x = slope, by Cholesky's decomposition."""
    size = len(slope)
    lower: list[list[float]] = []
    forward: list[float] = []
    for i in range(size):
        row: list[float] = []
        for j in range(i):
            rest = curvature[i][j] - sum(map(float.__mul__, row, lower[j]))
            row.append(rest / lower[j][j])
        diagonal = curvature[i][i] + ridge - sum(value * value for value in row)
        forward.append((slope[i] - sum(map(float.__mul__, row, forward))) / diagonal**0.5)
        row.append(diagonal**0.5)
        lower.append(row)
    solution = [0.0] * size
    for i in reversed(range(size)):
        rest = forward[i] - sum(lower[k][i] * solution[k] for k in range(i + 1, size))
        solution[i] = rest / lower[i][i]
    return solution
