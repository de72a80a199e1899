"""*Explain this board* in the menu of a message: why, a review, or a sentence."""

from __future__ import annotations

from typing import Final

from bot.sandbox import Message
from tests.bot.english import like, says
from tests.bot.people import Person
from tests.bot.ui.conftest import RunningBot

EXPLAIN: Final = says("menu.message.explain")


async def explained(running_bot: RunningBot, by: Person, message: Message) -> Message:
    """The answer for one reader about a message, once the computer has worked it out."""
    chosen = await by.on_message(EXPLAIN, message).answered()
    await running_bot.sandbox.until(lambda: not chosen.message.thinking)
    assert chosen.message.ephemeral
    return chosen.message


async def test_a_running_game_against_the_computer_is_told_why_it_moved(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.opened(ann, level="medium")
    await running_bot.mark(ann, board, (0, 0))
    told = await explained(running_bot, ann, board)
    assert like("why.move").search(told.text)
    assert not like("board.with_hints").search(board.text), "the game is not marked"
    assert says("refusal.only_after_the_game") in (await explained(running_bot, ben, board)).text


async def test_a_game_of_two_is_reviewed_once_it_is_over_and_refused_before(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, _ = running_bot.people
    waiting = await running_bot.opened(ann, opponent=ben)
    assert (await explained(running_bot, ann, waiting)).text == says("refusal.not_begun")
    await running_bot.press(ben, waiting, says("control.accept"))
    for by, square in ((ann, (0, 0)), (ben, (1, 0)), (ann, (0, 1)), (ben, (1, 1))):
        await running_bot.mark(by, waiting, square)
    told = await explained(running_bot, ann, waiting)
    assert told.text == says("refusal.only_after_the_game")
    await running_bot.mark(ann, waiting, (0, 2))
    told = await explained(running_bot, cleo, waiting)
    assert says("review.title", number="1") in told.text
    assert told.pictures


async def test_any_other_message_is_answered_with_a_sentence(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    shown = [ben.write(running_bot.games, "p1:1:0:more")]
    typed = await (await ann.type(running_bot.games, "stats")).answered()
    shown.append((await running_bot.press(ann, typed.message, says("control.share"))).message)
    for message in shown:
        assert (await explained(running_bot, ann, message)).text == says("refusal.no_board")
