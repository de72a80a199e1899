"""Reviews of connect four: exact where a proof reaches, elsewhere chances."""

from __future__ import annotations

from functools import reduce
from math import sqrt
from random import Random
from statistics import fmean
from typing import Final

import pytest

from engine import Budget, Move, OutOfBudget, review, roster
from engine.games.connectfour import GAME
from engine.games.connectfour.chances import corrected
from engine.review import Grade
from tests.benchmarks.calibration import Asked, joined, predictions

FILLED: Final = "444444777777111111333333"
"""Four full columns; 18 cells are left."""
PLAYERS: Final = ("rules", "alphabeta:3", "alphabeta:4")


def moves(columns: str) -> list[Move]:
    return [Move(int(column) - 1) for column in columns]


def test_a_hint_with_few_cells_left_is_proven_for_all_moves() -> None:
    found = review.hint("connectfour", 2, {}, moves(FILLED))
    assert found.exact
    assert all(choice.chances[found.seat] in {0, 0.5, 1} for choice in found.choices)
    assert [choice.plies is None for choice in found.choices] == [
        choice.chances[found.seat] == 0.5 for choice in found.choices
    ]


def test_a_hint_in_the_opening_tells_chances_that_are_no_proof() -> None:
    found = review.hint("connectfour", 2, {}, moves("44"), Budget(nodes=5000))
    assert len(found.choices) == 7
    for choice in found.choices:
        assert not choice.proven
        assert choice.plies is None
        assert sum(choice.chances) == pytest.approx(1)
        assert 0 < choice.chances[0] < 1


def test_a_win_in_sight_is_proven_beside_moves_that_are_estimated() -> None:
    found = review.hint("connectfour", 2, {}, moves("4455"))
    assert found.bests == (2, 5)
    assert (found.best.proven, found.best.plies) == (True, 3)
    assert found.best.chances == (1, 0)
    assert not found.exact


def test_chances_favour_the_seat_that_begins_above_all_in_the_middle() -> None:
    begin = review.hint("connectfour", 2, {}, [], Budget(nodes=2000))
    assert begin.best.chances[0] > 0.6
    middle, aside = (
        review.hint("connectfour", 2, {}, moves(column), Budget(nodes=2000)).best.chances[0]
        for column in "41"
    )
    assert middle > aside + 0.1


def test_chances_are_told_as_checked_on_the_usual_board_alone() -> None:
    assert [review.calibrated(GAME, {"size": size}) for size in GAME.options[0].values] == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("columns", ["", "4", "1", "44", "4415", FILLED[:12], FILLED])
def test_what_is_better_by_the_search_stays_better_and_an_end_stays_sure(columns: str) -> None:
    state = GAME.replay(2, GAME.settled({}), moves(columns))
    told = [corrected(state, share / 100) for share in range(101)]
    assert told == sorted(told)
    assert (told[0], told[100]) == (0, 1)
    assert 0 < told[1] < told[99] < 1


def test_the_seat_that_begins_wins_as_often_as_it_is_told_at_the_start(exhaustive: bool) -> None:
    told = review.hint("connectfour", 2, {}, []).best.chances[0]
    games = range(60 if exhaustive else 30)
    assert fmean(map(result_of_first, games)) == pytest.approx(told, abs=0.1)


def result_of_first(number: int) -> float:
    """The result of a game between players by lot, for the seat that begins."""
    rng = Random(number)
    players = [roster.entrant(GAME, rng.choice(PLAYERS)).agent(rng) for _ in range(2)]
    state = GAME.start(2, {})
    while (payoff := state.payoff()) is None:
        state = state.play(players[state.turn].think(state).move)
    return (payoff[0] + 1) / 2


@pytest.mark.exhaustive
@pytest.mark.parametrize("opening", [0, 8])
def test_chances_come_true_in_games_that_they_were_not_fitted_to(opening: int) -> None:
    asked = Asked("connectfour", PLAYERS, GAME.settled({}), 2, 8, 10, opening)
    bins = reduce(joined, (predictions(asked, 950_000 + number) for number in range(300)))
    for each in bins:
        by_luck = 2.5 * sqrt(each.spread)
        assert abs(each.won - each.predicted) <= 0.03 * each.positions + by_luck


def test_a_review_finds_the_move_that_lost_and_its_punishment() -> None:
    found = review.review("connectfour", 2, {}, moves("4455663"), Budget(nodes=4000))
    blunder = found.moves[3]
    assert blunder.grade is Grade.BLUNDER
    assert blunder.played.chances == (1, 0)
    assert found.chances[-1] == (1, 0)
    assert [move.grade for move in found.moves[4:]] == [Grade.BEST] * 3


def test_a_proven_draw_that_is_given_away_is_told() -> None:
    played = moves(FILLED)
    best = review.hint("connectfour", 2, {}, played)
    worse = best.choices[-1]
    told = review.why("connectfour", 2, {}, [*played, worse.move])
    assert told.turned == (worse.chances != best.best.chances)


def test_a_budget_that_weighs_no_move_is_told() -> None:
    with pytest.raises(OutOfBudget):
        review.hint("connectfour", 2, {}, [], Budget(nodes=1))


@pytest.mark.parametrize("size", GAME.options[0].values)
def test_boards_of_all_sizes_are_reviewed(size: str) -> None:
    found = review.review("connectfour", 2, {"size": size}, moves("4455"), Budget(nodes=500))
    assert len(found.plies) == 4
