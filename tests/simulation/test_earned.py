"""What is wrongly earned is told, whatever the bot has counted."""

from __future__ import annotations

import json
from typing import Any

from tests.simulation.earned import (
    BADGES,
    BY_ROUNDS,
    ENDED,
    MATCHES,
    MOVES,
    OUTCOMES,
    PAIRINGS,
    PARTS,
    PLACED,
    PLAYED_DUELS,
    PLAYED_LEGS,
    POINTS,
    RATED,
    SEEDED,
    STANDINGS,
    arena_points,
    winning_seat,
    wrongly_earned,
)

SMALL = {"size": 3, "line": 3}


def told(rows: dict[str, list[Any]], roles: tuple[int, ...] = ()) -> list[str]:
    return [*wrongly_earned(lambda query: rows.get(query, []), roles)]


def test_a_winner_is_found_by_the_line_on_the_board() -> None:
    assert winning_seat("tictactoe", SMALL, [0, 3, 1, 4, 2]) == 0
    assert winning_seat("tictactoe", SMALL, [2, 0, 4, 1, 6]) == 0
    assert winning_seat("tictactoe", SMALL, [0, 1, 2, 4, 3, 5, 7, 6, 8]) is None
    assert winning_seat("connectfour", {}, [0, 1, 0, 1, 0, 1, 2, 1]) == 1
    assert winning_seat("connectfour", {}, [0, 1, 2, 3]) is None


def test_a_win_that_is_not_on_the_board_is_told() -> None:
    duel = (7, "tictactoe", json.dumps({"session": {"options": SMALL}}))
    moves = [(0,), (3,), (1,), (4,), (2,)]
    right: dict[str, list[Any]] = {PLAYED_DUELS: [duel], MOVES.format(7): moves}
    assert not told({**right, OUTCOMES.format(7): [(0, "win"), (1, "loss")]})
    assert len(told({**right, OUTCOMES.format(7): [(0, "win"), (1, "win")]})) == 1


def test_a_standing_without_its_results_is_told() -> None:
    standing = (1, "ludo", 1, 0, 0)
    assert not told({STANDINGS: [standing], RATED: [(1, "ludo", "win")]})
    assert len(told({STANDINGS: [standing], RATED: [(1, "ludo", "loss")]})) == 1


def test_two_people_who_have_met_differently_are_told() -> None:
    one, other = (1, 2, "ludo", "0/0", 2, 0, 0), (2, 1, "ludo", "0/0", 0, 0, 2)
    assert not told({PAIRINGS: [one, other]})
    assert len(told({PAIRINGS: [one]})) == 1


def test_a_badge_that_no_game_earns_is_told() -> None:
    assert not told({BADGES: [(1, "beat_hard", 7, "win", "hard"), (1, "held", 7, "draw", None)]})
    assert len(told({BADGES: [(1, "beat_hard", 7, "loss", "hard")]})) == 1
    assert len(told({BADGES: [(1, "held", 7, None, None)]})) == 1


def test_points_of_a_match_that_are_not_on_the_board_are_told() -> None:
    leg = (3, 1, 7, "tictactoe", json.dumps({"session": {"options": SMALL}}), 0)
    moves = [(0,), (3,), (1,), (4,), (2,)]
    right: dict[str, list[Any]] = {PLAYED_LEGS: [leg], MOVES.format(7): moves}
    assert not told({**right, POINTS.format(3, 1): [(0, 1.0), (1, 0.0)]})
    assert len(told({**right, POINTS.format(3, 1): [(0, 1.0), (1, 1.0)]})) == 1


def test_a_place_before_another_with_more_points_is_told() -> None:
    parts = [(1, 1, 1.0, 0), (1, 2, 0.0, 0)]
    right: dict[str, list[Any]] = {ENDED: [(3, "swiss")], PARTS.format(3): parts}
    assert not told({**right, PLACED.format(3): [(1, 1, 0), (2, 1, 0)]})
    assert len(told({**right, PLACED.format(3): [(2, 1, 0), (1, 1, 0)]})) == 1
    assert not told({**right, PLACED.format(3): [(2, 1, 0), (1, 1, 1)]}), "the winner has left"
    assert len(told({**right, PLACED.format(3): [(1, 1, 1), (2, 1, 0)]})) == 1


def test_a_place_before_another_who_came_further_is_told() -> None:
    first = [(1, 0, 1, 2.0, 9.0, 0), (1, 0, 2, 0.0, 9.0, 0), (1, 1, 3, 2.0, 9.0, 0)]
    final = [(2, 0, 1, 1.0, 9.0, 0), (2, 0, 3, 0.0, 5.0, 0)]
    final += [(2, 0, 3, 1.0, 8.0, 0), (2, 0, 1, 0.0, 1.0, 0)]  # each thinks in a lost game too
    right: dict[str, list[Any]] = {
        BY_ROUNDS: [(3, "knockout", "live")],
        MATCHES.format(3): [*first, *final],
    }
    assert not told({**right, SEEDED.format(3): [(3, 2), (1, 1), (2, 3)]})
    (rounds,) = told({**right, SEEDED.format(3): [(3, 2), (2, 3), (1, 1)]})
    assert "of rounds [2, 1, 2]" in rounds
    (slower,) = told({**right, SEEDED.format(3): [(1, 1), (3, 2), (2, 3)]})
    assert "of match 0" in slower


def test_a_place_in_a_heat_before_another_with_more_points_is_told() -> None:
    table = [(1, 0, 1, 3.0, 0.0, 0), (1, 0, 2, 2.0, 0.0, 0), (1, 0, 3, 1.0, 0.0, 0)]
    right: dict[str, list[Any]] = {BY_ROUNDS: [(3, "heats", "live")], MATCHES.format(3): table}
    assert not told({**right, SEEDED.format(3): [(1, 2), (2, 1), (3, 3)]})
    assert len(told({**right, SEEDED.format(3): [(2, 1), (1, 2), (3, 3)]})) == 1
    tied = [(1, 0, 1, 1.0, 0.0, 1), *table[1:2], (1, 0, 3, 1.0, 0.0, 0)]
    assert not told({**right, MATCHES.format(3): tied, SEEDED.format(3): [(2, 2), (1, 1), (3, 3)]})


def test_points_of_an_arena_are_doubled_after_two_wins_in_a_row() -> None:
    won = [(1, 1.0, False), (2, 0.0, False)]
    assert arena_points([won] * 3) == {1: 8, 2: 0}
    nobody = [(1, 0.0, False), (2, 0.0, True)]
    assert arena_points([won, won, nobody, won]) == {1: 8, 2: 0}


def test_a_role_without_a_title_is_told() -> None:
    assert len(told({}, roles=(1,))) == 1
