"""Training: lessons without luck, the steps that they lead to, and whole courses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from engine.__main__ import COMMANDS, parser
from engine.game import InvalidOptions
from engine.games.ludo import GAME, LudoPosition
from engine.games.ludo.evaluation.trained import Judge, read
from engine.games.ludo.training import RACE_ALONE, Lesson, Plan, Regression, course, lessons
from engine.terminal.console import BadCommand, Outside
from tests.engine.games.ludo.positions import standing

TINY = Plan("quick", generations=2, games=20, seed=4)
SHORT = replace(TINY, generations=3, games=60)
"""In an exhaustive run."""


def judge(position: LudoPosition, weights: Sequence[float] = RACE_ALONE) -> Judge:
    return Judge(position.table, weights)


def error(weights: Sequence[float]) -> float:
    """The squared error of a judge's thoughts in games of its own that no training has seen."""
    found = lessons_of(GAME.start(2, GAME.presets["quick"]), weights, games=30, trace=1.0)
    return sum((lesson.truth[0] - lesson.thought[0]) ** 2 for lesson in found) / len(found)


def lessons_of(
    first: LudoPosition, weights: Sequence[float], *, games: int, trace: float
) -> list[Lesson]:
    rng = Random("unseen")
    one = judge(first, weights)
    return [lesson for _ in range(games) for lesson in lessons(first, one, trace=trace, rng=rng)]


def test_without_a_trace_a_lesson_is_the_average_of_what_the_six_rolls_lead_to() -> None:
    first = standing((57, 56), (57, 50), tokens=2, third_six="allowed")
    one = judge(first)
    ahead = []
    for pips in first.moves():
        after = first.play(pips)
        ahead.append(one.worth(after.play(after.moves()[0]) if after.die else after)[0])
    for seed in range(5):
        last_to_first = list(lessons(first, one, trace=0.0, rng=Random(seed)))
        assert last_to_first[-1].position == first
        assert last_to_first[-1].truth[0] == pytest.approx(sum(ahead) / 6)
        assert last_to_first[-1].thought == one.worth(first)


def test_luck_averages_out_so_that_lessons_agree_with_the_results_of_many_games() -> None:
    first = standing((57, 40), (57, 30), tokens=2, blocks="off")
    one, rng = judge(first), Random(3)
    told, results = [], []
    for _ in range(400):
        of_a_game = list(lessons(first, one, trace=1.0, rng=rng))
        told.append(of_a_game[-1].truth[0])
        results.append(of_a_game[0].position.seat == 0)
    share = sum(results) / len(results)
    assert (1 + sum(told) / len(told)) / 2 == pytest.approx(share, abs=0.06)
    spread = sum((truth - sum(told) / len(told)) ** 2 for truth in told) / len(told)
    assert spread < 0.1 * 4 * share * (1 - share)


class OneStepEach(Judge):
    """A judge that knows the truth where two seats have one token each, one step from home.

    The seat that rolls wins with chance p = 1/6 + 5/6 (1 - p), which is 6/11.
    """

    def worth(self, position: LudoPosition) -> Sequence[float]:
        lead = 12 / 11 - 1
        return position.payoff() or ((lead, -lead) if position.seat == 0 else (-lead, lead))


def test_where_the_judge_is_right_lessons_have_no_luck_left_in_them() -> None:
    first = standing((56,), (56,), tokens=1)
    knowing = OneStepEach(first.table, RACE_ALONE)
    for seed in range(10):
        for lesson in lessons(first, knowing, trace=1.0, rng=Random(seed)):
            assert lesson.truth == pytest.approx(lesson.thought)


def test_lessons_lead_to_the_weights_that_they_were_made_with(exhaustive: bool) -> None:
    first = GAME.start(2, GAME.presets["quick"])
    right = judge(first, [weight * 0.6 for weight in RACE_ALONE])
    found = lessons_of(first, RACE_ALONE, games=40 if exhaustive else 15, trace=1.0)
    learned = Regression(RACE_ALONE, rate=0.05)
    errors = []
    for _ in range(4):
        learned.begin(fading=1.0)
        for lesson in found:
            learned.learn(lesson.position, right.worth(lesson.position))
        errors.append(learned.error / learned.count)
    assert learned.count == len(found)
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < errors[0] / 10


def test_a_short_training_makes_the_judge_err_less(exhaustive: bool) -> None:
    *_, last = course(SHORT if exhaustive else TINY, cores=1)
    assert error(last.weights) < 0.8 * error(RACE_ALONE)


def test_the_same_seed_teaches_the_same_on_one_core_and_on_two_and_another_does_not(
    exhaustive: bool,
) -> None:
    plan = Plan("quick", generations=1, games=120 if exhaustive else 20, seed=4)
    once, again = next(course(plan, cores=1)), next(course(plan, cores=2))
    assert once == again
    assert next(course(replace(plan, seed=5), cores=1)) != once


@pytest.mark.parametrize("seats", [3, 4])
def test_training_works_with_more_than_two_seats(seats: int) -> None:
    (only,) = course(Plan("quick", seats=seats, generations=1, games=5), cores=1)
    assert only.positions > 100
    assert tuple(only.weights) != RACE_ALONE


# -- the command


class Listening:
    """A console that keeps what is said."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, line: str = "") -> None:
        self.lines.append(line)

    def ask(self, prompt: str) -> str:
        raise AssertionError(prompt)

    def note(self, line: str) -> None:
        self.lines.append(line)


def train(words: str) -> list[str]:
    console = Listening()
    arguments = parser().parse_args(["train", *words.split()])
    COMMANDS["train"].run(arguments, Outside(console, lambda: 0.0, Random(1), cores=1))
    return console.lines


def test_the_command_writes_weights_that_can_be_read_with_the_record_to_make_them_again(
    tmp_path: Path,
) -> None:
    out = tmp_path / "weights.json"
    words = "quick --generations 2 --games 12 --seed 9"
    lines = train(f"{words} --date 2026-02-03 --out {out}")
    assert lines[0] == "2 generations of 12 games: quick, 2 seats"
    assert lines[-1] == f"written to {out}"
    text = out.read_text()
    made = json.loads(text)["made"]
    assert made["command"].startswith("python -m engine train quick --seats 2 --generations 2")
    assert (made["date"], made["seed"], made["generations"]) == ("2026-02-03", 9, 2)
    assert made["positions"] > 100
    *_, last = course(Plan("quick", generations=2, games=12, seed=9), cores=1)
    assert list(read(text)) == pytest.approx(list(last.weights), abs=6e-4)
    again = tmp_path / "again.json"
    train(f"{' '.join(made['command'].split()[4:])} --date 2026-02-03 --out {again}")
    assert again.read_text() == text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("chess", "ludo has no preset 'chess'; there are: classic, quick, damascus"),
        ("quick --games 0", "at least one generation of one game"),
        ("quick --trace 1.5", "the trace lies between 0 and 1, not at 1.5"),
        ("quick --rate 0", "the rate lies above 0 and up to 1, not at 0"),
        ("quick --out /nowhere/weights.json", "cannot write /nowhere/weights.json: No such file"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(words: str, sentence: str) -> None:
    with pytest.raises(BadCommand, match=sentence):
        train(words)


def test_seats_that_the_game_is_not_for_are_refused() -> None:
    with pytest.raises(InvalidOptions, match="ludo is for 2, 3, 4 seats, not 5"):
        train("quick --seats 5")
