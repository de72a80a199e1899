"""Boards whose channel is out of the bot's reach for a while, or for good."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from bot.sandbox import Channel, Membership, Message, Permission
from bot.storage.choices import GuildId
from bot.storage.messages import Messages
from bot.ui.postman import MOST_PROBED, SHORTEST_PAUSE
from tests.bot.english import like, piece, says
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import EDIT
from tests.bot.ui import panels
from tests.bot.ui.conftest import Open, RunningBot
from tests.bot.ui.crowd import Requests, crowd

pytestmark = pytest.mark.usefixtures("virtual_time")

LATE = piece("board.lapsed")

News = Callable[[RunningBot], None]


def channel_news(running_bot: RunningBot) -> None:
    running_bot.sandbox.deny(running_bot.games)


def role_news(running_bot: RunningBot) -> None:
    running_bot.games.denied = Permission(0)
    running_bot.sandbox.change_roles()


def news_of_a_deleted_role(running_bot: RunningBot) -> None:
    running_bot.games.denied = Permission(0)
    running_bot.sandbox.delete_role(running_bot.sandbox.world.guild.roles[0])


def server_news(running_bot: RunningBot) -> None:
    running_bot.games.denied = Permission(0)
    running_bot.sandbox.move(Membership.UNAVAILABLE)
    running_bot.sandbox.move(Membership.JOINED)


async def fallen_behind(running_bot: RunningBot, board: Message) -> None:
    """Time runs out at a board whose channel the bot cannot see any more."""
    running_bot.sandbox.deny(running_bot.games, Permission.VIEW_CHANNEL)
    await running_bot.later(timedelta(minutes=5))
    await running_bot.clock.waited_for()
    assert LATE not in board.text


@pytest.mark.parametrize("news", [channel_news, role_news, news_of_a_deleted_role, server_news])
async def test_a_board_out_of_reach_is_redrawn_when_discord_has_news_of_it(
    running_bot: RunningBot, news: News
) -> None:
    board = await running_bot.friends()
    await fallen_behind(running_bot, board)
    assert await Messages(running_bot.store).behind()
    news(running_bot)
    await running_bot.sandbox.until(lambda: LATE in board.text)
    await running_bot.later(timedelta(seconds=10))
    await running_bot.clock.waited_for()
    assert not await Messages(running_bot.store).behind()


@pytest.mark.parametrize(("status", "code"), [(403, 50001), (403, 50013), (404, 10003)])
async def test_a_board_out_of_reach_is_left_alone_for_an_hour_and_stays_behind(
    running_bot: RunningBot, status: int, code: int
) -> None:
    board = await running_bot.friends()
    running_bot.sandbox.fail_next("PATCH", EDIT, status, code)
    await running_bot.later(timedelta(minutes=5))
    await running_bot.later(timedelta(minutes=50))
    await running_bot.clock.waited_for()
    assert LATE not in board.text
    assert await Messages(running_bot.store).behind()
    await running_bot.later(timedelta(minutes=10))
    await running_bot.sandbox.until(lambda: LATE in board.text)


async def test_a_board_out_of_reach_is_redrawn_after_a_restart(
    open_bot: Open, sandbox: Sandbox
) -> None:
    async with open_bot() as running_bot:
        board = await running_bot.friends()
        await fallen_behind(running_bot, board)
    sandbox.channel("games").denied = Permission(0)
    async with open_bot():
        await sandbox.until(lambda: LATE in board.text)


async def test_news_that_come_again_and_again_make_one_request(
    running_bot: RunningBot, sandbox: Sandbox
) -> None:
    await running_bot.friends()
    for _ in range(2):
        sandbox.fail_next("PATCH", EDIT, 403, 50001)
    tried = Requests("PATCH", "/channels/{channel_id}/messages/{message_id}")
    sandbox.observe(tried)
    await running_bot.later(timedelta(minutes=5))
    await sandbox.until(lambda: tried.statuses)
    for _ in range(20):
        sandbox.deny(running_bot.games, Permission.ATTACH_FILES)
    await sandbox.until(lambda: tried.statuses[1:])
    await running_bot.say(running_bot.people[0], "help")
    assert tried.statuses == [403, 403]


async def test_news_of_a_channel_that_is_still_hidden_make_few_requests(
    running_bot: RunningBot, sandbox: Sandbox
) -> None:
    """Refused requests count towards a ban; once one is taken, the others follow."""
    many = 3 * MOST_PROBED
    crowded = await crowd(running_bot, many)
    sandbox.deny(running_bot.games, Permission.VIEW_CHANNEL)
    tried = Requests("PATCH", "/channels/{channel_id}/messages/{message_id}")
    sandbox.observe(tried)
    await running_bot.later(timedelta(minutes=5))
    await sandbox.until(lambda: len(tried.statuses) == many)
    await running_bot.later(SHORTEST_PAUSE)
    sandbox.deny(running_bot.games, Permission.VIEW_CHANNEL | Permission.ATTACH_FILES)
    await sandbox.until(lambda: len(tried.statuses) >= many + MOST_PROBED)
    await running_bot.say(running_bot.people[0], "help")
    await running_bot.clock.waited_for()
    assert {*tried.statuses} == {403}
    assert len(tried.statuses) <= many + 2 * MOST_PROBED, "a refusal may be out of date once"
    await running_bot.later(SHORTEST_PAUSE)
    running_bot.games.denied = Permission(0)
    role_news(running_bot)
    await sandbox.until(lambda: tried.statuses.count(200) == len(crowded))


async def test_a_stale_press_brings_the_board_up_to_date_and_is_told_so(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.opened(ann, opponent=ben)
    running_bot.sandbox.deny(running_bot.games, Permission.VIEW_CHANNEL)
    await running_bot.later(timedelta(minutes=15))
    await running_bot.clock.waited_for()
    assert board.buttons
    told = await running_bot.told(ben, board, says("control.accept"))
    assert [button.label for button in board.buttons] == [says("control.ask_again")]
    assert like("refusal.not_waiting").search(told)
    assert "https://" not in told


async def in_thread(running_bot: RunningBot) -> tuple[Channel, Message]:
    """The pictured board of a game between Ann and Ben in a thread."""
    thread = running_bot.sandbox.channel("games-thread")
    ann, ben, *_ = running_bot.people
    board = (await (await ann.type(thread, "connectfour", opponent=ben)).answered()).message
    await running_bot.press(ben, board, says("control.accept"))
    assert board.pictures
    return thread, board


async def test_a_board_in_an_archived_thread_is_redrawn_in_the_thread_opened_for_it(
    running_bot: RunningBot,
) -> None:
    thread, board = await in_thread(running_bot)
    running_bot.sandbox.archive(thread)
    await running_bot.later(timedelta(minutes=5))
    await running_bot.sandbox.until(lambda: LATE in board.text)
    await running_bot.sandbox.until(lambda: thread.archived)
    assert board.pictures


async def test_a_board_in_a_locked_thread_is_redrawn_as_it_was_when_the_thread_is_opened(
    running_bot: RunningBot,
) -> None:
    thread, board = await in_thread(running_bot)
    running_bot.sandbox.archive(thread, locked=True)
    await running_bot.later(timedelta(minutes=5))
    await running_bot.clock.waited_for()
    assert LATE not in board.text
    running_bot.sandbox.archive(thread, archived=False)
    await running_bot.sandbox.until(lambda: LATE in board.text)
    assert board.pictures


async def taken_off_the_list(running_bot: RunningBot, channel: Channel) -> None:
    """Asks until a channel is not listed any more."""
    guild = GuildId(running_bot.games.guild_id or 0)
    guilds = running_bot.parlour.use_cases.stores.guilds
    while channel.id in guilds.of(guild).channels:
        await running_bot.say(running_bot.people[0], "settings")
        assert running_bot.sandbox.online


async def test_a_deleted_channel_leaves_the_list_and_nobody_is_sent_there(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    lounge = running_bot.sandbox.channel("lounge")
    await panels.choose(running_bot, ann, "settings channels", lounge)
    assert f"<#{lounge.id}>" in await running_bot.say(ann, "tictactoe", opponent=ben)
    running_bot.sandbox.remove_channel(lounge)
    await taken_off_the_list(running_bot, lounge)
    await running_bot.friends()


async def test_a_channel_deleted_while_the_bot_is_off_leaves_the_list_at_the_start(
    open_bot: Open, sandbox: Sandbox
) -> None:
    async with open_bot() as running_bot:
        ann, *_ = running_bot.people
        lounge = running_bot.sandbox.channel("lounge")
        await panels.choose(running_bot, ann, "settings channels", lounge)
    sandbox.remove_channel(lounge)
    async with open_bot() as running_bot:
        await running_bot.client.wait_until_ready()
        await taken_off_the_list(running_bot, lounge)
        await running_bot.friends()


@pytest.mark.parametrize("name", ["games", "games-thread", "games-thread in games"])
async def test_the_games_of_a_deleted_channel_close_and_are_left_alone(
    running_bot: RunningBot, name: str
) -> None:
    ann, ben, *_ = running_bot.people
    where, _, gone = name.partition(" in ")
    channel = running_bot.sandbox.channel(where)
    typed = await (await ann.type(channel, "tictactoe", opponent=ben)).answered()
    await running_bot.press(ben, typed.message, says("control.accept"))
    running_bot.sandbox.remove_channel(running_bot.sandbox.channel(gone or where))
    lounge = running_bot.sandbox.channel("lounge")
    await running_bot.say(ann, "help", lounge)
    await running_bot.later(timedelta(minutes=5))
    await running_bot.clock.waited_for()
    assert not await Messages(running_bot.store).behind()
    assert not await running_bot.service.boards(int(channel.id))
