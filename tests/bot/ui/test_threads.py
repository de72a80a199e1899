"""A thread for each game, in servers that want one: for its talk and its reminders."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import pytest

from bot.sandbox import Channel, ChannelKind, Message, Permission
from tests.bot.english import like, piece, says
from tests.bot.ui import panels
from tests.bot.ui.conftest import Open, RunningBot
from tests.bot.ui.own_data import forget
from tests.bot.ui.test_board_command import link

pytestmark = pytest.mark.usefixtures("virtual_time")

THREADS: Final = "/channels/*/messages/*/threads"
SOON: Final = timedelta(hours=1, minutes=1)


async def switch_on(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    panel = await panels.choose(running_bot, ann, "settings threads", "on")
    assert panels.held(panel, "settings threads") == ["on"]


def opened(running_bot: RunningBot) -> list[Channel]:
    """The threads of the bot's messages."""
    channels = running_bot.sandbox.world.channels.values()
    return [
        each
        for each in channels
        if each.kind is ChannelKind.THREAD and each.name.startswith(says("game.tictactoe"))
    ]


async def thread_of(running_bot: RunningBot, board: Message) -> Channel:
    """The thread of a board, once it is known."""
    (thread,) = await running_bot.sandbox.until(lambda: opened(running_bot))
    assert (thread.id, thread.parent_id) == (board.id, board.channel.id)
    return thread


async def reminded(running_bot: RunningBot, *places: Channel) -> list[int]:
    """The number of reminders in each of some places, after an hour without a move."""
    shown = [len(running_bot.sandbox.world.messages(each)) for each in places]
    await running_bot.later(SOON)
    await running_bot.clock.waited_for()
    now = [len(running_bot.sandbox.world.messages(each)) for each in places]
    return [after - before for before, after in zip(shown, now, strict=True)]


async def test_a_game_between_people_has_a_thread_from_its_start_for_its_reminders(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    await switch_on(running_bot)
    await running_bot.opened(ann)  # against the computer
    board = await running_bot.opened(ann, opponent=ben, pace="correspondence")
    assert not opened(running_bot), "nobody has accepted"
    await running_bot.press(ben, board, says("control.accept"))
    thread = await thread_of(running_bot, board)
    assert await reminded(running_bot, thread, running_bot.games) == [1, 0]
    await running_bot.resign(ann, board)
    assert not thread.archived, "it archives itself, and is never locked"
    assert len(opened(running_bot)) == 1


async def test_a_server_that_has_not_asked_for_threads_gets_none(running_bot: RunningBot) -> None:
    await running_bot.friends(pace="correspondence")
    assert await reminded(running_bot, running_bot.games) == [1]
    assert not opened(running_bot)


async def test_without_the_right_to_open_threads_all_goes_on_in_the_channel(
    running_bot: RunningBot,
) -> None:
    await switch_on(running_bot)
    running_bot.sandbox.deny(running_bot.games, Permission.CREATE_PUBLIC_THREADS)
    board = await running_bot.friends(pace="correspondence")
    assert await reminded(running_bot, running_bot.games) == [1]
    running_bot.sandbox.deny(running_bot.games)
    await running_bot.both_moved(board)
    assert not opened(running_bot), "it is asked for once"


async def test_a_thread_whose_opening_was_cut_off_is_found_after_a_restart(open_bot: Open) -> None:
    async with open_bot() as running_bot:
        await switch_on(running_bot)
        lost = running_bot.sandbox.hold_next("POST", THREADS)
        board = await running_bot.friends(pace="correspondence")
        await lost.reached()
    lost.open()
    thread = await thread_of(running_bot, board)
    async with open_bot() as running_bot:
        await running_bot.turn(board)
        await running_bot.later(timedelta())
        assert await reminded(running_bot, thread, running_bot.games) == [1, 0]
        assert len(opened(running_bot)) == 1


async def test_reminders_of_a_game_whose_thread_was_deleted_come_to_the_channel(
    running_bot: RunningBot,
) -> None:
    await switch_on(running_bot)
    board = await running_bot.friends(pace="correspondence")
    thread = await thread_of(running_bot, board)
    running_bot.sandbox.remove_channel(thread)
    assert await reminded(running_bot, running_bot.games) == [1]
    told = running_bot.sandbox.world.messages(running_bot.games)[-1]
    assert piece("reminder.turn") in told.text


async def test_the_board_of_a_thread_stays_in_its_channel_and_is_shown_there_in_private(
    running_bot: RunningBot,
) -> None:
    ann, _, cleo, _ = running_bot.people
    await switch_on(running_bot)
    other = await running_bot.friends()
    first = await thread_of(running_bot, other)
    board = await running_bot.friends()
    await running_bot.sandbox.until(lambda: len(opened(running_bot)) == 2)
    thread = next(each for each in opened(running_bot) if each is not first)
    for place, its in ((thread, board), (first, other)):
        told = await running_bot.say(ann, "board", place)
        assert like("refusal.board_moved", link=link(its)).search(told)
        assert its in ann.sees(running_bot.games)
        listed = await running_bot.say(ann, "games", place)
        assert [link(each) in listed for each in (board, other)] == [its is board, its is other]
    shown = await (await cleo.type(thread, "board")).answered()
    assert shown.message.pictures, "a look at the board is private anyway"
    await running_bot.resign(ann, board)
    assert like("refusal.no_games_here").search(await running_bot.say(ann, "board", thread))


async def test_a_reminder_in_a_thread_that_has_archived_itself_goes_with_the_next_move(
    running_bot: RunningBot,
) -> None:
    await switch_on(running_bot)
    board = await running_bot.friends(pace="correspondence")
    thread = await thread_of(running_bot, board)
    assert await reminded(running_bot, thread) == [1]
    (reminder,) = running_bot.sandbox.world.messages(thread)
    running_bot.sandbox.archive(thread)
    await running_bot.turn(board)
    await running_bot.later(timedelta(seconds=6))
    await running_bot.sandbox.until(lambda: reminder.deleted)
    reminders = running_bot.parlour.stores.reminders
    await running_bot.clock.waited_for()
    assert not await reminders.standing()


async def test_a_reminder_in_a_thread_goes_when_its_person_is_forgotten(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    await switch_on(running_bot)
    board = await running_bot.friends(pace="correspondence")
    thread = await thread_of(running_bot, board)
    assert await reminded(running_bot, thread) == [1]
    (reminder,) = running_bot.sandbox.world.messages(thread)
    await forget(running_bot, ann)
    await running_bot.later(timedelta(seconds=6))
    await running_bot.sandbox.until(lambda: reminder.deleted)
