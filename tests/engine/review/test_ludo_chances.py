"""Ludo's winning chances come true: the table of `engine/README.md` with fewer games.

The games are those of `python -m tests.benchmarks.calibration`. Where all places are played for,
only choices before the first place are counted, as there.
"""

from __future__ import annotations

from functools import reduce
from itertools import product
from math import sqrt
from typing import Final

import pytest

from engine import Options
from engine.games.ludo import GAME
from tests.benchmarks.calibration import Asked, joined, predictions

PLACES: Final[Options] = {"finish": "places"}
QUICK_TEAMS: Final[Options] = {**GAME.presets["quick"], "teams": "yes"}
TABLES: Final = [
    *((preset, seats, {}) for preset, seats in product(GAME.presets, GAME.seats)),
    *((preset, 4, {"teams": "yes"}) for preset in GAME.presets),
    *((preset, seats, PLACES) for preset, seats in product(GAME.presets, (3, 4))),
]
MEDIUM: Final[list[tuple[str, int, Options]]] = [
    ("classic", 2, {}),
    ("classic", 4, {}),
    ("quick", 4, {"teams": "yes"}),
]
PLAYED: Final = [
    *(("expectiminimax:1", *table) for table in TABLES),
    *(("rules", *table) for table in MEDIUM),
]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("player", "preset", "seats", "house"), PLAYED, ids=str)
def test_each_tenth_of_the_chances_comes_true(
    player: str, preset: str, seats: int, house: Options, exhaustive: bool
) -> None:
    """A tenth is at most three points off, and what so few games can be off by chance."""
    options = {**GAME.presets[preset], **house}
    asked = Asked("ludo", [player], options, seats, one_in=32, bins=10)
    games = range(1_000_000, 1_000_000 + (100 if exhaustive else 6))
    for tenth in reduce(joined, (predictions(asked, game) for game in games)):
        off = abs(tenth.won - tenth.predicted)
        assert off <= 0.03 * tenth.positions + 3.5 * sqrt(tenth.spread)


def test_games_of_the_page_are_played_again_by_their_numbers() -> None:
    """The figures are those of the first four games that the page counts of quick in teams."""
    asked = Asked("ludo", ["expectiminimax:1"], QUICK_TEAMS, 4, one_in=16, bins=1)
    (told,) = reduce(joined, (predictions(asked, game) for game in range(40_000, 40_004)))
    assert (told.positions, told.won) == (17, 7)
    assert told.predicted == pytest.approx(9.147117)
