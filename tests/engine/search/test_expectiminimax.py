"""Expectiminimax against a search written down from its definition, and within its budget."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import CHANCE, Move, Options
from engine.games.ludo import LudoPosition
from engine.games.ludo.evaluation.report import StudentReport
from engine.games.ludo.evaluation.trained import Trained
from engine.search.agent import Budget
from engine.search.expectiminimax import USUAL_DEPTH, Evaluation, Expectiminimax, Worth
from tests.engine.games.ludo.drawing import drawn, rolled
from tests.engine.games.ludo.positions import choices, standing, to_move

EVALUATIONS: list[Evaluation[Any]] = [Trained(), StudentReport()]
CLOSE = 0.1


def brute_force(
    evaluation: Evaluation[Any], position: LudoPosition, depth: int
) -> dict[Move, float]:
    """The worth of each move, from the definition alone: no budget, no counts, nothing shared."""
    root, judged = evaluation.begin(position)

    def worth(state: LudoPosition, depth: int) -> list[float]:
        if not state.moves() or depth == 0:
            return list(judged(state))
        if state.turn == CHANCE:
            rolls = [rolled_worth(state.play(pips), depth) for pips in state.moves()]
            return [sum(shares) / 6 for shares in zip(*rolls, strict=True)]
        outcomes = [worth(state.play(move), depth - 1) for move in state.moves()]
        best = max(outcome[state.turn] for outcome in outcomes)
        return next(outcome for outcome in outcomes if outcome[state.turn] == best)

    def rolled_worth(state: LudoPosition, depth: int) -> list[float]:
        passed = state.turn == CHANCE
        return worth(state, depth - 1 if passed else depth)

    return {m: worth(root.play(m), depth - 1)[position.turn] for m in position.moves()}


@given(position=to_move(), depth=st.integers(1, 2), evaluation=st.sampled_from(EVALUATIONS))
def test_every_move_is_worth_what_the_definition_says(
    position: LudoPosition, depth: int, evaluation: Evaluation[Any]
) -> None:
    thought = Expectiminimax(evaluation, Random(1), depth).think(position)
    assert thought.values == pytest.approx(brute_force(evaluation, position, depth))
    assert thought.values[thought.move] == max(thought.values.values())
    assert thought.variation == (thought.move,)
    assert thought.depth == depth


@pytest.mark.parametrize("evaluation", EVALUATIONS, ids=["trained", "report"])
def test_three_moves_ahead_it_still_agrees_with_the_definition(
    evaluation: Evaluation[Any],
) -> None:
    for position in choices(2, {"tokens": 2, "leave_on": "1 or 6"}, seed=3)[:6]:
        thought = Expectiminimax(evaluation, Random(1), 3).think(position)
        assert thought.values == pytest.approx(brute_force(evaluation, position, 3))


@given(position=to_move(), evaluation=st.sampled_from(EVALUATIONS))
def test_close_moves_alone_are_looked_at_one_move_deeper(
    position: LudoPosition, evaluation: Evaluation[Any]
) -> None:
    expected = brute_force(evaluation, position, 1)
    best = max(expected.values())
    close = [move for move, worth in expected.items() if best - worth < CLOSE]
    if len(close) > 1:
        deeper = brute_force(evaluation, position, 2)
        expected |= {move: deeper[move] for move in close}
    asked = Expectiminimax(evaluation, Random(1), 1, CLOSE)
    for thought in asked.think(position), asked.think(position, Budget(nodes=10**6)):
        assert thought.values == pytest.approx(expected)
        assert thought.values[thought.move] == max(thought.values[move] for move in close)


@pytest.mark.parametrize("options", [{}, {"tokens": 2, "leave_on": "1 or 6"}], ids=str)
def test_moves_that_stay_close_are_looked_at_still_deeper(options: Options) -> None:
    reached = set[int]()
    for position in choices(2, options, seed=5)[:20]:
        expected, close, deepest = dict[Move, float](), list(position.moves()), 1
        for depth in range(1, 4):
            if len(close) > 1 or depth == 1:
                found = brute_force(Trained(), position, depth)
                expected |= {move: found[move] for move in close}
                best = max(found[move] for move in close)
                close = [move for move in close if best - found[move] < CLOSE]
                deepest = depth
        thought = Expectiminimax(Trained(), Random(1), 1, CLOSE, lambda _: 2).think(position)
        assert thought.values == pytest.approx(expected)
        assert thought.values[thought.move] == max(thought.values[move] for move in close)
        assert thought.depth == deepest
        reached.add(deepest)
    assert reached == {1, 2, 3}


def test_plain_choices_cost_no_deeper_look_and_close_ones_do() -> None:
    deeper = set[bool]()
    for position in choices(2, {"tokens": 2}, seed=2)[:20]:
        usual = Expectiminimax(Trained(), Random(1), 1).think(position)
        asked = Expectiminimax(Trained(), Random(1), 1, CLOSE).think(position)
        assert (asked.nodes == usual.nodes) is (asked.depth == 1)
        deeper.add(asked.depth == 2)
    assert deeper == {True, False}


def test_a_win_is_worth_one_and_is_taken() -> None:
    position = standing((57, 57, 57, 54), (57, 57, 57, 40)).play(Move(3))
    assert Expectiminimax(Trained(), Random(1)).think(position).values == {3: 1.0}


def test_of_two_tokens_it_moves_the_one_that_a_rival_would_capture() -> None:
    position = rolled(
        drawn(
            """
            .............
            .........b.a.
            ....a........
            .............
            """
        ),
        5,
    )
    run, stay = 0, 1
    assert position.tokens[0][:2] == (31, 25)
    thought = Expectiminimax(Trained(), Random(1)).think(position)
    assert thought.values[Move(stay)] > thought.values[Move(run)]


def test_the_only_move_is_not_searched_deeply() -> None:
    position = standing((1, 0, 0, 0), (0, 0, 0, 0)).play(Move(3))
    thought = Expectiminimax(Trained(), Random(1)).think(position)
    assert (thought.move, thought.depth, thought.nodes) == (0, 1, 1)


def test_without_a_budget_it_looks_three_moves_ahead() -> None:
    position = choices(2, {}, seed=1)[3]
    usual = Expectiminimax(Trained(), Random(1)).think(position)
    assert usual == Expectiminimax(Trained(), Random(1), 3).think(position)
    assert usual.depth == USUAL_DEPTH


def test_the_same_randomness_is_the_same_move_and_equally_good_moves_are_all_played() -> None:
    position = standing((1, 14, 27, 40), (0, 0, 0, 0), blocks="off").play(Move(1))
    level: Evaluation[LudoPosition] = Level()
    seen = {Expectiminimax(level, Random(seed), 1).think(position).move for seed in range(40)}
    assert seen == {0, 1, 2, 3}
    first, again = (Expectiminimax(level, Random(5), 1).think(position).move for _ in range(2))
    assert first == again


class Level:
    """An evaluation to which all positions are worth the same."""

    def begin(self, state: LudoPosition) -> tuple[LudoPosition, Worth[LudoPosition]]:
        return state, lambda _: (0.0, 0.0)


@given(position=to_move(), nodes=st.integers(0, 400), depth=st.sampled_from([None, 1, 2, 3]))
def test_a_budget_of_nodes_is_never_overrun_and_the_move_is_legal(
    position: LudoPosition, nodes: int, depth: int | None
) -> None:
    thought = Expectiminimax(Trained(), Random(1), depth).think(position, Budget(nodes=nodes))
    assert thought.nodes <= nodes
    assert thought.move in position.moves()
    assert set(thought.values) <= set(position.moves())


def test_under_a_budget_it_plays_the_best_move_of_the_deepest_look_it_finished() -> None:
    for position in choices(2, {"tokens": 2}, seed=2)[:10]:
        one = Expectiminimax(Trained(), Random(1), 1).think(position)
        cut = Expectiminimax(Trained(), Random(1)).think(position, Budget(nodes=one.nodes))
        assert (cut.move, cut.values, cut.depth) == (one.move, one.values, 1)
        enough = Expectiminimax(Trained(), Random(1), 2).think(position, Budget(nodes=10**6))
        whole = Expectiminimax(Trained(), Random(1), 2).think(position)
        assert enough.values == pytest.approx(whole.values)


class Timed:
    """The trained evaluation, on a clock that ticks once for each position judged."""

    def __init__(self) -> None:
        self.ticks = 0

    def begin(self, state: LudoPosition) -> tuple[LudoPosition, Worth[LudoPosition]]:
        root, worth = Trained().begin(state)

        def ticking(position: LudoPosition) -> Sequence[float]:
            self.ticks += 1
            return worth(position)

        return root, ticking


@given(position=to_move(), ticks=st.integers(80, 2000))
def test_a_deadline_is_overrun_by_at_most_a_tenth(position: LudoPosition, ticks: int) -> None:
    timed = Timed()
    budget = Budget(deadline=ticks, clock=lambda: timed.ticks)
    thought = Expectiminimax(timed, Random(1)).think(position, budget)
    assert timed.ticks <= 1.1 * ticks
    assert thought.move in position.moves()


def test_a_deadline_that_has_passed_still_yields_a_legal_move() -> None:
    position = choices(2, {}, seed=1)[0]
    thought = Expectiminimax(Trained(), Random(1)).think(
        position, Budget(deadline=0, clock=lambda: 1)
    )
    assert thought.move in position.moves()
    assert thought.nodes == 0
