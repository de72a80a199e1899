"""Matches: seats, counts, intervals, and the same result however the games are spread."""

from __future__ import annotations

import itertools
import sys
import time
from dataclasses import replace
from functools import reduce
from random import Random

import pytest

from engine.arena import Match, NoLuck, Score, UnfairPlay, WrongNumberOfAgents, play, wilson
from engine.game import InvalidOptions, Move
from engine.roster import Unknown
from engine.search.agent import Thought
from engine.search.budget import UNLIMITED, Budget
from engine.workers import NoCluster, played_on_cluster, total
from tests import toy

MATCH = Match("tictactoe", ("rules-fork", "random"))


class Counter:
    """A player of twenty-one by the book: to 1, 5, 9, 13, 17 and 21, or anything."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def think(self, state: toy.Count, budget: Budget = UNLIMITED) -> Thought:  # noqa: ARG002
        good = [move for move in state.moves() if (state.said + move) % 4 == 1]
        return Thought(self.rng.choice(good or state.moves()))


class Cheat(Counter):
    """A player who says a number that nobody may say."""

    def think(self, state: toy.Count, budget: Budget = UNLIMITED) -> Thought:  # noqa: ARG002
        return Thought(Move(99))


def counts(report: Score) -> tuple[int, int, int, int]:
    return report.won, report.drawn, report.lost, report.plies


def test_the_agents_take_the_seats_in_turn() -> None:
    assert [MATCH.line_up(number) for number in range(3)] == [[0, 1], [1, 0], [0, 1]]
    four = Match("any", ("a", "b"), seats=4)
    assert [four.line_up(number).index(0) for number in range(5)] == [0, 1, 2, 3, 0]
    assert all(sorted(four.line_up(number)) == [0, 1, 1, 1] for number in range(4))


def test_every_game_is_counted_once_and_a_good_player_loses_none() -> None:
    report = total(MATCH, 200)
    assert report.games == 200
    assert report.lost == 0
    assert report.won > 150
    assert report.moves == pytest.approx(report.plies / 2, abs=100)


def test_a_match_comes_out_the_same_on_one_core_and_on_two() -> None:
    assert counts(total(MATCH, 60)) == counts(total(MATCH, 60, cores=2))


def test_another_seed_is_another_match() -> None:
    assert counts(total(MATCH, 60)) != counts(total(replace(MATCH, seed=1), 60))


def test_an_agent_against_itself_wins_as_often_as_it_loses() -> None:
    report = total(Match("tictactoe", ("random", "random")), 2000)
    low, high = wilson(report.won, report.won + report.lost)
    assert low < 0.5 < high


def test_a_game_and_agents_of_ones_own_are_measured_like_those_of_the_roster() -> None:
    match = Match(toy.GAME, (Counter, "random"))
    assert all(play(match, number, time.perf_counter).won for number in range(0, 100, 2))
    three = Match(toy.GAME, (lambda rng: Counter(rng), "random"), seats=3)  # noqa: PLW0108
    assert total(three, 60).games == 60


def test_a_move_that_is_not_legal_ends_the_match_and_names_its_agent() -> None:
    with pytest.raises(UnfairPlay, match=r"Cheat chose 99 at ply 1 of game 1, where only \["):
        play(Match(toy.GAME, (Cheat, Counter)), 1, time.perf_counter)


def test_a_game_that_takes_too_long_ends_the_match() -> None:
    ticks = itertools.count()
    match = replace(MATCH, longest=5)
    with pytest.raises(UnfairPlay, match=r"game 7 took more than 5 s, \d plies"):
        play(match, 7, lambda: next(ticks))


def test_luck_is_taken_out_where_there_are_dice_and_a_judge() -> None:
    for match in (MATCH, Match(toy.GAME, (Counter, Counter))):
        with pytest.raises(NoLuck, match="it needs dice and an evaluation"):
            replace(match, without_luck=True).checked()


def test_an_agent_of_a_class_of_ones_own_plays_over_several_processes() -> None:
    match = Match(toy.GAME, (Counter, Counter))
    assert counts(total(match, 40, cores=2)) == counts(total(match, 40))
    assert total(match, 40).won == 20  # whoever begins wins


def test_an_agent_of_ones_own_has_the_budget_of_the_match() -> None:
    asked: list[Budget] = []

    class Asking(Counter):
        def think(self, state: toy.Count, budget: Budget = UNLIMITED) -> Thought:
            asked.append(budget)
            return super().think(state)

    play(Match(toy.GAME, (Asking, "random"), seconds=5, nodes=70), 0, lambda: 100.0)
    assert {(budget.nodes, budget.deadline) for budget in asked} == {(70, 105)}


def test_the_slower_agents_seconds_are_its_own() -> None:
    ticks = itertools.count()
    match = Match("tictactoe", ("alphabeta@300", "random"), options={"size": 4})
    report = play(match, 0, lambda: next(ticks))
    assert 300 <= report.slowest <= 1.1 * 300
    assert report.seconds <= report.slowest * report.moves


def test_nodes_bound_every_move() -> None:
    ticks = itertools.count()
    match = Match("tictactoe", ("alphabeta", "random"), options={"size": 5}, nodes=50)
    assert play(match, 0, lambda: next(ticks)).slowest <= 60


@pytest.mark.parametrize(
    ("hits", "tries", "low", "high"),
    # Robert Newcombe, "Two-sided confidence intervals for the single proportion", 1998, method 3.
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_intervals_are_those_published(hits: int, tries: int, low: float, high: float) -> None:
    assert list(wilson(hits, tries)) == pytest.approx([low, high], abs=5e-5)


def test_an_interval_holds_the_truth_about_95_times_in_100() -> None:
    rng = Random(4)
    held = 0
    for _ in range(2000):
        low, high = wilson(sum(rng.random() < 0.3 for _ in range(60)), 60)
        held += low <= 0.3 <= high
    assert 0.93 < held / 2000 < 0.97


@pytest.mark.parametrize(
    ("match", "error"),
    [
        (Match("chess", ("random", "random")), Unknown),
        (Match("tictactoe", ("random", "stockfish")), Unknown),
        (Match("tictactoe", ("random", "random"), seats=3), InvalidOptions),
        (Match("tictactoe", ("random", "random"), options={"size": 9}), InvalidOptions),
        (Match("tictactoe", ("random",)), WrongNumberOfAgents),
        (Match("tictactoe", ("random",) * 3), WrongNumberOfAgents),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(match: Match, error: type[Exception]) -> None:
    with pytest.raises(error):
        match.checked()


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("127.0.0.1", "a scheduler's address is tcp://HOST:PORT, not '127.0.0.1'"),
        ("tcp://127.0.0.1:1", r"pip install -e '\.\[cluster\]'"),
    ],
)
def test_a_cluster_that_cannot_be_used_is_refused_with_a_sentence(
    address: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)  # as if it were not installed
    with pytest.raises(NoCluster, match=sentence):
        list(played_on_cluster(MATCH, 1, time.perf_counter, address=address))


def test_a_match_on_a_dask_cluster_comes_out_as_on_one_core() -> None:
    distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0"
    ) as cluster:
        address = cluster.scheduler_address
        reports = played_on_cluster(MATCH, 60, time.perf_counter, address=address)
        assert counts(reduce(Score.joined, reports)) == counts(total(MATCH, 60))
