"""Work for the workers. Without a database to import, a process begins in a quarter of the time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias, TypeVar

from bot.games.catalogue import CATALOGUE
from bot.table.seats import Level
from engine.game import Move, Options
from engine.search.agent import Budget

T = TypeVar("T")

Asked: TypeAlias = Callable[[str, int, Options, Sequence[Move], Budget], T]
"""A question about a game, one of the functions of `engine.review`."""

SECONDS: Final = 8.0
"""The time for one answer; of a game that takes longer the last plies are explained."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a worker: a game up to now, and the level that is to move."""

    game: str
    level: Level
    seats: int
    options: Options
    moves: tuple[Move, ...]
    seed: int


def think(question: Question) -> Move:
    """The computer's move."""
    entry = CATALOGUE[question.game]
    strength = entry.levels[question.level]
    position = entry.game.replay(question.seats, question.options, question.moves)
    budget = Budget.within(strength.seconds, time.monotonic)
    return strength.agent(Random(question.seed)).think(position, budget).move


def explain(asked: Asked[T], game: str, seats: int, options: Options, moves: tuple[Move, ...]) -> T:
    """The answer of a function of `engine.review`."""
    budget = Budget.within(SECONDS, time.monotonic)
    return asked(game, seats, options, moves, budget)
