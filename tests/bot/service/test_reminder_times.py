"""Reminders of a table: the people, the moments and the reasons."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.service.updates import reminder_time
from bot.table import ending
from bot.table.seats import Computer, Human, Invited, Level, Pace
from bot.table.session import Session
from bot.table.waiting import Occasion, Reminder, reminder_of, time_limit
from tests.bot.kit import ANN, BEN, new_game

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def times(session: Session) -> list[timedelta]:
    """The time from the start of a turn to its reminder."""
    limit = time_limit(session)
    assert limit is not None
    due = NOW + limit
    found = []
    time = reminder_time(session, due)
    while time is not None:
        found.append(time - NOW)
        time = reminder_time(session, due, after=time)
    return found


@pytest.mark.parametrize(
    ("pace", "expected"),
    [
        (Pace.LIVE, [timedelta(minutes=4)]),
        (Pace.CORRESPONDENCE, [timedelta(hours=1), timedelta(hours=60)]),
        (Pace.RELAXED, []),
    ],
)
def test_the_player_to_move_is_reminded_as_the_pace_says(
    pace: Pace, expected: list[timedelta]
) -> None:
    session = new_game("tictactoe", Human(ANN), Human(BEN), pace=pace)
    assert times(session) == expected
    if expected:
        assert reminder_of(session) == Reminder(ANN, Occasion.TURN)


def test_whoever_may_claim_is_told_as_soon_as_time_is_up() -> None:
    late = ending.time_out(new_game("tictactoe", Human(ANN), Human(BEN), pace=Pace.LIVE))
    assert times(late) == [timedelta()]
    assert reminder_of(late) == Reminder(BEN, Occasion.CLAIM)


@pytest.mark.parametrize("pace", Pace)
def test_nobody_is_reminded_who_plays_computers_or_waits_in_a_lobby(pace: Pace) -> None:
    for session in (
        new_game("tictactoe", Human(ANN), Computer(Level.EASY), pace=pace),
        new_game("tictactoe", Human(ANN), Invited(BEN), pace=pace),
    ):
        assert times(session) == []
        assert reminder_of(session) is None
