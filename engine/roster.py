"""Every game and every agent, by name.

A module in `engine.games` with a `GAME` is a game. Agents for any game are in
`engine.search.players`; those for one game alone, and its evaluations, in the module `agents` of
its package, which a game may do without. An agent is asked for as
NAME[:DEPTH[:EVALUATION]][@SECONDS], such as "alphabeta:2:open-lines" or "perfect@0.2".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from random import Random
from typing import Any, TypeVar

from engine import games as games_package
from engine.game import Game, State
from engine.games import part
from engine.search import players as generic
from engine.search.agent import Agent
from engine.search.players import Player, Setting

N = TypeVar("N", int, float)
T = TypeVar("T")


class Unknown(ValueError):
    """There is no game, agent or evaluation of that name."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """An agent with its settings, ready to be made for any number of games."""

    player: Player
    setting: Setting
    seconds: float | None = None

    def agent(self, rng: Random, *, weigh_all: bool = False) -> Agent[Any]:
        """A fresh agent with its own source of randomness."""
        return self.player.make(rng, replace(self.setting, weigh_all=weigh_all))

    def remark(self, state: State) -> str:
        """A remark on the agent for a person at a table that starts so, or nothing."""
        return self.player.remark(self.setting, state)


@cache
def games() -> Mapping[str, Game[Any]]:
    """All games by their keys."""
    path, name = games_package.__path__, games_package.__name__
    modules = [import_module(f"{name}.{found.name}") for found in iter_modules(path)]
    return {module.GAME.key: module.GAME for module in modules if hasattr(module, "GAME")}


def game(key: str | Game[Any]) -> Game[Any]:
    """The game with that key, or the given game itself.

    Raises:
        Unknown: There is no game with that key.
    """
    return _named("game", key, games()) if isinstance(key, str) else key


def players(game: Game[Any]) -> Mapping[str, Player]:
    """All agents that can play `game`, by their names."""
    offered = (*generic.PLAYERS, *part(game, "agents.PLAYERS", ()))
    return {player.name: player for player in offered if player.suits(game)}


def evaluations(game: Game[Any]) -> Mapping[str, Any]:
    """The evaluations of unfinished positions of `game` by name; the first is the usual one."""
    return part(game, "agents.EVALUATIONS", {})


def usual(game: Game[Any]) -> str:
    """The name of the agent that plays where a person asks for none."""
    return part(game, "agents.USUAL", generic.USUAL)


def reviewer(game: Game[Any]) -> Entrant:
    """The agent that weighs the moves of `game` when a game is reviewed."""
    return entrant(game, part(game, "agents.REVIEWER", generic.REVIEWER))


def entrant(game: Game[Any], spec: str) -> Entrant:
    """The agent that NAME[:DEPTH[:EVALUATION]][@SECONDS] asks for.

    Raises:
        Unknown: There is no such agent or evaluation, or a number is invalid.
    """
    words, _, seconds = spec.partition("@")
    name, _, rest = words.partition(":")
    depth, _, evaluation = rest.partition(":")
    player = _named("agent", name, players(game))
    if rest and not player.searching:
        raise Unknown(f"{name} does not search: it has neither depth nor evaluation")
    known = evaluations(game)
    chosen = _named("evaluation", evaluation or next(iter(known)), known) if known else None
    setting = Setting(_number(depth, int, spec), chosen)
    return Entrant(player, setting, _number(seconds, float, spec))


def _number(text: str, kind: Callable[[str], N], spec: str) -> N | None:
    if not text:
        return None
    try:
        number = kind(text)
    except ValueError:
        raise Unknown(f"{text!r} in {spec!r} is not a number") from None
    if not number > 0:
        raise Unknown(f"{text!r} in {spec!r} has to be above 0")
    return number


def _named(kind: str, name: str, known: Mapping[str, T]) -> T:
    if name not in known:
        raise Unknown(f"there is no {kind} called {name!r}; there are {', '.join(known)}")
    return known[name]
