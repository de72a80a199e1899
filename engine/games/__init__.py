"""The games: a package each, by its key, with its rules, its agents and its notation."""

from __future__ import annotations

from importlib import import_module
from typing import Any, TypeAlias, TypeVar

from engine.game import Game

T = TypeVar("T")

Plane: TypeAlias = list[list[float]]
"""The rows of a plane of numbers, in which a seat that learns sees a position."""


def part(game: Game[Any], what: str, default: T) -> T:
    """The value of MODULE.NAME in the game's package, or the default if there is none."""
    module, _, name = what.partition(".")
    package = f"{__name__}.{game.key}"
    path = f"{package}.{module}"
    try:
        found = import_module(path)
    except ModuleNotFoundError as error:
        if error.name not in {package, path}:
            raise
        return default  # the game is a module alone, or from outside of this folder
    own: T = getattr(found, name, default)
    return own
