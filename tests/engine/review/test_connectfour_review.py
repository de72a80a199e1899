"""Reviews of connect four: exact where a proof reaches, elsewhere chances."""

from __future__ import annotations

from functools import cache, reduce
from math import sqrt
from typing import Final

import pytest

from engine import Budget, Move, OutOfBudget, Seat, review
from engine.games.connectfour import GAME
from engine.games.connectfour.review import corrected
from engine.review import Grade, MoveReview, Review, WeighedMove
from tests.benchmarks.calibration import Asked, joined, predictions
from tests.samples import Sample

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
    found = review.hint("connectfour", 2, {"size": "8x7"}, moves("44"), Budget(nodes=5000))
    assert len(found.choices) == 8
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


def test_first_discs_are_proven_by_the_book() -> None:
    begin = review.hint("connectfour", 2, {}, [])
    assert begin.exact
    assert [choice.chances[0] for choice in sorted(begin.choices, key=lambda c: c.move)] == [
        *(0, 0, 0.5, 1, 0.5, 0, 0)
    ]
    told = review.why("connectfour", 2, {}, moves("3"))
    assert (told.grade, told.loss, told.turned) == (Grade.BLUNDER, 0.5, True)


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
    assert found.moves[0].grade is Grade.BEST
    blunder = found.moves[3]
    assert (blunder.grade, blunder.sure) == (Grade.BLUNDER, True)
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
        review.hint("connectfour", 2, {"size": "8x7"}, [], Budget(nodes=1))


LOST_ANYWAY: Final = [*map(int, "346333334544212224140111221555000550066")]
"""A game in which the second seat is lost at ply 19, whatever it plays."""


@cache
def reviewed_game() -> Review:
    return review.review("connectfour", 2, {}, list(map(Move, LOST_ANYWAY)))


def test_a_move_of_which_all_others_lose_as_well_costs_nothing() -> None:
    played = list(map(Move, LOST_ANYWAY[:20]))
    told = review.why("connectfour", 2, {}, played)
    assert told.exact
    assert [choice.chances[told.seat] for choice in told.choices] == [0] * 6
    assert (told.loss, told.turned) == (0, False)
    assert told.grade in {Grade.BEST, Grade.GOOD}


def test_reasons_hints_and_reviews_say_the_same_of_a_position(sample: Sample) -> None:
    played = list(map(Move, LOST_ANYWAY))
    told = reviewed_game()
    assert len(told.plies) == len(played)
    for ply in sample(range(len(played)), 1):
        reviewed = told.plies[ply]
        assert isinstance(reviewed, MoveReview)
        assert reviewed.choices == review.hint("connectfour", 2, {}, played[:ply]).choices
        why = review.why("connectfour", 2, {}, played[: ply + 1])
        assert (why.choices, why.grade) == (reviewed.choices, reviewed.grade)


def test_what_is_not_proven_is_no_mistake() -> None:
    told = reviewed_game()
    assert {move.grade for move in told.moves if not move.sure} <= {
        *(Grade.BEST, Grade.GOOD, Grade.INACCURACY),
    }
    assert {move.loss for move in told.moves if move.sure} <= {0, 0.5, 1}


def test_a_proof_is_not_weighed_against_an_estimate() -> None:
    sure, lost, guessed = (
        WeighedMove(Move(move), chances, None, proven, ())
        for move, chances, proven in (
            (0, (1.0, 0.0), True),
            (1, (0.0, 1.0), True),
            (2, (0.7, 0.3), False),
        )
    )
    for choices, move in (((guessed, lost), 1), ((sure, guessed), 2)):
        told = MoveReview(9, Seat(0), Move(move), choices, (), ())
        assert (told.loss, told.grade) == (0, Grade.INACCURACY)


@pytest.mark.parametrize(
    ("played", "drawn", "won"),
    [("332410131130440644022", 1, 3), ("3333332145221222465", 4, 5)],
)
def test_a_proven_draw_is_not_recommended_where_an_estimate_above_it_wins(
    played: str, drawn: int, won: int
) -> None:
    found = review.hint("connectfour", 2, {}, [Move(int(column)) for column in played])
    choices = {choice.move: choice for choice in found.choices}
    assert choices[Move(drawn)].proven
    assert choices[Move(drawn)].chances == (0.5, 0.5)
    assert found.best.move == won
    assert found.best.chances[found.seat] > 0.5


def test_the_estimate_of_a_move_that_is_proven_to_hold_is_half_or_more() -> None:
    played = [Move(int(column)) for column in "53333140222332411"]
    found = review.hint("connectfour", 2, {}, played, Budget(nodes=2000))
    assert (found.best.move, found.best.proven) == (1, False)
    assert found.best.chances[found.seat] >= 0.5
    assert {choice.chances[found.seat] for choice in found.choices[1:]} == {0}


def test_losses_add_up_to_what_there_was_to_lose_at_most() -> None:
    won, lost = (
        WeighedMove(Move(move), chances, None, proven=True, reasons=())
        for move, chances in ((0, (1.0, 0.0)), (1, (0.0, 1.0)))
    )
    blunders = (MoveReview(ply, Seat(0), Move(1), (won, lost), (), ()) for ply in (0, 2))
    told = Review("connectfour", 0, tuple(blunders), ((0.5, 0.5), (0.0, 1.0), (1.0, 0.0)) * 2)
    assert told.lost(Seat(0)) == 1
    drawish = Review("connectfour", 0, told.plies, ((0.5, 0.5), (0.0, 1.0)))
    assert drawish.lost(Seat(0)) == 0.5


@pytest.mark.parametrize("size", GAME.options[0].values)
def test_boards_of_all_sizes_are_reviewed(size: str) -> None:
    found = review.review("connectfour", 2, {"size": size}, moves("4455"), Budget(nodes=500))
    assert len(found.plies) == 4
