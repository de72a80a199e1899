"""A backup in place of the database: old boards reach their own games, and never another's."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from bot.sandbox import Message
from bot.storage.backup import backup, restore
from tests import samples
from tests.bot.databases import file_of
from tests.bot.english import piece, says
from tests.bot.stand_in import Sandbox
from tests.bot.ui.conftest import A, B, E, Open, RunningBot, marks

GONE = piece("refusal.unknown_control")


def put_back(copy: Path, database: str) -> None:
    """Puts a copy in the place of the database, as `parlour restore` does."""
    assert restore(database, copy, samples.moment()) is not None


async def strangers(running_bot: RunningBot) -> Message:
    """A game of Cleo, who has X, and Dan."""
    _, _, cleo, dan = running_bot.people
    board = await running_bot.opened(cleo, opponent=dan)
    await running_bot.press(dan, board, says("control.accept"))
    return board


def number(board: Message) -> str:
    return board.buttons[0].custom_id.split(":")[1]


async def test_buttons_of_a_game_that_a_backup_lacks_never_reach_the_next_of_its_number(
    open_bot: Open, sandbox: Sandbox, database: str, tmp_path: Path
) -> None:
    async with open_bot() as running_bot:
        kept = await running_bot.friends()
        backup(database, tmp_path / "copy.db")
        lacking = await running_bot.friends()
        await running_bot.play(lacking, A)
    put_back(tmp_path / "copy.db", database)
    sandbox.advance(1)
    async with open_bot() as running_bot:
        ann, ben, cleo, _ = running_bot.people
        other = await strangers(running_bot)
        assert number(other) == number(lacking)
        for person, press in (
            (ben, E),
            (ann, says("control.cancel")),
            (cleo, A),
            (cleo, says("control.cancel")),
        ):
            assert GONE in await running_bot.told(person, lacking, press)
        assert marks(other) == {}
        await running_bot.mark(cleo, other, E)
        assert marks(other) == {E: "❌"}
        await running_bot.play(kept, A, B)
        assert marks(kept) == {A: "❌", B: "⭕"}


async def test_a_question_about_a_game_that_a_backup_lacks_never_reaches_the_next_of_its_number(
    open_bot: Open, sandbox: Sandbox, database: str, tmp_path: Path
) -> None:
    async with open_bot() as running_bot:
        ann, *_ = running_bot.people
        backup(database, tmp_path / "copy.db")
        lacking = await running_bot.friends()
        await running_bot.both_moved(lacking)
        asked = (await running_bot.press(ann, lacking, says("control.resign"))).message
        assert asked is not None
        assert asked.ephemeral
    put_back(tmp_path / "copy.db", database)
    sandbox.advance(1)
    async with open_bot() as running_bot:
        ann, *_ = running_bot.people
        again = await running_bot.friends()
        assert number(again) == number(lacking)
        assert GONE in await running_bot.told(ann, asked, says("control.resign"))
        await running_bot.mark(ann, again, A)
        assert marks(again) == {A: "❌"}


async def test_presses_are_refused_in_a_sentence_while_the_database_is_not_there(
    open_bot: Open, database: str
) -> None:
    file = file_of(database)
    async with open_bot() as running_bot:
        ann, *_ = running_bot.people
        board = await running_bot.friends()
        file.rename(file.with_suffix(".away"))
        assert says("unavailable") in await running_bot.told(ann, board, A)
        file.with_suffix(".away").rename(file)
        await running_bot.play(board, A, B)
        assert marks(board) == {A: "❌", B: "⭕"}


async def test_a_bot_that_backs_up_daily_has_a_copy_of_its_first_day(
    open_bot: Open, sandbox: Sandbox, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bot")
    file = file_of(database)
    copy = file.with_name(f"{file.stem}-{sandbox.clock.now():%Y-%m-%d}{file.suffix}")
    async with open_bot(PARLOUR_BACKUP="daily"):
        async with asyncio.timeout(60):
            while not any("backup made" in each for each in caplog.messages):  # noqa: ASYNC110
                await asyncio.sleep(0)
    assert copy.stat().st_size
