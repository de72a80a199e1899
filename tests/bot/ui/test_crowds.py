"""Hundreds of deadlines, or boards behind, at once: presses are answered meanwhile."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import pytest

from bot.ui.postman import MOST_AT_ONCE
from bot.ui.reminder_messages import MOST_A_ROUND
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import MESSAGES
from tests.bot.ui.conftest import A, B, Open, RunningBot, marks
from tests.bot.ui.crowd import LATE, Requests, crowd

EDIT: Final = "/channels/{channel_id}/messages/{message_id}"


@pytest.fixture
def many(exhaustive: bool) -> int:
    return 1_000 if exhaustive else 200


@pytest.mark.both_databases
async def test_hundreds_of_deadlines_at_once_are_met_while_presses_are_answered(
    running_bot: RunningBot, sandbox: Sandbox, many: int
) -> None:
    board = await running_bot.friends()
    tables = await crowd(running_bot, many)
    edits, sent = Requests("PATCH", EDIT), Requests("POST", MESSAGES)
    sandbox.observe(edits)
    sandbox.observe(sent)
    await running_bot.later(timedelta(minutes=4))
    await running_bot.mark(running_bot.people[0], board, A)
    await running_bot.later(timedelta(minutes=1))
    await sandbox.until(lambda: len(edits.statuses) > 10, within=60)
    await running_bot.mark(running_bot.people[1], board, B)
    assert marks(board) == {A: "❌", B: "⭕"}
    assert len(edits.statuses) < many
    await sandbox.until(lambda: len(edits.statuses) >= many, within=120)
    await running_bot.clock.waited_for()
    assert edits.statuses == [200] * many
    late = {each.id for each in sandbox.messages("games") if LATE in each.text}
    assert late == {table.place.message for table in tables}
    assert MOST_A_ROUND <= len(sent.statuses) < MOST_A_ROUND + MOST_AT_ONCE


async def test_hundreds_of_boards_behind_at_a_start_are_drawn_while_presses_are_answered(
    open_bot: Open, sandbox: Sandbox, many: int
) -> None:
    async with open_bot() as running_bot:
        board = await running_bot.friends()
        tables = await crowd(running_bot, many, drawn=False)
    edits, history = Requests("PATCH", EDIT), Requests("GET", MESSAGES)
    sandbox.observe(edits)
    sandbox.observe(history)
    async with open_bot(first_round=False) as running_bot:
        await sandbox.until(lambda: len(edits.statuses) > 10, within=60)
        await running_bot.play(board, A, B)
        assert marks(board) == {A: "❌", B: "⭕"}
        assert len(edits.statuses) < many
        await sandbox.until(lambda: len(edits.statuses) >= many, within=120)
        await running_bot.clock.waited_for()
    assert edits.statuses == [200] * many
    assert not history.statuses
    drawn = {each.id for each in sandbox.messages("games") if len(each.buttons) >= 9}
    assert drawn == {table.place.message for table in tables} | {board.id}
