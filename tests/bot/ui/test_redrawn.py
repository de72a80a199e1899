"""Boards that run when their look changes are drawn again, and their old buttons still work."""

from __future__ import annotations

import sqlite3

from bot.games.catalogue import CATALOGUE
from tests.bot.english import like
from tests.bot.stand_in import Sandbox
from tests.bot.ui import ludo
from tests.bot.ui.conftest import Open, marks

TILES = {name: CATALOGUE["ludo"].sprites[name] for name in ("path", "red_1_yard", "red_token")}


def forget_the_look(database: str) -> None:
    """Leaves the database as the version before did, which kept no note of how boards look."""
    with sqlite3.connect(database.removeprefix("sqlite:///")) as connection:
        assert connection.execute("DELETE FROM note WHERE key = 'look'").rowcount == 1
    connection.close()


async def test_games_that_run_at_an_update_are_drawn_again_and_finished_ones_are_left(
    open_bot: Open, sandbox: Sandbox, database: str
) -> None:
    async with open_bot() as running_bot:
        ann, ben, *_ = running_bot.people
        running = await running_bot.friends()
        lobby = await ludo.opened(sandbox, ann)
        over = await running_bot.friends()
        await running_bot.play(over, (0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
        boards = (running, lobby, over)
    edits = [board.edits for board in boards]
    forget_the_look(database)
    async with open_bot() as running_bot:
        await sandbox.until(lambda: running.edits > edits[0] and lobby.edits > edits[1])
        assert over.edits == edits[2]
        await running_bot.mark(ann, running, (1, 1))
        assert marks(running) == {(1, 1): "❌"}
        await running_bot.resign(ben, running)
        assert like("won.resigned").search(running.text)


async def test_boards_that_look_as_they_did_are_left_alone(
    open_bot: Open, sandbox: Sandbox
) -> None:
    async with open_bot() as running_bot:
        board = await running_bot.friends()
    edits = board.edits
    async with open_bot() as running_bot:
        ann, *_ = running_bot.people
        await running_bot.clock.waited_for()
        await running_bot.client.router.closed()
        assert board.edits == edits
        await running_bot.mark(ann, board, (0, 0))
        await sandbox.until(lambda: board.edits == edits + 1)


async def test_a_board_drawn_before_the_upload_gets_the_tiles_after_it(
    open_bot: Open, sandbox: Sandbox
) -> None:
    gate = sandbox.hold_next("POST", "/applications/*/emojis")
    async with open_bot(sprites=TILES) as running_bot:
        ann, *_ = running_bot.people
        await gate.reached()
        board = await ludo.opened(sandbox, ann, computers=1)
        assert "<:path:" not in board.text
        gate.open()
        await running_bot.client.own_emojis.complete.wait()
        await ludo.until(sandbox, board, lambda: "<:path:" in board.text)
