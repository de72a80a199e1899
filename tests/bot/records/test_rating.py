"""Ratings that cannot be farmed, and the weight of a game by which they cannot."""

from __future__ import annotations

from random import Random
from statistics import median

import pytest

from bot.records.rating import NEWCOMER, Rating, weight
from bot.records.standings import Standing
from tests.benchmarks.farming import ANN, BEN, CHEATS, Book, Course, beats, honest, outcome

STRANGERS = range(5, 17)


def test_a_pairs_games_in_a_season_count_in_full_three_times_and_then_half_as_much_each() -> None:
    assert [weight(met, 10, 10) for met in range(6)] == [1, 1, 1, 1 / 2, 1 / 4, 1 / 8]


def test_a_game_counts_the_more_the_more_others_the_opponent_is_known_from() -> None:
    grows = [weight(0, others, 5) for others in range(6)]
    assert grows == sorted({*grows})
    assert grows[0] < 1 / 100
    assert grows[-1] == 1
    assert weight(0, 99, 5) == 1


def test_a_game_of_full_weight_is_openskills_own_and_one_of_none_changes_nothing() -> None:
    after = Rating(27.25, 7.5)
    assert NEWCOMER.towards(after, 1) == after
    assert NEWCOMER.towards(after, 0) == NEWCOMER


@pytest.mark.parametrize("drawn", [False, True])
def test_no_number_of_games_between_two_moves_a_rating(drawn: bool) -> None:
    book = Book()
    for course in beats((BEN,), 100, drawn=drawn):
        book.enter(course, 0)
    for person in (ANN, BEN):
        for month in (0, None):
            assert abs(book.standing(person, month).rating.points - 1000) <= 1
            assert book.standing(person, month).provisional()
    ann, ben = (book.standing(person).rating.ordinal for person in (ANN, BEN))
    assert (ann == ben) == drawn, "their order follows from their games"


def test_a_person_who_is_known_only_from_tables_of_ones_own_tells_nothing() -> None:
    book = Book()
    for first in STRANGERS[:-2]:
        book.enter(Course((ANN, first, first + 1, first + 2)), 0)
    assert abs(book.standing(ANN).rating.points - 1000) <= 1


def test_a_game_given_up_at_once_counts_for_nothing() -> None:
    book = Book()
    for other in STRANGERS:
        book.enter(Course((ANN, other), short=True), 0)
    assert book.standing(ANN, 0) == book.standing(ANN) == Standing()


def test_a_rating_is_provisional_below_ten_games_against_three_people() -> None:
    pair, circle = Book(), Book()
    for number in range(10):
        assert circle.standing(ANN).provisional()
        pair.enter(Course((ANN, BEN)), 0)
        circle.enter(Course((ANN, STRANGERS[number % 3])), 0)
    assert pair.standing(ANN).provisional()
    assert not circle.standing(ANN).provisional()


def test_no_course_of_friends_or_smurfs_passes_an_honest_player(rng: Random) -> None:
    """Most honest players who win 60 % are far beyond the best of them."""
    fair = median(outcome(honest(0.6), rng, months=1).now for _ in range(9))
    farmed = {what: outcome(courses, rng, months=1) for what, courses in CHEATS.items()}
    assert {what for what, found in farmed.items() if found.now >= fair} == set()
    assert max(found.before for found in farmed.values()) > fair
