"""The numbers that make chances of Ludo's search come true; the engine's page has tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.game import Options
from engine.games.ludo.evaluation.race import nearest
from engine.games.ludo.rules import PRESETS, rules, settle

FITTED: Final[dict[str, dict[int, tuple[float, float]]]] = {
    "classic": {2: (1.0, 0.01), 3: (0.834, 0.045), 4: (0.8, 0.12)},
    "quick": {2: (1.003, 0.009), 3: (1.009, 0.016), 4: (1.069, 0.005)},
    "damascus": {2: (0.641, 0.0), 3: (0.88, 0.02), 4: (0.88, 0.04)},
}
"""The steepness and the bend, by preset and seats."""

TEAMS: Final[dict[str, tuple[float, float]]] = {
    "classic": (0.26, 0.0095),
    "quick": (0.472, 0.0),
    "damascus": (0.24, 0.0195),
}
"""The same where four play in teams."""


def fitted(seats: int, options: Options) -> tuple[float, float]:
    """The steepness and the bend at a table, or at that of the preset nearest to it."""
    house = rules(settle(options))
    preset = nearest(house, list(PRESETS))
    return TEAMS[preset] if house.teams else FITTED[preset][seats]


def checked(options: Options) -> bool:
    """Whether chances were checked against games by these very rules."""
    alone = replace(rules(settle(options)), teams=False)
    return alone in [rules(settle(preset)) for preset in PRESETS.values()]
