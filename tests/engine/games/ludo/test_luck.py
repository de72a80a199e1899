"""Taking the luck of the dice out of matches: the same mean, a narrower interval."""

from __future__ import annotations

from dataclasses import replace

from engine.arena import Match, wilson
from engine.games.ludo import GAME
from engine.workers import total

MATCH = Match(GAME, ("expectiminimax:1", "rules"), options=GAME.presets["quick"])
WITHOUT_LUCK = replace(MATCH, without_luck=True)


def test_a_share_without_luck_is_that_of_plain_games_within_a_third_of_their_interval(
    exhaustive: bool,
) -> None:
    games = 200 if exhaustive else 60
    low, high = wilson(total(MATCH, games).won, games)
    share = total(replace(WITHOUT_LUCK, seed=1), games).without_luck()
    assert low < share.share < high
    assert share.high - share.low < (high - low) / 3


def test_an_agent_against_itself_wins_half_and_one_of_three_a_third(exhaustive: bool) -> None:
    for seats in (2, 3):
        match = replace(WITHOUT_LUCK, agents=("rules", "rules"), seats=seats)
        share = total(match, 60 if exhaustive else 15).without_luck()
        assert share.low < 1 / seats < share.high
