"""The application's emoji, deleted in mid-run: boards do without, and have them again soon."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.sandbox import Message
from tests.bot.english import like
from tests.bot.stand_in import Sandbox
from tests.bot.ui import ludo
from tests.bot.ui.conftest import A, B, E, Open, RunningBot
from tests.bot.ui.scripted_dice import ScriptedDice
from tests.bot.ui.test_emoji_uploads import FEW

SPRITES: Final = CATALOGUE["tictactoe"].sprites
EMOJIS: Final = "/applications/*/emojis"
WON: Final = (A, (1, 0), B, E, (0, 2))


async def delete_all(running_bot: RunningBot) -> None:
    """Deletes the emoji behind the bot's back, as its owner can on Discord's site."""
    await running_bot.client.own_emojis.complete.wait()
    for emoji in await running_bot.client.fetch_application_emojis():
        await emoji.delete()


def own(board: Message) -> set[int]:
    """The ids of the bot's own emoji on the controls of a board."""
    return {int(b.emoji.id) for b in board.buttons if b.emoji is not None and b.emoji.id}


async def test_boards_with_a_deleted_emoji_are_shown_at_once_and_dressed_again(
    open_bot: Open, sandbox: Sandbox
) -> None:
    async with open_bot(sprites=SPRITES) as running_bot:
        board, other = await running_bot.friends(), await running_bot.friends()
        await running_bot.client.own_emojis.complete.wait()
        await running_bot.play(board, A)
        await running_bot.play(other, A)
        before = own(board) | own(other)
        assert before
        await delete_all(running_bot)
        gate = sandbox.hold_next("POST", EMOJIS)
        await running_bot.mark(running_bot.people[1], board, E)
        assert not own(board)
        assert [b.emoji and b.emoji.name for b in board.buttons[:5]].count("❌") == 1
        gate.open()
        await running_bot.client.own_emojis.complete.wait()
        assert sandbox.emojis == len(SPRITES)
        await running_bot.later(timedelta(seconds=10))
        await sandbox.until(lambda: own(board) and own(other) and not own(other) & before)
        assert not own(board) & before
        await running_bot.mark(running_bot.people[0], board, B)


async def test_a_board_redrawn_without_a_press_does_without_lost_emoji_too(
    open_bot: Open, sandbox: Sandbox
) -> None:
    async with open_bot(sprites=SPRITES) as running_bot:
        board = await running_bot.friends()
        await running_bot.client.own_emojis.complete.wait()
        await running_bot.play(board, A)
        await delete_all(running_bot)
        gate = sandbox.hold_next("POST", EMOJIS)
        await running_bot.later(timedelta(minutes=5))
        await sandbox.until(lambda: like("board.lapsed", "won.time").search(board.text))
        assert not own(board)
        gate.open()


async def test_boards_of_games_that_ended_lately_are_dressed_again_and_those_before_are_left(
    open_bot: Open, sandbox: Sandbox
) -> None:
    async with open_bot(sprites=SPRITES) as running_bot:
        await running_bot.client.own_emojis.complete.wait()
        long_over, over = await running_bot.friends(), await running_bot.friends()
        await running_bot.play(long_over, *WON)
        await running_bot.later(timedelta(days=6))
        await running_bot.play(over, *WON)
        await running_bot.later(timedelta(days=2))
        before, edits = own(long_over) | own(over), long_over.edits
        assert before
        await delete_all(running_bot)
        await running_bot.play(await running_bot.friends(), A)
        await sandbox.until(lambda: sandbox.emojis == len(SPRITES))
        await running_bot.later(timedelta(seconds=10))
        await running_bot.later(timedelta(seconds=10))
        await sandbox.until(lambda: own(over) and not own(over) & before)
        assert long_over.edits == edits


async def test_a_new_table_is_sent_without_lost_emoji(
    open_bot: Open, sandbox: Sandbox, dice: ScriptedDice
) -> None:
    dice.fall(6, 6)  # Ann chooses between two tokens at once
    async with open_bot(sprites=FEW) as running_bot:
        ann, *_ = running_bot.people
        await delete_all(running_bot)
        gate = sandbox.hold_next("POST", EMOJIS)
        board = await ludo.opened(sandbox, ann, computers=3, level="easy", board="picture")
        await ludo.until(sandbox, board, lambda: len(ludo.offers(board)) > 1)
        assert not own(board)
        assert board.pictures
        gate.open()


async def test_emoji_that_are_lost_again_and_again_are_looked_for_once_a_minute(
    open_bot: Open, sandbox: Sandbox
) -> None:
    looks: list[object] = []
    async with open_bot(sprites=SPRITES) as running_bot:
        board = await running_bot.friends()
        await delete_all(running_bot)
        sandbox.observe(lambda seen: looks.append(seen) if "emojis', req" in repr(seen) else None)
        await running_bot.play(board, A)
        await running_bot.client.own_emojis.complete.wait()
        await delete_all(running_bot)
        looks.clear()
        await running_bot.later(timedelta(seconds=10))
        await running_bot.mark(running_bot.people[1], board, E)
        await running_bot.mark(running_bot.people[0], board, B)
        assert not own(board)
        assert not looks
