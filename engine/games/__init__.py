"""The games: a package each, by its key, with its rules, its agents and its notation."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from engine.game import Game


def part(game: Game[Any], name: str) -> ModuleType | None:
    """The module `name` of the game's package, or None if the game does without."""
    package = f"{__name__}.{game.key}"
    path = f"{package}.{name}"
    try:
        found = find_spec(path)
    except ModuleNotFoundError as error:
        if error.name not in {package, path}:
            raise
        return None  # the game is a module alone, or from outside of this folder
    return import_module(path) if found else None
