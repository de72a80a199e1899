"""The games: a package each, by its key, with its rules, its agents and its notation."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from engine.game import Game


def part(game: Game[Any], name: str) -> ModuleType | None:
    """The module `name` of the game's package, or None if the game does without."""
    path = f"{__name__}.{game.key}.{name}"
    try:
        found = find_spec(path)
    except ModuleNotFoundError:  # the game is no package of this folder
        return None
    return import_module(path) if found else None
