"""`/board`: a table's board once more, and what becomes of the message it had before."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.sandbox import Message
from bot.storage.messages import Messages
from bot.table.actions import Action
from bot.table.seats import PersonId
from tests.bot.english import like, says
from tests.bot.people import has_won
from tests.bot.thinkers import Gated
from tests.bot.trouble import CALLBACK
from tests.bot.ui.conftest import Open, RunningBot, control, marks
from tests.bot.ui.ludo import RULES, opened, pick, seated, set_up

pytestmark = pytest.mark.usefixtures("virtual_time")

OLD_MESSAGE = "/channels/{channel_id}/messages/{message_id}"


async def again(running_bot: RunningBot, **options: str) -> Message:
    """Ann's answer to `/board`."""
    ann, *_ = running_bot.people
    return (await (await ann.type(running_bot.games, "board", **options)).answered()).message


def turn_of(board: Message) -> str:
    """The line that says whose turn it is."""
    return next(line for line in board.text.splitlines() if like("board.turn").search(line))


async def test_the_board_goes_on_at_the_end_and_the_old_message_is_deleted(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    old = await running_bot.friends()
    new = await again(running_bot)
    await running_bot.sandbox.until(lambda: old not in ann.sees(running_bot.games))
    await running_bot.mark(ann, new, (0, 0))
    await running_bot.mark(ben, new, (1, 1))
    assert "❌" in turn_of(new)


async def test_a_press_on_the_old_message_counts_and_leads_to_the_new_one(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    old = await running_bot.friends()
    running_bot.sandbox.fail_next("DELETE", OLD_MESSAGE, 403, 50013, "Missing Permissions")
    new = await again(running_bot)
    await running_bot.mark(ann, old, (0, 0))
    assert str(new.id) in old.text
    assert not old.buttons
    await running_bot.sandbox.until(lambda: "⭕" in turn_of(new))
    await running_bot.mark(ben, new, (1, 1))
    assert "❌" in turn_of(new)


async def test_a_press_while_the_old_message_is_being_deleted_leaves_one_board(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    old = await running_bot.friends()
    gate = running_bot.sandbox.hold_next("DELETE", OLD_MESSAGE)
    asked = asyncio.create_task(again(running_bot))
    await gate.reached()
    await running_bot.mark(ann, old, (0, 0))
    gate.open()
    new = await asked
    await running_bot.sandbox.until(lambda: "⭕" in turn_of(new))
    await running_bot.mark(ben, new, (1, 1))
    assert "❌" in turn_of(new)
    await running_bot.sandbox.until(lambda: old not in ann.sees(running_bot.games))


async def test_a_press_that_finds_its_message_deleted_counts_and_is_told_where_the_board_is(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    old = await running_bot.friends()
    deletion = running_bot.sandbox.hold_next("DELETE", OLD_MESSAGE)
    asked = asyncio.create_task(again(running_bot))
    await deletion.reached()
    answer = running_bot.sandbox.hold_next("POST", CALLBACK)
    pressed = asyncio.create_task(running_bot.mark(ann, old, (0, 0)))
    await answer.reached()
    deletion.open()
    new = await asked
    await running_bot.sandbox.until(lambda: old.deleted)
    answer.open()
    told = (await pressed).message
    assert told.ephemeral
    assert like("refusal.board_moved").search(told.text)
    assert f"/{new.id}" in told.text
    await running_bot.sandbox.until(lambda: marks(new) == {(0, 0): "❌"})
    await running_bot.mark(ben, new, (1, 1))
    assert len(marks(new)) == 2


async def test_a_first_board_that_is_deleted_before_the_bot_hears_of_it_is_not_sent_again(
    running_bot: RunningBot,
) -> None:
    """Seed 404 of the simulation: a person was pinged twice."""
    ann, ben, *_ = running_bot.people
    running_bot.sandbox.cut_next("POST", CALLBACK, carried_out=True)
    repeated = running_bot.sandbox.hold_next("POST", CALLBACK)
    typed = await ann.type(running_bot.games, "tictactoe", opponent=ben, mark="x")
    await repeated.reached()
    (board,) = (each for each in ben.sees(running_bot.games) if each.buttons)
    ann.delete(board)
    repeated.open()
    await running_bot.done(typed)
    await running_bot.later(timedelta(seconds=10))
    await running_bot.clock.waited_for()
    assert not [each for each in ben.sees(running_bot.games) if each.buttons]

    brought = await again(running_bot)
    await running_bot.press(ben, brought, says("control.accept"))
    await running_bot.play(brought, (0, 0))
    assert marks(brought) == {(0, 0): "❌"}


async def test_a_press_that_finds_its_board_deleted_counts_and_is_told_how_to_get_it_back(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.friends()
    answer = running_bot.sandbox.hold_next("POST", CALLBACK)
    pressed = asyncio.create_task(running_bot.mark(ann, board, (0, 0)))
    await answer.reached()
    ann.delete(board)
    answer.open()
    told = (await pressed).message
    assert told.ephemeral
    assert like("refusal.board_deleted").search(told.text)
    new = await again(running_bot)
    assert marks(new) == {(0, 0): "❌"}
    await running_bot.mark(ben, new, (1, 1))


async def test_a_press_that_finds_its_board_deleted_alone_is_told_that_the_game_is_gone(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    board = await running_bot.opened(ann, level="easy")
    answer = running_bot.sandbox.hold_next("POST", CALLBACK)
    pressed = asyncio.create_task(running_bot.mark(ann, board, (0, 0)))
    await answer.reached()
    ann.delete(board)
    answer.open()
    assert like("refusal.unknown_control").search((await pressed).message.text)


async def behind(running_bot: RunningBot, *squares: tuple[int, int]) -> tuple[Message, Message]:
    """An old board that the row still names, and the one that `/board` has posted since."""
    ann, *_ = running_bot.people
    old = await running_bot.friends()
    await running_bot.play(old, *squares)
    table = await running_bot.service.board(int(running_bot.games.id), None, PersonId(int(ann.id)))
    running_bot.sandbox.fail_next("DELETE", OLD_MESSAGE, 403, 50013, "Missing Permissions")
    new = await again(running_bot)
    await running_bot.client.router.closed()
    await Messages(running_bot.store).save_message(table.id, int(old.id))
    return old, new


async def test_a_press_on_a_board_newer_than_the_stored_one_is_played_there(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    old, new = await behind(running_bot)
    await running_bot.mark(ann, new, (0, 0))
    await running_bot.mark(ben, new, (1, 1))
    assert marks(new) == {(0, 0): "❌", (1, 1): "⭕"}
    assert str(new.id) in await running_bot.told(ann, old, (0, 1))


async def test_a_newer_board_that_is_looked_at_catches_up(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    old, new = await behind(running_bot, (0, 0), (1, 1))
    await running_bot.mark(ann, old, (0, 1))
    assert len(marks(new)) == 2
    await (await ben.press(new, custom_id=control(new, Action.ASK_TO_RESIGN))).answered()
    await running_bot.sandbox.until(lambda: len(marks(new)) == 3)


async def test_a_refused_press_on_a_newer_board_leaves_it_the_board(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    _, new = await behind(running_bot)
    assert says("refusal.not_your_turn") in await running_bot.told(ben, new, (0, 0))
    await running_bot.mark(ann, new, (0, 0))
    assert marks(new) == {(0, 0): "❌"}


async def test_a_picture_shared_after_the_board_is_not_the_board(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.friends()
    await running_bot.resign(ann, board)
    looked_at = (await running_bot.press(ben, board, says("control.replay"))).message
    asked = (await running_bot.press(ben, looked_at, says("control.share"))).message
    shared = (await running_bot.press(ben, asked, says("control.share_board"))).message
    assert not shared.ephemeral
    await running_bot.press(ann, shared, says("control.replay"))
    await running_bot.press(ann, board, says("control.rematch"))
    assert not like("board.moved").search(board.text)


async def test_a_board_that_is_to_be_drawn_again_is_drawn_though_a_rematch_came_before(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    board = await running_bot.friends()
    await running_bot.resign(ann, board)
    await running_bot.client.boards.redraw(lost_emoji=True)
    edits = board.edits
    await running_bot.press(ann, board, says("control.rematch"))
    await running_bot.later(timedelta(seconds=10))
    await running_bot.sandbox.until(lambda: board.edits > edits)


async def test_a_board_that_is_to_be_drawn_again_does_not_wait_until_its_rematch_is_thought_about(
    open_bot: Open,
) -> None:
    """As in the simulation's seed 85, in which three computers that were slow came first."""
    thinker = Gated(inline=True)
    async with open_bot(thinker=thinker) as running_bot:
        ann, *_ = running_bot.people
        board = await running_bot.opened(ann, level="perfect")
        await running_bot.resign(ann, board)
        thinker.inline = False
        await running_bot.client.boards.redraw(lost_emoji=True)
        edits = board.edits
        await ann.press(board, says("control.rematch"))
        await thinker.asked.wait()
        await running_bot.later(timedelta(seconds=10))
        await running_bot.sandbox.until(lambda: board.edits > edits)
        thinker.allowed.set()


async def test_tables_with_many_house_rules_are_suggested_by_names_that_discord_takes(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    board = await opened(running_bot.sandbox, ann)
    panel = (await set_up(ann, board, says("menu.house_rules"))).message
    for choice in (
        "extra_six.no",
        "stars_safe.no",
        "blocks.off",
        "home.overshooting",
        "finish.places",
    ):
        rule, value = (f"rule.ludo.{key}" for key in (choice.partition(".")[0], choice))
        await pick(ann, panel, f"{says(rule)}: {says(value)}", menu=RULES)
    (offered,) = await ann.complete(running_bot.games, "board", "game", "")
    assert len(offered.name) == 100
    rules = says("ludo.rules.changed", preset=says("preset.ludo.classic"), changes="")
    assert offered.name.startswith(f"1 · {says('game.ludo')} · {rules}")


async def test_without_a_number_board_shows_the_game_whose_seat_one_may_take_back(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await seated(running_bot.sandbox, (ann, ben, cleo))
    await running_bot.press(ann, board, says("control.start"))
    await running_bot.resign(ann, board)
    await running_bot.opened(ben, level="easy")
    assert "🏠" in (await again(running_bot, **{"as": "message"})).text


async def test_without_a_number_board_shows_a_game_that_runs_rather_than_one_that_waits(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, dan = running_bot.people
    own = await running_bot.friends()
    theirs = await running_bot.opened(cleo, opponent=dan)
    await running_bot.press(dan, theirs, says("control.accept"))
    waiting = await running_bot.opened(ben, opponent=ann)

    async def asked() -> Message:
        return (await (await ben.type(running_bot.games, "board")).answered()).message

    own_again = await asked()
    await running_bot.sandbox.until(lambda: own.deleted)
    await running_bot.resign(ann, own_again)
    assert (await asked()).ephemeral, "the others' game, which Ben may look at"
    await running_bot.resign(cleo, theirs)
    await asked()
    await running_bot.sandbox.until(lambda: waiting.deleted)


async def test_where_nobody_plays_board_says_so_and_a_wrong_number_is_not_found(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    assert like("refusal.no_games_here").search(await running_bot.say(ann, "board"))
    await running_bot.friends()
    assert like("refusal.no_game_here").search(await running_bot.say(ann, "board", game="404"))


async def test_who_has_won_is_said_when_everybody_has_left(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await seated(running_bot.sandbox, (ann, ben, cleo))
    await running_bot.press(ann, board, says("control.start"))
    for person in (ann, cleo, ben):
        await running_bot.resign(person, board)
    assert says("everybody_left") in board.text
    assert has_won(ben, board.text, emblem="🟢")
