"""The training of Ludo's trained evaluation: it plays against itself and learns from lessons.

Each seat takes the move that the judge values most. Each position before a roll is a lesson: the
value that the judge should have given it. That is TD(λ), Richard Sutton, "Learning to Predict by
the Methods of Temporal Differences", 1988, in its forward view, with one change. Most of what
happens in a game of Ludo is luck, so a lesson ignores the roll that was made: it starts from the
average over all six, and adds λ times the judge's error after that. (In a trial on 4,000 games,
weights learned so won 57 % of games against rules; from 12,000 games and their results alone,
45 %.)

A course has generations of games, each played with the weights of the one before. Every game has a
random source of its own, made from the seed, the generation and the game's number, and games are
learned from in order: a course has the same result on one core and on many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import sqrt
from multiprocessing import get_context
from random import Random
from typing import Final, NamedTuple

from engine.game import CHANCE, Seat
from engine.games.ludo import GAME
from engine.games.ludo.evaluation.features import COUNT, FIRST, features
from engine.games.ludo.evaluation.race import race
from engine.games.ludo.evaluation.trained import Judge, sharpness, softmax
from engine.games.ludo.position import LudoPosition


class Lesson(NamedTuple):
    """A position, the judge's value of it for each seat, and the values to learn."""

    position: LudoPosition
    thought: Sequence[float]
    truth: Sequence[float]


class Judged(NamedTuple):
    """A position of a game, its values, and the mean values after each of the six rolls."""

    position: LudoPosition
    worth: Sequence[float]
    ahead: Sequence[float]


def lessons(first: LudoPosition, judge: Judge, *, trace: float, rng: Random) -> Iterator[Lesson]:
    """The lessons of one game, last to first; `trace` is λ."""
    moments, payoff = _game(first, judge, rng)
    truth = worth = payoff
    for moment in reversed(moments):
        truth = [
            ahead + trace * (later - expected)
            for ahead, later, expected in zip(moment.ahead, truth, worth, strict=True)
        ]
        worth = moment.worth
        yield Lesson(moment.position, worth, truth)


def _game(first: LudoPosition, judge: Judge, rng: Random) -> tuple[list[Judged], Sequence[float]]:
    position = first
    while position.opening:
        position = position.play(rng.choice(position.moves()))
    moments = []
    worth = judge.worth(position)
    while position.moves():
        ways = [_chosen(position.play(pips), judge) for pips in position.moves()]
        worths = [judge.worth(after) for after in ways]
        ahead = [sum(shares) / len(worths) for shares in zip(*worths, strict=True)]
        moments.append(Judged(position, worth, ahead))
        roll = rng.randrange(len(ways))
        position, worth = ways[roll], worths[roll]
    return moments, worth


def _chosen(position: LudoPosition, judge: Judge) -> LudoPosition:
    """The position after the move that the judge values most; unchanged if nobody can move."""
    if position.turn == CHANCE:
        return position
    seat = position.seat
    moves = position.moves()
    if len(moves) == 1:
        return position.play(moves[0])
    return max((position.play(move) for move in moves), key=lambda after: judge.worth(after)[seat])


UNSEEN: Final = 1e-4
"""The sum of squared slopes that a weight starts with, to keep its first step small."""


class Regression:
    """Weights that get better with every lesson: logistic regression from features to chances.

    Every weight has a step size of its own that shrinks with what it has learned already, so that
    a feature that is seen once in a thousand games learns as surely as one that is always there
    (AdaGrad: John Duchi, Elad Hazan and Yoram Singer, "Adaptive Subgradient Methods", 2011).
    """

    def __init__(self, weights: Sequence[float], *, rate: float) -> None:
        self.weights = list(weights)
        self.rate = rate
        self.count = 0
        self.error = 0.0
        self._seen = [UNSEEN] * COUNT

    def begin(self, *, fading: float) -> None:
        """Begin a generation: reset the counts, and let steps be larger again.

        A weight's steps shrink with its sum of squared slopes, of which the share `fading` is kept.
        """
        self.count, self.error = 0, 0.0
        self._seen = [UNSEEN + fading * seen for seen in self._seen]

    def learn(self, position: LudoPosition, truth: Sequence[float]) -> None:
        """Adjust the weights to `truth`, the expected payoff of each seat in a position."""
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


GAMES_IN_A_PART: Final = 50
ONE_LESSON_IN: Final = 2
"""A position is learned from at random, one in 2: successive ones teach nearly the same."""

FADING: Final = 0.9
"""The share that each generation keeps of what `Regression.begin` remembers of earlier ones."""

RACE_ALONE: Final = tuple(-4.5 if number == FIRST["race"] else 0.0 for number in range(COUNT))
"""The weights before the first game: only the lead in the race counts."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan of training: a table and a length; `trace` is λ, `rate` the size of the steps."""

    preset: str
    seats: int = 2
    generations: int = 8
    games: int = 1000
    trace: float = 0.9
    rate: float = 0.06
    seed: int = 1


class Generation(NamedTuple):
    """The weights and figures after one generation of games.

    `weights` are the result if the training ended now: the mean over the second half of the
    generations so far. `error` is the squared error of the weights before.
    """

    number: int
    weights: Sequence[float]
    positions: int
    error: float


def course(plan: Plan, *, cores: int) -> Iterator[Generation]:
    """Train, and yield one generation after the other."""
    learned = Regression(RACE_ALONE, rate=plan.rate)
    history: list[Sequence[float]] = []
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        spread = pool.map if cores > 1 else map
        for number in range(plan.generations):
            weights = tuple(learned.weights)
            parts = [
                range(first, min(first + GAMES_IN_A_PART, plan.games))
                for first in range(0, plan.games, GAMES_IN_A_PART)
            ]
            learned.begin(fading=FADING)
            for found in spread(partial(lessons_from, plan, weights, number), parts):
                for lesson in found:
                    learned.learn(lesson.position, lesson.truth)
            history.append(tuple(learned.weights))
            recent = history[len(history) // 2 :]
            mean = [sum(values) / len(recent) for values in zip(*recent, strict=True)]
            yield Generation(number, mean, learned.count, learned.error / max(1, learned.count))


def lessons_from(
    plan: Plan, weights: Sequence[float], generation: int, games: Sequence[int]
) -> list[Lesson]:
    """The lessons from some games of a generation."""
    first = GAME.start(plan.seats, GAME.presets[plan.preset])
    judge = Judge(first.table, weights)
    found: list[Lesson] = []
    for game in games:
        rng = Random(f"{plan.seed}/{generation}/{game}")
        told = lessons(first, judge, trace=plan.trace, rng=rng)
        found += [lesson for lesson in told if rng.randrange(ONE_LESSON_IN) == 0]
    return found
