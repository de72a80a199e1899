"""Ludo's levels are a ladder: each beats the one below, in each preset, at each number of seats.

Games are of fixed seeds. The shares that they gave in an exhaustive run are in the docstrings, with
intervals of 95 %; other runs play the first of these games, too few to tell anything of the expert
beside hard. `engine/README.md` has the shares of many more games, and the commands that made them.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.ludo import LEVELS
from bot.table.seats import Level
from engine.arena import Match, WonShare, wilson
from engine.games.ludo import GAME
from engine.workers import total

EASY, MEDIUM, HARD, EXPERT = LEVELS


def match(level: Level, below: Level, *, seats: int, preset: str = "classic") -> Match:
    """A match of one level against the level below, which has all other seats."""
    agents = LEVELS[level].agent, LEVELS[below].agent
    return Match(GAME, agents, seats, GAME.presets[preset])


def share_without_luck(match: Match, games: int) -> WonShare:
    return total(replace(match, without_luck=True), games).without_luck()


def test_the_levels_are_listed_from_the_weakest_to_the_strongest() -> None:
    assert [*LEVELS] == [Level.EASY, Level.MEDIUM, Level.HARD, Level.EXPERT]


@pytest.mark.parametrize(
    ("level", "below", "first", "all_games"),
    [(MEDIUM, EASY, 40, 200), (HARD, MEDIUM, 60, 300)],
    ids=str,
)
def test_of_two_the_higher_level_wins_well_over_five_points_more_than_half(
    level: Level, below: Level, first: int, all_games: int, exhaustive: bool
) -> None:
    """Medium wins 86.0 % [80.5, 90.1] against easy, hard 66.3 % [60.8, 71.4] against medium."""
    games = all_games if exhaustive else first
    won = total(match(level, below, seats=2), games).won
    low, _ = wilson(won, games)
    assert low > 0.55


@pytest.mark.exhaustive
def test_of_two_the_expert_beats_hard() -> None:
    """The expert wins 61.2 % [56.7, 65.7] against hard, the luck of the dice taken out.

    A minute of games can tell no more: it is ahead, and 55 % lie within the interval. The figure of
    the page, 56.1 % [54.7, 57.5], took 1,000.
    """
    share = share_without_luck(match(EXPERT, HARD, seats=2), 120)
    assert share.share > 0.5
    assert share.high > 0.55


@pytest.mark.exhaustive
def test_one_expert_among_four_wins_more_than_its_quarter_of_quick_games() -> None:
    """The expert wins 27.8 % [25.1, 30.5] against three hard, luck taken out."""
    share = share_without_luck(match(EXPERT, HARD, seats=4, preset="quick"), 120)
    assert share.share > 0.25


@pytest.mark.sampled(1)
@pytest.mark.parametrize("preset", GAME.presets)
def test_of_two_hard_beats_medium_in_each_preset(preset: str) -> None:
    """Hard wins 65 % of classic, 57 % of quick and 67 % of Damascus, luck taken out."""
    assert share_without_luck(match(HARD, MEDIUM, seats=2, preset=preset), 8).low > 0.5


@pytest.mark.exhaustive
@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("preset", GAME.presets)
def test_hard_beats_medium_at_each_table(preset: str, seats: int) -> None:
    """Luck taken out, hard wins 31.4 % [25.1, 37.8] at the closest table, Damascus with four."""
    share = share_without_luck(match(HARD, MEDIUM, seats=seats, preset=preset), 100)
    assert share.low > 1 / seats


@pytest.mark.parametrize(
    ("level", "below", "first", "all_games"),
    [(MEDIUM, EASY, 40, 100), pytest.param(HARD, MEDIUM, 120, 200, marks=pytest.mark.exhaustive)],
    ids=str,
)
def test_one_among_four_wins_more_than_its_quarter(
    level: Level, below: Level, first: int, all_games: int, exhaustive: bool
) -> None:
    """Medium wins 84.0 % [75.6, 89.9] against easy, hard 34.5 % [28.3, 41.3] against medium.

    Of hard, 120 games take as long as the whole rest of the ladder, so that it is exhaustive.
    """
    games = all_games if exhaustive else first
    won = total(match(level, below, seats=4), games).won
    low, _ = wilson(won, games)
    assert low > 0.25
