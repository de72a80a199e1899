"""An agent on offer: its name, and how it is made for a seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from engine.agents.agent import Agent
from engine.game import CHANCE, Game


@dataclass(frozen=True, slots=True)
class Setting:
    """How an agent is to play: `depth` plies deep or to the end, with an evaluation or its own.

    `weigh_all` asks it for the value of every legal move, where it would leave some out.
    """

    depth: int | None = None
    evaluation: Any = None
    weigh_all: bool = False


Make: TypeAlias = Callable[[Random, Setting], Agent[Any]]


def every_game(_game: Game[Any]) -> bool:
    """Whether an agent for any game can play this one."""
    return True


def nothing(_setting: Setting, _state: Any) -> str:  # noqa: ANN401 - any game's position
    """Nothing to remark."""
    return ""


def taking_turns(game: Game[Any]) -> bool:
    """Whether an agent for two seats without dice can play this game, as far as its start shows."""
    return game.seats == (2,) and game.start(2, {}).turn != CHANCE


@dataclass(frozen=True, slots=True)
class Player:
    """An agent on offer; one that is not `searching` knows no values, depths and evaluations.

    `remark` is what a person should know about it at a table that starts so; mostly nothing.
    """

    name: str
    make: Make
    searching: bool = True
    suits: Callable[[Game[Any]], bool] = every_game
    remark: Callable[[Setting, Any], str] = nothing
