"""The sequential test: its verdicts, their errors, and a ratio worked out elsewhere."""

from __future__ import annotations

from random import Random

import pytest

from engine.arena import ERROR, Score, Sprt, expected


def test_an_elo_is_a_score() -> None:
    assert expected(0) == 0.5
    assert expected(400) == pytest.approx(10 / 11)
    assert expected(-400) == pytest.approx(1 / 11)


def test_the_ratio_is_that_of_two_normal_likelihoods() -> None:
    won, drawn, lost = 420 - 0.5, 300 - 0.5, 280 - 0.5  # and half a game more of each
    mean = 0.42 + 0.30 / 2
    variance = 0.42 * (1 - mean) ** 2 + 0.30 * (0.5 - mean) ** 2 + 0.28 * mean**2
    low, high = expected(0), expected(10)
    likelihoods = [1000 * (mean - each) ** 2 / (2 * variance) for each in (low, high)]
    ratio = Sprt(0, 10).ratio(Score(won, drawn, lost))  # type: ignore[arg-type]
    assert ratio == pytest.approx(likelihoods[0] - likelihoods[1])


@pytest.mark.parametrize(("truth", "wrong"), [(0, 60), (60, 0)])
def test_a_verdict_is_seldom_wrong(truth: float, wrong: float) -> None:
    test, rng, tries = Sprt(0, 60), Random(7), 300
    found = []
    for _ in range(tries):
        score = Score()
        while (verdict := test.verdict(score)) is None:
            won = rng.random() < expected(truth)
            score = score.joined(Score(won=won, lost=not won))
        found.append(verdict)
    assert 0 < found.count(wrong) < 2 * ERROR * tries


def test_nothing_is_told_before_a_game_nor_by_a_test_without_a_difference() -> None:
    assert Sprt(0, 10).verdict(Score()) is None
    assert Sprt(0, 10).verdict(Score(won=3)) is None
    with pytest.raises(ValueError, match="the lower one"):
        Sprt(10, 10)
