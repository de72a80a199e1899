"""The ladder of connect four: each player beats the one below, in few games; the page has many."""

from __future__ import annotations

import pytest

from engine.arena import Match
from engine.workers import total


@pytest.mark.parametrize(
    ("stronger", "weaker", "games"),
    [
        ("rules", "random", 40),
        pytest.param("alphabeta:4", "rules", 30, marks=pytest.mark.exhaustive),
        pytest.param("expert", "alphabeta:4", 10, marks=pytest.mark.exhaustive),
    ],
)
def test_a_player_beats_the_one_below(stronger: str, weaker: str, games: int) -> None:
    match = Match("connectfour", (stronger, weaker), nodes=2000)
    score = total(match, games, cores=1)
    assert score.won > score.lost
