"""Agents by name: the record of an agent that can be asked for, and those that play any game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeAlias

from engine.game import CHANCE, Game, State
from engine.search.agent import UNLIMITED, Agent, Budget, Thought
from engine.search.depth_first import Algorithm, DepthFirst, unknown
from engine.search.minimax import alphabeta, alphabeta_negamax, minimax, minimax_in_one, negamax
from engine.search.uct import Uct


@dataclass(frozen=True, slots=True)
class RandomAgent:
    """A player of random legal moves."""

    rng: Random

    def think(self, state: State, budget: Budget = UNLIMITED) -> Thought:  # noqa: ARG002 - it needs none
        """Choose a random legal move of `state`."""
        return Thought(self.rng.choice(state.moves()))


@dataclass(frozen=True, slots=True)
class Setting:
    """The settings of an agent; with None for `depth` or `evaluation` it uses its default.

    `depth` is in plies, or for an agent that samples the number of its playouts. `weigh_all` asks
    for the value of every legal move, also of those that the agent would skip.
    """

    depth: int | None = None
    evaluation: Any = None
    weigh_all: bool = False


Make: TypeAlias = Callable[[Random, Setting], Agent[Any]]


def for_two(game: Game[Any]) -> bool:
    """Whether the game has exactly two seats, and does not start with a roll."""
    return game.seats == (2,) and game.start(2, {}).turn != CHANCE


@dataclass(frozen=True, slots=True)
class Player:
    """An agent by name; one that is not `searching` has no values, depth or evaluation.

    If `endless`, it searches to the end of the game unless a depth or budget limits it. `remark`
    returns a remark for a person who plays it from a first position, empty for most agents.
    """

    name: str
    make: Make
    searching: bool = True
    endless: bool = False
    suits: Callable[[Game[Any]], bool] = lambda _game: True
    remark: Callable[[Setting, Any], str] = lambda _setting, _state: ""


def _depth_first(name: str, algorithm: Algorithm, *, textbook: bool = False) -> Player:
    def make(rng: Random, setting: Setting) -> DepthFirst:
        evaluation = setting.evaluation or unknown
        return DepthFirst(
            algorithm, rng, setting.depth, evaluation, setting.weigh_all, textbook=textbook
        )

    return Player(name, make, endless=True, suits=for_two)


PLAYERS: Final = (
    Player("random", lambda rng, _: RandomAgent(rng), searching=False),
    _depth_first("minimax", minimax),
    _depth_first("minimax-in-one", minimax_in_one),
    _depth_first("negamax", negamax),
    _depth_first("alphabeta", alphabeta),
    _depth_first("alphabeta-negamax", alphabeta_negamax),
    _depth_first("alphabeta-textbook", alphabeta, textbook=True),
    Player("mcts", lambda rng, setting: Uct(rng, setting.depth)),
)

USUAL: Final = "random"

REVIEWER: Final = "alphabeta"
"""The reviewer of a game that names none; it searches to the end."""
