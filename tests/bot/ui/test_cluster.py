"""Games whose computers think at a Dask cluster."""

from __future__ import annotations

from contextlib import AsyncExitStack
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.bot.dask_cluster import DaskCluster
from tests.bot.english import like
from tests.bot.process import interrupt, kill, outcome, started
from tests.bot.stand_in import Sandbox
from tests.bot.ui.conftest import OFFER, marked

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None, reason="the extra `cluster` is not installed"
)


async def test_a_game_against_hard_is_played_through_a_cluster_that_loses_a_worker(
    sandbox: Sandbox, folder: Path
) -> None:
    settings = {"DISCORD_TOKEN": sandbox.token, "DISCORD_API": sandbox.url}
    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    async with AsyncExitStack() as stack:
        cluster = DaskCluster(folder, stack)
        _, worker, _ = await cluster.begin(2)
        bot = await stack.enter_async_context(
            started(folder, PARLOUR_SEARCH_CLUSTER=cluster.address, **settings)
        )
        await sandbox.until(lambda: sandbox.online, within=60)  # it waits for the cluster first
        await sandbox.bot_ready()
        typed = await ann.type(games, "tictactoe", level="hard", size=4, mark="x")
        board = (await typed.answered()).message
        assert board is not None
        while like("board.turn").search(board.text):
            offered = (each for each in board.buttons if OFFER.fullmatch(each.custom_id))
            free = [button.custom_id for button in offered if not marked(button)]
            await (await ann.press(board, custom_id=free[0])).answered()
            await sandbox.until(lambda: not like("board.thinking").search(board.text))
            if worker.returncode is None:
                await kill(worker)
        assert not children(bot.pid), "no process of its own thinks"
        interrupt(bot)
        code, _, errors = await outcome(bot)
    assert code == 0, errors
    assert sum(map(marked, board.buttons)) >= 5
    assert "search cluster address" in errors
    assert "given up" not in errors


def children(pid: int) -> str:
    """The processes that one has begun."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text()
