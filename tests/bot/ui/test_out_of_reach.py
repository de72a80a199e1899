"""Boards whose channel is out of the bot's reach for a while, or for good."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from bot.sandbox import Channel, Membership, Message, Permission
from bot.storage.messages import Messages
from tests.bot.english import like, piece, says
from tests.bot.stand_in import Sandbox
from tests.bot.ui.conftest import House, Open

LATE = piece("board.lapsed")
EDIT = "/channels/*/messages/*"

News = Callable[[House], None]


def channel_news(house: House) -> None:
    house.sandbox.deny(house.games)


def role_news(house: House) -> None:
    house.games.denied = Permission(0)
    house.sandbox.change_roles()


def server_news(house: House) -> None:
    house.games.denied = Permission(0)
    house.sandbox.move(Membership.UNAVAILABLE)
    house.sandbox.move(Membership.JOINED)


async def fallen_behind(house: House, board: Message) -> None:
    """Time runs out at a board whose channel the bot cannot see any more."""
    house.sandbox.deny(house.games, Permission.VIEW_CHANNEL)
    await house.later(timedelta(minutes=5))
    await house.clock.waited_for()
    assert LATE not in board.text


@pytest.mark.parametrize("news", [channel_news, role_news, server_news])
async def test_a_board_out_of_reach_is_redrawn_when_discord_has_news_of_it(
    house: House, news: News
) -> None:
    board = await house.friends()
    await fallen_behind(house, board)
    assert await Messages(house.store).behind()
    news(house)
    await house.sandbox.until(lambda: LATE in board.text)
    await house.later(timedelta(seconds=10))
    await house.clock.waited_for()
    assert not await Messages(house.store).behind()


@pytest.mark.parametrize(("status", "code"), [(403, 50001), (403, 50013), (404, 10003)])
async def test_a_board_out_of_reach_is_left_alone_for_an_hour_and_stays_behind(
    house: House, status: int, code: int
) -> None:
    board = await house.friends()
    house.sandbox.fail_next("PATCH", EDIT, status, code)
    await house.later(timedelta(minutes=5))
    await house.later(timedelta(minutes=50))
    await house.clock.waited_for()
    assert LATE not in board.text
    assert await Messages(house.store).behind()
    await house.later(timedelta(minutes=10))
    await house.sandbox.until(lambda: LATE in board.text)


async def test_a_board_out_of_reach_is_redrawn_after_a_restart(
    open_house: Open, sandbox: Sandbox
) -> None:
    async with open_house() as house:
        board = await house.friends()
        await fallen_behind(house, board)
    sandbox.channel("games").denied = Permission(0)
    async with open_house():
        await sandbox.until(lambda: LATE in board.text)


async def test_news_that_come_again_and_again_make_one_request(
    house: House, sandbox: Sandbox
) -> None:
    board = await house.friends()
    await fallen_behind(house, board)
    tried: list[object] = []
    sandbox.observe(lambda seen: tried.append(seen) if "PATCH" in repr(seen)[:40] else None)
    for _ in range(20):
        house.sandbox.deny(house.games, Permission.VIEW_CHANNEL)
    await house.sandbox.until(lambda: tried)
    await house.say(house.people[0], "help")
    assert len(tried) == 1


async def test_a_stale_press_brings_the_board_up_to_date_and_is_told_so(house: House) -> None:
    ann, ben, *_ = house.people
    board = await house.opened(ann, opponent=ben)
    house.sandbox.deny(house.games, Permission.VIEW_CHANNEL)
    await house.later(timedelta(minutes=15))
    await house.clock.waited_for()
    assert board.buttons
    told = await house.told(ben, board, says("control.accept"))
    assert [button.label for button in board.buttons] == [says("control.ask_again")]
    assert like("refusal.not_waiting").search(told)
    assert "https://" not in told


async def test_a_board_in_an_archived_thread_is_redrawn_when_the_thread_is_opened(
    house: House,
) -> None:
    thread = house.sandbox.channel("games-thread")
    ann, ben, *_ = house.people
    typed = await (await ann.type(thread, "tictactoe", opponent=ben)).answered()
    board = typed.message
    await house.press(ben, board, says("control.accept"))
    house.sandbox.archive(thread)
    await house.later(timedelta(minutes=5))
    await house.clock.waited_for()
    assert LATE not in board.text
    house.sandbox.archive(thread, archived=False)
    await house.sandbox.until(lambda: LATE in board.text)


async def taken_off_the_list(house: House, channel: Channel) -> None:
    """Asks for the settings until they do not name a channel any more."""
    while str(channel.id) in await house.say(house.people[0], "settings show"):
        assert house.sandbox.online


async def test_a_deleted_channel_leaves_the_list_and_nobody_is_sent_there(house: House) -> None:
    ann, ben, *_ = house.people
    lounge = house.sandbox.channel("lounge")
    await house.say(ann, "settings channels", channel=lounge, games="yes")
    assert f"<#{lounge.id}>" in await house.say(ann, "tictactoe", opponent=ben)
    house.sandbox.remove_channel(lounge)
    await taken_off_the_list(house, lounge)
    await house.friends()


async def test_a_channel_deleted_while_the_bot_is_off_leaves_the_list_at_the_start(
    open_house: Open, sandbox: Sandbox
) -> None:
    async with open_house() as house:
        ann, *_ = house.people
        lounge = house.sandbox.channel("lounge")
        await house.say(ann, "settings channels", channel=lounge, games="yes")
    sandbox.remove_channel(lounge)
    async with open_house() as house:
        await house.client.wait_until_ready()
        await taken_off_the_list(house, lounge)
        await house.friends()


@pytest.mark.parametrize("name", ["games", "games-thread", "games-thread in games"])
async def test_the_games_of_a_deleted_channel_close_and_are_left_alone(
    house: House, name: str
) -> None:
    ann, ben, *_ = house.people
    where, _, gone = name.partition(" in ")
    channel = house.sandbox.channel(where)
    typed = await (await ann.type(channel, "tictactoe", opponent=ben)).answered()
    await house.press(ben, typed.message, says("control.accept"))
    house.sandbox.remove_channel(house.sandbox.channel(gone or where))
    lounge = house.sandbox.channel("lounge")
    await house.say(ann, "help", lounge)
    await house.later(timedelta(minutes=5))
    await house.clock.waited_for()
    assert not await Messages(house.store).behind()
    assert not await house.service.boards(int(channel.id))
