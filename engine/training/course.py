"""A course of training: generations of games, each played with the weights of the one before.

Every game has a random source of its own, made from the seed, the generation and the game's number,
and what the games teach is added up in the order of their numbers: a course comes out the same on
one core and on many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from random import Random
from typing import Final, NamedTuple

from engine.evaluations.features import NAMES
from engine.evaluations.trained import Judge
from engine.games.ludo import GAME
from engine.training.regression import Regression
from engine.training.selfplay import lessons

GAMES_IN_A_PART: Final = 50
ONE_LESSON_IN: Final = 3
"""Positions that follow each other teach nearly the same, so only some of them are learned from."""

RACE_ALONE: Final = tuple(-4.5 if name == "race" else 0.0 for name in NAMES)
"""What a course begins with: who is ahead in the race, and nothing else."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to train for, and how long; `trace` is λ, `ridge` what holds rare features back."""

    preset: str
    seats: int = 2
    generations: int = 12
    games: int = 2000
    trace: float = 0.85
    ridge: float = 0.002
    seed: int = 1


class Generation(NamedTuple):
    """What one generation of games has taught.

    `weights` is what the training would end with now: the mean over the second half of the
    generations so far. `error` is the squared error of what the weights before had thought.
    """

    number: int
    weights: Sequence[float]
    positions: int
    error: float


class Part(NamedTuple):
    """Some games of a generation, to be played by one process."""

    plan: Plan
    weights: Sequence[float]
    generation: int
    games: Sequence[int]


def course(plan: Plan, *, cores: int) -> Iterator[Generation]:
    """The generations, one after the other."""
    weights: Sequence[float] = RACE_ALONE
    history: list[Sequence[float]] = []
    with _players(cores) as played:
        for number in range(plan.generations):
            parts = [
                Part(plan, weights, number, range(first, min(first + GAMES_IN_A_PART, plan.games)))
                for first in range(0, plan.games, GAMES_IN_A_PART)
            ]
            total = Regression()
            for learned in played(parts):
                total.add(learned)
            weights = total.step(weights, ridge=plan.ridge)
            history.append(weights)
            recent = history[len(history) // 2 :]
            mean = [sum(values) / len(recent) for values in zip(*recent, strict=True)]
            yield Generation(number, mean, total.count, total.error / max(1, total.count))


def taught(part: Part) -> Regression:
    """What some games of a generation teach."""
    plan = part.plan
    first = GAME.start(plan.seats, GAME.presets[plan.preset])
    judge = Judge(first.table, part.weights)
    learned = Regression()
    for game in part.games:
        rng = Random(f"{plan.seed}/{part.generation}/{game}")
        for lesson in lessons(first, judge, trace=plan.trace, rng=rng):
            if rng.randrange(ONE_LESSON_IN) == 0:
                learned.learn(lesson)
    return learned


@contextmanager
def _players(cores: int) -> Iterator[Callable[[Sequence[Part]], Iterable[Regression]]]:
    """Whoever plays the parts, in their order: this process, or as many as there are cores."""
    if cores == 1:
        yield partial(map, taught)
        return
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        yield partial(pool.map, taught)
