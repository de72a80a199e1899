"""The bot's processes stopped all at once, as a service manager does, while computers think."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from bot.sandbox import Message
from bot.table.session import SessionId
from bot.ui import postman, router
from tests.bot.process import outcome, started
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import CALLBACK
from tests.bot.ui.conftest import Open, marks

CORNER = 0
ANSWERED = [[CORNER, centre] for centre in (5, 6, 9, 10)]
"""The moves of a game on 4x4 after the answer of `hard`, which takes the centre."""


def stored(folder: Path) -> Mapping[int, Sequence[int]]:
    """The moves of each game in the database."""
    with closing(sqlite3.connect(folder / "parlour.db")) as database:
        found: dict[int, list[int]] = {}
        for session, move in database.execute("SELECT session, move FROM move ORDER BY 1, ply"):
            found.setdefault(session, []).append(move)
        return found


def until_played(folder: Path) -> None:
    """Returns when a move is stored."""
    while not stored(folder):
        pass


async def boards(sandbox: Sandbox) -> list[Message]:
    """Two games of each of four people, who have X, against the computer."""
    games = sandbox.channel("games")
    people = [sandbox.person(name) for name in ("Ann", "Ben", "Cleo", "Dan")]
    typed = [
        await (await person.type(games, "tictactoe", level="hard", size=4, mark="x")).answered()
        for person in people * 2
    ]
    shown: list[Message] = [each.message for each in typed]
    for person, board in zip(people * 2, shown, strict=True):
        await person.press(board, position=(0, 0))
    return shown


async def test_no_move_is_made_up_when_all_processes_are_stopped_at_once(
    sandbox: Sandbox, folder: Path
) -> None:
    settings = {"DISCORD_TOKEN": sandbox.token, "DISCORD_API": sandbox.url}
    async with started(folder, **settings) as bot:
        await sandbox.bot_ready()
        shown = await boards(sandbox)
        await asyncio.to_thread(until_played, folder)
        os.killpg(bot.pid, signal.SIGTERM)
        code, _, errors = await outcome(bot)
    assert code == 0, errors
    assert "given up" not in errors
    assert all(moves in ([CORNER], *ANSWERED) for moves in stored(folder).values())
    await sandbox.bot_gone()
    async with started(folder, **settings):
        await sandbox.bot_ready()
        begun = len(stored(folder))
        await sandbox.until(lambda: sum(len(marks(board)) == 2 for board in shown) == begun)
    assert all(moves in ANSWERED for moves in stored(folder).values())


async def test_an_answer_that_takes_too_long_at_the_end_is_ended_without_a_traceback(
    open_bot: Open,
    sandbox: Sandbox,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(router, "LAST_ANSWERS", 0.05)
    async with open_bot() as running_bot:
        ann, *_ = running_bot.people
        gate = sandbox.hold_next("POST", CALLBACK)
        await ann.type(running_bot.games, "tictactoe", level="easy")
        await gate.reached()
        answering = [each for each in asyncio.all_tasks() if "CommandTree" in each.get_name()]
        await running_bot.client.close()
        gate.open()
        await asyncio.wait(answering)
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []


async def test_boards_that_wait_to_be_drawn_at_the_end_are_left_without_a_traceback(
    open_bot: Open,
    sandbox: Sandbox,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(postman, "MOST_AT_ONCE", 1)
    monkeypatch.setattr(postman, "LAST_WRITTEN", 0.05)
    async with open_bot() as running_bot:
        client, (ann, *others) = running_bot.client, running_bot.people
        shown = [await running_bot.opened(ann, opponent=other) for other in others]
        await client.router.closed()  # or a command that has still to end is waited for at the end
        await client.boards.redraw()
        numbers = [int(board.buttons[0].custom_id.split(":")[1]) for board in shown]
        tables = [await running_bot.store.table(SessionId(number)) for number in numbers]
        gate = sandbox.hold_next("PATCH", "/channels/*/messages/*")
        drawing = [asyncio.create_task(client.boards.refresh(table)) for table in tables]
        await gate.reached()
        closing = asyncio.create_task(client.close())
        await sandbox.bot_gone()
        gate.open()
        await asyncio.gather(closing, *drawing)
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []
