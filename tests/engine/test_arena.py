"""Matches: seats, counts, intervals, and the same result however the games are spread."""

from __future__ import annotations

import gc
import inspect
import itertools
import os
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.arena import Match, NoLuck, Score, WrongNumberOfAgents, play, play_all, wilson
from engine.game import InvalidOptions, Move
from engine.isolation import AgentFile
from engine.roster import Unknown
from engine.search.agent import UNLIMITED, Budget, Thought
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


@dataclass(frozen=True)
class Unruly:
    """A player with a fault, which its maker is named for."""

    fault: str

    @classmethod
    def of(cls, fault: str) -> Callable[[Random], Unruly]:
        def make(_rng: Random) -> Unruly:
            if fault == "made":
                raise ValueError("not today")
            return cls(fault)

        make.__name__ = fault
        return make

    def think(self, state: toy.Count, budget: Budget = UNLIMITED) -> Any:  # noqa: ARG002
        faults: dict[str, Callable[[], Any]] = {
            "sleeps": lambda: time.sleep(9),
            "slow": lambda: time.sleep(0.3),
            "illegal": lambda: Thought(Move(99)),
            "float": lambda: Thought(1.0),  # type: ignore[arg-type]
            "truth": lambda: Thought(True),  # type: ignore[arg-type]  # noqa: FBT003
            "number": lambda: 1,
            "raises": lambda: dict[str, int]()["nothing"],
            "rambles": lambda: dict[str, int]()["x" * 100_000],
            "exits": lambda: sys.exit(3),
            "dies": lambda: os._exit(7),
            "eats": lambda: bytearray(1 << 28),
            "nests": lambda: forge(b"[" * 60_000),
            "claims": lambda: forge(b'{"move": true}'),
            "promises": promise,
        }
        return faults[self.fault]() or Thought(state.moves()[0])


def forge(answer: bytes) -> None:
    """Answer past the process's own way."""
    its_connection().send_bytes(answer)
    time.sleep(9)


def promise() -> None:
    """Write the length of an answer, and nothing of it."""
    os.write(its_connection().fileno(), (99).to_bytes(4))
    time.sleep(9)


def its_connection() -> Connection:
    """The connection of the process, by which whoever called was asked."""
    caller = next(frame.frame for frame in inspect.stack() if "connection" in frame.frame.f_locals)
    connection: Connection = caller.f_locals["connection"]
    return connection


class Spy(Counter):
    """A player that looks through its process for the match."""

    def think(self, state: Any, budget: Budget = UNLIMITED) -> Thought:  # noqa: ARG002
        found = [each for each in gc.get_objects() if isinstance(each, Match) and each.seed == 4711]
        assert not found, found
        return Thought(state.moves()[0])


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
    report = total(Match("tictactoe", ("random", "random")), 1000)
    low, high = wilson(report.won, report.won + report.lost)
    assert low < 0.5 < high


def test_a_game_and_agents_of_ones_own_are_measured_like_those_of_the_roster() -> None:
    match = Match(toy.GAME, (Counter, "random"))
    assert play_all(match, range(0, 100, 2), time.perf_counter).won == 50
    three = Match(toy.GAME, (lambda rng: Counter(rng), "random"), seats=3)  # noqa: PLW0108
    assert total(three, 60).games == 60


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("sleeps", r"took more than its 0\.5 s for a move"),
        ("illegal", r"chose 99, where only 2, 3 are legal|chose 99, where only 1, 2, 3 are legal"),
        ("float", r"raised TypeError: a move is a whole number, not 1\.0"),
        ("truth", r"raised TypeError: a move is a whole number, not True"),
        ("number", r"raised TypeError: a Thought was expected, not int"),
        ("raises", r"raised KeyError: 'nothing'"),
        ("rambles", r"raised KeyError: 'x+"),
        ("exits", r"raised SystemExit: 3"),
        ("dies", r"ended its process, with code 7"),
        ("eats", r"took more than its 64 MB of memory"),
        ("nests", r"answered nothing that can be read"),
        ("claims", r"answered nothing that can be read"),
    ],
)
def test_a_foul_loses_the_game_is_told_and_the_match_goes_on(fault: str, reason: str) -> None:
    limit = 0.5 if fault == "sleeps" else 60.0
    match = Match(toy.GAME, (Unruly.of(fault), Counter), seconds=limit, memory=64)
    score = play_all(match, range(4), time.perf_counter)
    assert (score.won, score.lost, len(score.fouls)) == (0, 4, 4)
    for number, foul in enumerate(score.fouls):
        assert (foul.game, foul.agent, foul.ply) == (number, fault, number % 2)
        assert re.fullmatch(reason, foul.reason), foul.reason


def test_an_answer_that_does_not_come_to_its_end_is_a_foul_in_time() -> None:
    match = Match(toy.GAME, (Unruly.of("promises"), Counter), seconds=0.2)
    score = play(match, 0, time.perf_counter)
    assert [foul.reason for foul in score.fouls] == ["took more than its 0.2 s for a move"]
    assert score.seconds < 5


def test_a_limit_longer_than_the_system_knows_is_none() -> None:
    match = Match(toy.GAME, (Counter, "random"), seconds=1e12)
    assert play(match, 0, time.perf_counter).won == 1


def test_an_agent_that_cannot_be_made_loses_before_its_first_ply() -> None:
    score = play(Match(toy.GAME, (Unruly.of("made"), Counter)), 1, time.perf_counter)
    assert score.lost == 1
    assert str(score.fouls[0]) == "made lost game 1 at ply 0: it raised ValueError: not today"


def test_the_time_for_a_game_is_an_agents_own_and_a_foul_takes_no_time_from_the_other() -> None:
    match = Match(toy.GAME, (Unruly.of("slow"), Counter), longest=1.0)
    score = play(match, 0, time.perf_counter)
    assert [foul.reason for foul in score.fouls] == ["took more than its time for a game"]
    assert score.plies > 2, "it had time for some moves"


def test_a_foul_of_one_of_three_is_lost_by_it_alone_and_of_partners_by_both() -> None:
    match = Match(toy.GAME, ("random", Unruly.of("raises"), "random"), seats=3)
    assert play(match, 0, time.perf_counter).won == 1
    teams = Match(
        "ludo", ("random", Unruly.of("raises")), seats=4, options={"teams": "yes", "tokens": 1}
    )
    assert play(replace(teams, agents=teams.agents[::-1]), 0, time.perf_counter).lost == 1


def test_an_agent_in_its_process_finds_no_match_no_seed_and_no_dice() -> None:
    score = play(Match("tictactoe", (Spy, "random"), seed=4711), 0, time.perf_counter)
    assert not score.fouls, score.fouls


class Teller(Counter):
    """A player that tells, by a fault, what it knows of the match: seed, and words."""

    def think(self, state: Any, budget: Budget = UNLIMITED) -> Thought:  # noqa: ARG002
        raise ValueError(self.rng.getrandbits(64), sys.argv[1:])


def test_an_agent_is_not_told_the_stream_of_the_dice_nor_the_words_of_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "argv", ["engine", "--seed", "4711"])
    dice = Random("4711/0")
    drawn = [Random(dice.getrandbits(64)).getrandbits(64) for _ in range(2)]
    match = Match("ludo", (Teller, Teller), seed=4711)
    once, again = (play(match, 0, time.perf_counter).fouls[0].reason for _ in range(2))
    assert once == again, "the same seed is the same match"
    told = re.fullmatch(r"raised ValueError: \((\d+), \[\]\)", once)
    assert told, once
    assert int(told[1]) not in drawn


def test_an_agent_of_a_file_is_imported_by_its_own_process_alone(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from engine import Thought\n"
        "class First:\n"
        "    def __init__(self, rng): pass\n"
        "    def think(self, state, budget): return Thought(min(state.moves()))\n"
    )
    first = AgentFile(str(file), "First")
    score = total(Match("tictactoe", (first, "random")), 6)
    assert score.games == 6
    assert not score.fouls
    assert "agent_of_ones_own" not in sys.modules


def test_an_agent_of_a_file_may_be_a_dataclass_and_import_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "lowest_of_all.py").write_text("lowest = min\n")
    file = tmp_path / "mine.py"
    file.write_text(
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "from random import Random\n"
        "from engine import Thought\n"
        "from lowest_of_all import lowest\n"
        "@dataclass\n"
        "class First:\n"
        "    rng: Random\n"
        "    def think(self, state, budget): return Thought(lowest(state.moves()))\n"
    )
    score = total(Match("tictactoe", (AgentFile(str(file), "First"), "random")), 2)
    assert not score.fouls


def test_luck_is_taken_out_where_there_are_dice_and_a_judge() -> None:
    for match in (MATCH, Match(toy.GAME, (Counter, Counter))):
        with pytest.raises(NoLuck, match="it needs dice and an evaluation"):
            replace(match, without_luck=True).checked()


@pytest.mark.parametrize(
    ("seats", "options"), [(2, {}), (3, {"finish": "first"}), (4, {"teams": "yes"})]
)
def test_where_no_luck_is_noted_the_share_of_a_game_is_its_win(
    seats: int, options: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.arena.judge", lambda _rules: lambda _state: [0.0] * seats)
    agents = ("random", "random")
    match = Match("ludo", agents, seats=seats, options={**options, "tokens": 1}, without_luck=True)
    for number in range(4):
        score = play(match.checked(), number, time.perf_counter)
        assert score.share == pytest.approx(score.won)


def test_luck_is_not_taken_out_of_games_for_places() -> None:
    match = Match("ludo", ("random",) * 3, 3, {"finish": "places"}, without_luck=True)
    with pytest.raises(NoLuck, match="no luck can be taken out of ludo for places"):
        match.checked()
    replace(match, agents=("random",) * 2, seats=2).checked()


def test_an_agent_of_a_class_of_ones_own_plays_over_several_processes() -> None:
    match = Match(toy.GAME, (Counter, Counter))
    alone = total(match, 40)
    assert counts(total(match, 40, cores=2)) == counts(alone)
    assert alone.won == 20  # whoever begins wins


def test_an_agent_of_ones_own_has_the_budget_of_the_match() -> None:
    class Asking(Counter):
        def think(self, state: toy.Count, budget: Budget = UNLIMITED) -> Thought:
            assert budget.nodes == 70
            assert 4.9 < budget.deadline - budget.clock() <= 5
            return super().think(state)

    score = play(Match(toy.GAME, (Asking, "random"), seconds=5, nodes=70), 0, lambda: 100.0)
    assert not score.fouls


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
