"""A press reads its table once and hands it down: each read is a query beside other processes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from sqlalchemy import Engine, event

from bot.table.session import SessionId
from bot.table.table import Table
from tests.bot.english import like, says
from tests.bot.stand_in import Sandbox
from tests.bot.ui import ludo
from tests.bot.ui.conftest import Open, RunningBot, marks

READ: Final = re.compile(r"SELECT\b.*\bFROM session\b", re.DOTALL)


@pytest.fixture
async def reads(running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch) -> list[SessionId]:
    """The tables that were asked of the store after the first round, in their order."""
    await running_bot.clock.waited_for()
    tables, found = running_bot.parlour.stores.tables, list[SessionId]()
    read = tables.table

    async def noted(session: SessionId) -> Table:
        found.append(session)
        return await read(session)

    monkeypatch.setattr(tables, "table", noted)
    return found


async def test_a_move_reads_its_table_once(running_bot: RunningBot, reads: list[SessionId]) -> None:
    ann, *_ = running_bot.people
    board = await running_bot.friends()
    reads.clear()
    await running_bot.mark(ann, board, (0, 0))
    assert len(reads) == 1


@pytest.mark.parametrize("action", ["view", "rules", "proof", "auto", "cancel"])
async def test_a_button_of_ludo_reads_its_table_once(
    running_bot: RunningBot, reads: list[SessionId], action: str
) -> None:
    ann, *_ = running_bot.people
    board = await ludo.begun(running_bot.sandbox, running_bot.people[:2])
    reads.clear()
    more = (await running_bot.press(ann, board, says("control.more"))).message
    assert len(reads) == 1
    reads.clear()
    custom_id = next(each for each in more.controls if each.custom_id.endswith(f":{action}"))
    await (await ann.press(more, custom_id=custom_id.custom_id)).answered()
    assert len(reads) == 1


async def test_a_refused_press_reads_its_table_again_to_be_sure_and_to_show_it(
    running_bot: RunningBot, reads: list[SessionId]
) -> None:
    _, ben, *_ = running_bot.people
    board = await running_bot.friends()
    reads.clear()
    told = await running_bot.told(ben, board, (0, 0))
    assert like("refusal.not_your_turn").search(told)
    assert len(reads) == 3


@pytest.fixture
def queries() -> Iterator[list[str]]:
    """The statements that this process sends to a database, in their order."""
    sent = list[str]()

    def note(*about: Any) -> None:
        sent.append(str(about[2]))

    event.listen(Engine, "before_cursor_execute", note)
    yield sent
    event.remove(Engine, "before_cursor_execute", note)


class TestWithTwoShardsOfThree:
    """Another process may have changed a table since, so each press asks the database."""

    @pytest.fixture
    def database(self, postgres_address: str) -> str:
        return postgres_address

    async def test_a_move_reads_its_table_in_one_query(
        self, open_bot: Open, sandbox: Sandbox, queries: list[str]
    ) -> None:
        sandbox.application.max_concurrency = 2
        async with open_bot(SHARD_COUNT="3", SHARD_IDS="0-1") as running_bot:
            await running_bot.client.wait_until_ready()
            ann, ben, *_ = running_bot.people
            board = await running_bot.friends()
            for person, square in ((ann, (0, 0)), (ben, (1, 1))):
                queries.clear()
                await running_bot.mark(person, board, square)
                assert len([each for each in queries if READ.match(each)]) == 1, queries
            assert len(marks(board)) == 2
