"""Puzzles: the same for all on a day, with one answer, which a search of its own finds too."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from random import Random

import pytest

from engine import review, roster
from engine.review import Puzzle, Task

DAYS = [date(2026, 1, 1) + timedelta(number) for number in range(24)]
FIRST = 9
"""So many days are looked at, and all in an exhaustive run."""


@pytest.fixture(scope="module")
def puzzles(pytestconfig: pytest.Config) -> list[Puzzle]:
    days = DAYS if pytestconfig.option.exhaustive else DAYS[:FIRST]
    return [review.puzzle(day) for day in days]


def test_a_day_has_one_puzzle_and_days_have_others(puzzles: list[Puzzle], exhaustive: bool) -> None:
    again = DAYS[: 5 if exhaustive else 2]
    assert [review.puzzle(day) for day in again] == puzzles[: len(again)]
    assert len({(puzzle.game, puzzle.moves) for puzzle in puzzles}) == len(puzzles)
    assert set(Counter(puzzle.task for puzzle in puzzles)) == set(Task)


def test_every_puzzle_has_exactly_one_answer(puzzles: list[Puzzle]) -> None:
    for puzzle in puzzles:
        assert puzzle.answer.bests == (puzzle.answer.move,)
        assert len(puzzle.answer.choices) > 2


def test_a_win_is_the_only_one_as_soon_by_another_algorithm(puzzles: list[Puzzle]) -> None:
    wins = [puzzle for puzzle in puzzles if puzzle.task is Task.WIN]
    assert wins
    for puzzle in wins:
        state = roster.game(puzzle.game).replay(2, puzzle.options, puzzle.moves)
        plies = 2 * puzzle.marks - 1
        agent = roster.entrant(roster.game(puzzle.game), f"alphabeta:{plies}:none").agent(Random(0))
        values = agent.think(state).values
        assert puzzle.marks in {2, 3}
        assert [move for move, value in values.items() if value > 0] == [puzzle.answer.move]


def test_a_draw_is_held_by_one_cell_and_no_threat_points_to_it(puzzles: list[Puzzle]) -> None:
    held = [puzzle for puzzle in puzzles if puzzle.task is Task.HOLD]
    assert held
    for puzzle in held:
        game = roster.game(puzzle.game)
        state = game.replay(2, puzzle.options, puzzle.moves)
        for move in state.moves():
            after = state.play(move)
            reply = roster.entrant(game, "solver").agent(Random(0), weigh_all=True).think(after)
            lost = max(reply.values.values()) > 0
            assert lost == (move != puzzle.answer.move)
            assert not any(after.play(answer).payoff() for answer in after.moves() if lost)


def test_a_move_of_ludo_is_better_than_all_others_by_the_margin(puzzles: list[Puzzle]) -> None:
    best = [puzzle for puzzle in puzzles if puzzle.task is Task.BEST]
    assert best
    for puzzle in best[:4]:
        game = roster.game(puzzle.game)
        state = game.replay(2, puzzle.options, puzzle.moves)
        deep = roster.entrant(game, "expectiminimax:4").agent(Random(0)).think(state).values
        first, second, *_ = sorted(deep.values(), reverse=True)
        assert deep[puzzle.answer.move] == first
        assert (first - second) / 2 >= 0.019  # before the chances are calibrated
        assert puzzle.answer.loss == 0
