"""`/games`: what waits and runs in a channel, with links to the boards."""

from __future__ import annotations

import re

import pytest

from bot.sandbox import Channel, Message
from tests.bot.english import piece, says
from tests.bot.people import Person
from tests.bot.ui import ludo, panels
from tests.bot.ui.conftest import RunningBot


async def games(
    running_bot: RunningBot,
    person: Person,
    *,
    of: Person | None = None,
    channel: Channel | None = None,
) -> str:
    """The answer to `/games`, without the characters that isolate names."""
    typed = await person.type(channel or running_bot.games, "games", player=of)
    message = (await typed.answered()).message
    assert message.ephemeral
    return message.text.translate({0x2068: None, 0x2069: None})


async def test_every_game_of_the_channel_is_told_with_a_link_the_latest_first(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, _ = running_bot.people
    board = await running_bot.friends()
    challenge = await running_bot.opened(cleo, opponent=ben)
    table = await ludo.opened(running_bot.sandbox, ann, computers=1, level="easy")
    here = f"https://discord.com/channels/{running_bot.games.guild_id}/{running_bot.games.id}"
    rules = says("board.in_a_row", size="3x3", line="3")
    tictactoe = says("board.title", game=says("game.tictactoe"), rules=rules)
    classic = says("board.title", game=says("game.ludo"), rules=says("preset.ludo.classic"))
    assert (await games(running_bot, ben)).split("\n") == [
        says("games.title"),
        f"{classic} · {here}/{table.id}",
        f"🔴 {ann.mention}, 🟡 {says('player.computer', level=says('choice.level.easy'))}",
        f"-# {says('board.roll', emblem='🔴', player=ann.mention)}",
        f"{tictactoe} · {here}/{challenge.id}",
        f"-# {says('games.asked', host=cleo.mention, people=ben.mention)}",
        f"{tictactoe} · {here}/{board.id}",
        f"❌ {ann.mention}, ⭕ {ben.mention}",
        f"-# {says('board.turn', emblem='❌', player=ann.mention)}",
    ]


async def test_what_waits_names_its_host_and_its_free_seats(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    table = await ludo.opened(running_bot.sandbox, ann)
    for person, free in ((ben, 3), (cleo, 2)):
        told = says("games.free", host=ann.mention, count=free)
        assert f"-# {told}" in (await games(running_bot, person)).split("\n")
        await running_bot.press(person, table, says("control.join"))


async def test_the_games_of_one_player_are_those_that_wait_for_them_too(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, dan = running_bot.people
    await running_bot.friends()
    await running_bot.opened(cleo, opponent=ben)
    assert (await games(running_bot, ann, of=ann)).count(says("game.tictactoe")) == 1
    assert (await games(running_bot, ann, of=ben)).count(says("game.tictactoe")) == 2
    none = await games(running_bot, ann, of=dan)
    assert none.startswith(says("games.none_of", player=dan.mention, commands="</tictactoe:"))
    assert "</ludo:" in none


async def test_where_nothing_runs_it_is_said_how_to_begin(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    lounge = running_bot.sandbox.channel("lounge")
    board = await running_bot.friends()
    for channel in (lounge, ann.dm):
        told = await games(running_bot, ann, channel=channel)
        assert told.startswith(says("games.none", commands="</tictactoe:"))
    await running_bot.resign(ann, board)
    assert (await games(running_bot, ann)).startswith(piece("games.none"))


async def many(running_bot: RunningBot, by: Person, count: int) -> list[Message]:
    """Play a number of games of one person against Dan."""
    dan = running_bot.people[-1]
    boards = [await running_bot.opened(by, opponent=dan) for _ in range(count)]
    for board in boards:
        await running_bot.press(dan, board, says("control.accept"))
    return boards


async def listing(running_bot: RunningBot, person: Person, of: Person | None = None) -> Message:
    """The first page, as a message whose controls can be pressed."""
    return (await (await person.type(running_bot.games, "games", player=of)).answered()).message


def links(page: Message) -> list[str]:
    """The messages that a page leads to."""
    return re.findall(r"/channels/\d+/\d+/(\d+)", page.text)


def ways(page: Message) -> list[tuple[str, bool]]:
    return [(button.label, button.disabled) for button in page.buttons]


@pytest.fixture
async def roomy(running_bot: RunningBot) -> RunningBot:
    """The bot, with room for many games in its channel."""
    ann, *_ = running_bot.people
    await panels.choose(running_bot, ann, "settings games", "50")
    return running_bot


async def test_more_games_than_a_message_holds_are_on_pages_each_of_them_once(
    roomy: RunningBot,
) -> None:
    ann, ben, *_ = roomy.people
    opened = await many(roomy, ann, 48)
    page = await listing(roomy, ben)
    assert ways(page) == [(says("control.page_before"), True), (says("control.next"), False)]
    assert page.text.endswith(says("records.page", page="1", pages="3"))
    found = links(page)
    for number in (2, 3):
        await roomy.press(ben, page, says("control.next"))
        assert page.text.endswith(says("records.page", page=str(number), pages="3"))
        found += links(page)
    assert ways(page) == [(says("control.page_before"), False), (says("control.next"), True)]
    assert found == [str(board.id) for board in reversed(opened)]
    await roomy.press(ben, page, says("control.page_before"))
    assert page.text.endswith(says("records.page", page="2", pages="3"))


async def test_the_pages_of_one_player_stay_those_of_the_player(roomy: RunningBot) -> None:
    ann, ben, cleo, _ = roomy.people
    for _ in range(24):
        await many(roomy, ann, 1)
        await many(roomy, ben, 1)
    page = await listing(roomy, cleo, ben)
    found = links(page)
    await roomy.press(cleo, page, says("control.next"))
    assert page.text.endswith(says("records.page", page="2", pages="2"))
    assert ann.mention not in page.text
    assert len(found + links(page)) == 24


async def test_a_page_that_is_turned_shows_what_runs_by_then(roomy: RunningBot) -> None:
    ann, ben, *_ = roomy.people
    opened = await many(roomy, ann, 26)
    page = await listing(roomy, ben)
    assert len(ways(page)) == 2
    for board in opened[3:]:
        await roomy.press(ann, board, says("control.cancel"))
    await roomy.press(ben, page, says("control.next"))
    assert links(page) == [str(board.id) for board in reversed(opened[:3])]
    assert ways(page) == []


async def test_a_page_that_is_turned_when_all_games_are_over_says_how_to_begin(
    roomy: RunningBot,
) -> None:
    ann, ben, *_ = roomy.people
    opened = await many(roomy, ann, 26)
    page = await listing(roomy, ben)
    for board in opened:
        await roomy.press(ann, board, says("control.cancel"))
    await roomy.press(ben, page, says("control.next"))
    assert page.text.startswith(says("games.none", commands="</tictactoe:"))


async def test_what_fits_one_message_has_no_pages(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    await many(running_bot, ann, 5)
    page = await listing(running_bot, ann)
    assert (len(links(page)), ways(page)) == (5, [])
