"""Streaks of puzzles: one missed day in seven is forgiven, and who is warned before the next."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.records.puzzles import PuzzleAnswer, PuzzleRecord
from engine.game import Move

START = date(2026, 5, 1)
SOLVED, FAILED, OPEN = (
    PuzzleAnswer(solved=True, tried=(Move(1),)),
    PuzzleAnswer(solved=False, tried=(Move(1), Move(2))),
    PuzzleAnswer(solved=False, tried=(Move(1),)),
)
ANSWERS = {"+": SOLVED, "-": FAILED, "?": OPEN}


def record(days: str) -> PuzzleRecord:
    """A letter a day: solved, failed, one try left, frozen, or not asked for; the last is today."""
    answers = {
        START + timedelta(number): ANSWERS[letter]
        for number, letter in enumerate(days)
        if letter in ANSWERS
    }
    frozen = {START + timedelta(number) for number, letter in enumerate(days) if letter == "*"}
    return PuzzleRecord(answers, START + timedelta(len(days) - 1), frozenset(frozen))


@pytest.mark.parametrize(
    ("days", "streak"),
    [
        (".", 0),
        ("+", 1),
        ("++.", 2),
        ("++?", 2),
        ("++-", 2),
        ("++..", 2),
        ("++...", 0),
        ("++-.", 2),
        ("++--", 0),
        ("++.+.", 3),
        ("++.+..", 0),
        ("++.++++++.", 8),
        ("++.++++++..", 8),
        ("++.+++++..", 0),
        ("++.++++++.+", 9),
        ("++.+++++.+", 1),
    ],
)
def test_a_streak_forgives_one_missed_day_in_seven(days: str, streak: int) -> None:
    assert record(days).streak == streak


@pytest.mark.parametrize(
    ("days", "streak"),
    [
        ("++***.", 2),
        ("++*****+", 3),
        ("++*.*+", 3),
        ("++*.*.*", 0),
        ("++.*..", 0),
        ("++.+****+++", 6),
        ("++.+****+.", 4),
        ("++.+**+..", 0),
    ],
)
def test_frozen_days_break_no_streak_and_use_up_no_missed_one(days: str, streak: int) -> None:
    assert record(days).streak == streak


def test_nobody_is_warned_on_a_frozen_day_or_for_days_that_were() -> None:
    assert record("++..").breaks_tonight is True
    assert record("++.*").breaks_tonight is False
    assert record("++**.").breaks_tonight is False
    assert record("++*.*.").breaks_tonight is True


@pytest.mark.parametrize(
    ("days", "full"),
    [
        ("++++++", None),
        ("+++++++", 6),
        ("+++++++++", 6),
        ("+++.++++.", 7),
        ("++..++++++-+", 11),
        ("+++++++..+++++++", 6),
    ],
)
def test_a_week_is_full_with_the_seventh_puzzle_in_a_row(days: str, full: int | None) -> None:
    assert record(days).full_week == (None if full is None else START + timedelta(full))


@pytest.mark.parametrize(
    ("days", "breaks"),
    [
        ("++.", False),
        ("++..", True),
        ("++-?", True),
        ("++.+.", True),
        ("++.+?", True),
        ("++.++", False),
        ("++.+-", False),
        ("+..", False),
        ("++...", False),
        ("++.++++++.", False),
    ],
)
def test_a_streak_breaks_tonight_if_today_may_not_be_missed(days: str, *, breaks: bool) -> None:
    assert record(days).breaks_tonight is breaks


@given(st.text("+-?.", min_size=1, max_size=60))
def test_in_any_seven_days_of_a_streak_one_is_missed_at_most(days: str) -> None:
    told = record(days)
    longest = max((len([*run]) for key, run in groupby(days) if key == "+"), default=0)
    assert longest <= told.best_streak <= days.count("+")
    assert told.streak <= told.best_streak
    if told.breaks_tonight:
        assert told.streak > 0
        assert record(f"{days}.").streak == 0
        assert record(f"{days[:-1]}+").streak == told.streak + 1
    elif told.streak > 1:
        assert record(f"{days}.").streak in {0, told.streak}
