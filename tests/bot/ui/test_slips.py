"""Presses on boards that have just changed: nothing is pressed that was not there before."""

from __future__ import annotations

from typing import Final

from bot.table.actions import Action
from tests.bot.english import says
from tests.bot.ui import ludo
from tests.bot.ui.conftest import Open, control, marks
from tests.bot.ui.scripted_dice import ScriptedDice

ENDLESS: Final = 3_600.0
"""Seconds in which a board does not settle, however slow the machine is."""


async def test_a_second_tap_on_roll_plays_no_move_and_asks_for_no_hint(
    open_bot: Open, dice: ScriptedDice
) -> None:
    async with open_bot(settling=ENDLESS) as running_bot:
        sandbox, ann, ben = running_bot.sandbox, *running_bot.people[:2]
        dice.fall(6, 1)
        board = await ludo.begun(sandbox, (ann, ben))
        await ludo.until(sandbox, board, lambda: ludo.mover(sandbox, board) is ann)
        dice.fall(6, 6)
        await ludo.press(ann, board, says("control.ludo.roll"))
        ply, edits = ludo.ply_of(board), board.edits
        assert ludo.offers(board)
        for button in board.buttons:
            if button.custom_id.split(":")[-1] != Action.MORE:
                pressed = await (await ann.press(board, custom_id=button.custom_id)).answered()
                assert pressed.message is board, "nothing is said"
        assert (ludo.ply_of(board), board.edits) == (ply, edits)


async def test_a_square_that_was_there_before_is_played_at_once(open_bot: Open) -> None:
    async with open_bot(settling=ENDLESS) as running_bot:
        ann, ben, *_ = running_bot.people
        board = await running_bot.friends()
        await running_bot.mark(ann, board, (1, 1))
        await running_bot.mark(ben, board, (0, 0))
        assert marks(board) == {(1, 1): "❌", (0, 0): "⭕"}


async def test_a_board_that_has_settled_takes_every_press(
    open_bot: Open, dice: ScriptedDice
) -> None:
    async with open_bot() as running_bot:
        sandbox, ann, ben = running_bot.sandbox, *running_bot.people[:2]
        dice.fall(6, 1)
        board = await ludo.begun(sandbox, (ann, ben))
        dice.fall(6, 6, 2)
        await ludo.press(ann, board, says("control.ludo.roll"))
        ply = ludo.ply_of(board)
        await ann.press(board, custom_id=ludo.offers(board)[0].custom_id)
        await sandbox.until(lambda: ludo.ply_of(board) > ply)
        assert control(board, Action.MORE)
