"""A press reads its table once and hands it down: each read is a query beside other processes."""

from __future__ import annotations

import pytest

from bot.table.session import SessionId
from bot.table.table import Table
from tests.bot.ui import ludo
from tests.bot.ui.conftest import RunningBot


@pytest.fixture
def reads(running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch) -> list[SessionId]:
    """The tables that were asked of the store, in the order of the questions."""
    tables, found = running_bot.parlour.kept.tables, list[SessionId]()
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
    board = await ludo.begun(running_bot.sandbox, running_bot.people[:2])
    reads.clear()
    custom_id = next(each for each in board.controls if each.custom_id.endswith(f":{action}"))
    await (await running_bot.people[0].press(board, custom_id=custom_id.custom_id)).answered()
    assert len(reads) == 1


async def test_a_refused_press_reads_its_table_again_to_be_sure_and_to_show_it(
    running_bot: RunningBot, reads: list[SessionId]
) -> None:
    _, ben, *_ = running_bot.people
    board = await running_bot.friends()
    reads.clear()
    assert "turn" in await running_bot.told(ben, board, (0, 0))
    assert len(reads) == 3
