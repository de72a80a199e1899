"""Reviews of connect four: exact where a proof reaches, elsewhere chances."""

from __future__ import annotations

from typing import Final

import pytest

from engine import Budget, Move, OutOfBudget, review
from engine.games.connectfour import GAME
from engine.review import Grade

FILLED: Final = "444444777777111111333333"
"""Four full columns; 18 cells are left."""


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


def test_chances_are_told_as_unchecked_and_favour_the_seat_that_begins() -> None:
    found = review.hint("connectfour", 2, {}, [], Budget(nodes=2000))
    assert not found.calibrated
    assert found.best.chances[0] > 0.6


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
