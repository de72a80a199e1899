"""A thousand deadlines, or boards behind, at once: presses are answered meanwhile."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from bot.service.reminder_rounds import MOST_A_ROUND, TOGETHER
from tests.bot.stand_in import Sandbox
from tests.bot.ui.conftest import Open, RunningBot, marks
from tests.bot.ui.crowd import LATE, Requests, crowd

MANY: Final = 1_000
EDIT: Final = "/channels/{channel_id}/messages/{message_id}"
SEND: Final = "/channels/{channel_id}/messages"
A, B = (0, 0), (0, 1)


async def test_a_thousand_deadlines_at_once_are_met_while_presses_are_answered(
    running_bot: RunningBot, sandbox: Sandbox
) -> None:
    board = await running_bot.friends()
    tables = await crowd(running_bot, MANY)
    edits, sent = Requests("PATCH", EDIT), Requests("POST", SEND)
    sandbox.observe(edits)
    sandbox.observe(sent)
    await running_bot.later(timedelta(minutes=4))
    await running_bot.mark(running_bot.people[0], board, A)
    await running_bot.later(timedelta(minutes=1))
    await sandbox.until(lambda: len(edits.statuses) > 10, within=60)
    await running_bot.mark(running_bot.people[1], board, B)
    assert marks(board) == {A: "❌", B: "⭕"}
    assert len(edits.statuses) < MANY
    await sandbox.until(lambda: len(edits.statuses) >= MANY, within=120)
    await running_bot.clock.waited_for()
    assert edits.statuses == [200] * MANY
    late = {each.id for each in sandbox.messages("games") if LATE in each.text}
    assert late == {table.place.message for table in tables}
    assert MOST_A_ROUND <= len(sent.statuses) < MOST_A_ROUND + TOGETHER


async def test_a_thousand_boards_behind_at_a_start_are_drawn_while_presses_are_answered(
    open_bot: Open, sandbox: Sandbox
) -> None:
    async with open_bot() as running_bot:
        board = await running_bot.friends()
        tables = await crowd(running_bot, MANY, drawn=False)
    edits, history = Requests("PATCH", EDIT), Requests("GET", SEND)
    sandbox.observe(edits)
    sandbox.observe(history)
    async with open_bot() as running_bot:
        await sandbox.until(lambda: len(edits.statuses) > 10, within=60)
        await running_bot.play(board, A, B)
        assert marks(board) == {A: "❌", B: "⭕"}
        assert len(edits.statuses) < MANY
        await sandbox.until(lambda: len(edits.statuses) >= MANY, within=120)
        await running_bot.clock.waited_for()
    assert edits.statuses == [200] * MANY
    assert not history.statuses
    drawn = {each.id for each in sandbox.messages("games") if len(each.buttons) >= 9}
    assert drawn == {table.place.message for table in tables} | {board.id}
