"""A course of training: generations of games, each played with the weights of the one before.

Every game has a random source of its own, made from the seed, the generation and the game's number,
and is learned from in the order of these numbers: a course comes out the same on one core and on
many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from random import Random
from typing import Final, NamedTuple

from engine.games.ludo import GAME
from engine.games.ludo.evaluation.features import COUNT, FIRST
from engine.games.ludo.evaluation.trained import Judge
from engine.games.ludo.training.regression import Regression
from engine.games.ludo.training.selfplay import Lesson, lessons

GAMES_IN_A_PART: Final = 50
ONE_LESSON_IN: Final = 2
"""Positions that follow each other teach nearly the same, so only some of them are learned from."""

FADING: Final = 0.9
"""The weight of earlier generations, which played worse, from one to the next."""

RACE_ALONE: Final = tuple(-4.5 if number == FIRST["race"] else 0.0 for number in range(COUNT))
"""The weights before the first game: who is ahead in the race decides alone."""


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
