"""Connect four as people play it: real discord.py, real traffic, a real database."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from random import choice

import pytest

from bot.games.catalogue import CATALOGUE
from bot.sandbox import Message
from bot.sandbox.web.calls import Reply
from bot.storage.choices import GuildId
from bot.table.seat_log import BoardLook
from bot.table.session import Phase
from engine.games.connectfour import SIZES
from tests.bot.english import like, mover_in, says
from tests.bot.people import Person, Value, has_won
from tests.bot.trouble import CALLBACK, EDIT, Fault
from tests.bot.ui import panels
from tests.bot.ui.conftest import UPDATES, RunningBot
from tests.bot.ui.test_lessons import explained, hinted, lit, shown_to_all

LEVELS = [*CATALOGUE["connectfour"].levels]
SIGNS = "🔴🟡🟥🟨⚫"


async def opened(
    running_bot: RunningBot, person: Person, *, look: str | None = "emoji", **options: Value
) -> Message:
    """The board that `/connectfour` opens in a look; who types it goes first unless they say."""
    given: dict[str, Value] = {"colour": "first", **options}
    guild = GuildId(running_bot.games.guild_id or 0)
    await running_bot.parlour.use_cases.stores.guilds.choose(guild, board=look and BoardLook(look))
    answer = await (await person.type(running_bot.games, "connectfour", **given)).answered()
    await running_bot.sandbox.until(lambda: bool(answer.message.text))
    assert not answer.message.ephemeral, answer.message.text
    return answer.message


async def friends(
    running_bot: RunningBot, *, look: str | None = "emoji", **options: Value
) -> Message:
    ann, ben, *_ = running_bot.people
    board = await opened(running_bot, ann, look=look, opponent=ben, **options)
    await running_bot.press(ben, board, says("control.accept"))
    return board


async def drop(running_bot: RunningBot, board: Message, columns: str) -> None:
    """Discs of Ann and Ben in turn."""
    ann, ben, *_ = running_bot.people
    for turn, column in enumerate(columns):
        await running_bot.press((ann, ben)[turn % 2], board, column)


def signs(board: Message) -> Counter[str]:
    return Counter(sign for sign in board.text if sign in SIGNS)


def columns(board: Message) -> list[str]:
    """The labels of the columns that can be pressed."""
    return [b.label or "" for b in board.buttons if (b.label or "").isdigit() and not b.disabled]


@pytest.mark.both_databases
async def test_a_four_wins_and_is_lit(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await friends(running_bot)
    assert columns(board) == ["1", "2", "3", "4", "5", "6", "7"]
    await drop(running_bot, board, "44")
    assert signs(board) >= Counter({"⚫": 40, "🔴": 1, "🟨": 1}), "the last disc is marked"
    await drop(running_bot, board, "33552")
    assert has_won(ann, board.text, emblem="🔴")
    assert signs(board)["🟥"] == 4
    assert columns(board) == []
    assert says("control.rematch") in [button.label for button in board.buttons]


async def test_a_board_is_a_picture_unless_the_server_chooses_emoji(
    running_bot: RunningBot,
) -> None:
    board = await friends(running_bot, look=None)
    empty = {picture.data for picture in board.attachments}
    assert len(board.pictures) == 1
    assert not signs(board)["⚫"]
    await drop(running_bot, board, "4")
    assert len(board.pictures) == 1
    assert empty.isdisjoint(picture.data for picture in board.attachments)
    assert columns(board) == ["1", "2", "3", "4", "5", "6", "7"]


async def test_a_picture_that_discord_refuses_gives_way_to_emoji(running_bot: RunningBot) -> None:
    board = await friends(running_bot, look=None)
    running_bot.sandbox.fail_next("POST", CALLBACK, 400, 50035, "Invalid Form Body")
    await drop(running_bot, board, "4")
    assert not board.pictures
    assert signs(board)["⚫"] == 41
    await running_bot.press(running_bot.people[1], board, "4")
    assert signs(board)["⚫"] == 40


@pytest.mark.parametrize(("status", "code"), [(400, 50035), (403, 50013)])
async def test_a_picture_refused_without_a_press_gives_way_to_emoji_for_good(
    running_bot: RunningBot, status: int, code: int
) -> None:
    board = await friends(running_bot, look=None)
    refused = Reply(status, {"message": "Made to fail", "code": code})
    for _ in range(2):
        pictured = Fault("PATCH", EDIT, refused, of=lambda call: bool(call.sent.fields))
        running_bot.sandbox.trouble(pictured)
    await running_bot.later(timedelta(minutes=5))
    await running_bot.sandbox.until(lambda: like("board.lapsed").search(board.text))
    assert not board.pictures
    assert signs(board)["⚫"] == 42
    assert running_bot.sandbox.troubled, "a second picture was not tried"
    ben = running_bot.people[1]
    await running_bot.press(ben, board, says("control.claim"))
    assert has_won(ben, board.text, emblem="🟡")
    assert signs(board)["⚫"] == 42


async def test_a_start_that_is_delivered_again_leaves_the_board_its_picture(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    start = await ann.type(running_bot.games, "connectfour", level="easy", colour="first")
    board = (await start.answered()).message
    statuses: list[int] = []
    running_bot.sandbox.observe(lambda passed: statuses.append(getattr(passed, "status", 0)))
    running_bot.sandbox.redeliver(start)
    await running_bot.sandbox.until(lambda: 400 in statuses)
    await running_bot.press(ann, board, "4")
    assert len(board.pictures) == 1


async def test_a_full_column_is_off_and_a_press_from_before_is_refused(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    board = await friends(running_bot)
    await drop(running_bot, board, "444444")
    assert columns(board) == ["1", "2", "3", "5", "6", "7"]
    four = next(button for button in board.buttons if button.label == "4")
    assert four.disabled
    told = await running_bot.sentence(await ann.forge(board, four.custom_id).answered())
    assert told


@pytest.mark.parametrize("size", SIZES)
async def test_a_board_has_the_size_that_was_asked_for(running_bot: RunningBot, size: str) -> None:
    wide, high = map(int, size.split("x"))
    board = await friends(running_bot, size=size)
    assert says("board.in_a_row", size=size, line="4") in board.text
    assert signs(board)["⚫"] == wide * high
    assert len(columns(board)) == wide


async def test_a_rematch_swaps_the_sides(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await friends(running_bot)
    await drop(running_bot, board, "1122334")
    again = (await running_bot.press(ann, board, says("control.rematch"))).message
    await running_bot.press(ben, again, says("control.accept"))
    assert mover_in(again.text) == str(ben.id)


@pytest.mark.parametrize("level", LEVELS)
async def test_a_game_against_each_level_comes_to_its_end(
    running_bot: RunningBot, level: str
) -> None:
    ann, *_ = running_bot.people
    board = await opened(running_bot, ann, level=level)
    assert says(f"choice.level.{level}") in board.text
    while not is_over(board):
        pressed = await running_bot.press(ann, board, choice(columns(board)))
        assert pressed.response in UPDATES
        await running_bot.sandbox.until(lambda: is_answered(board))
    assert (await running_bot.session(board)).phase is Phase.FINISHED


def is_answered(board: Message) -> bool:
    """Whether a person is to move, or nobody any more."""
    return mover_in(board.text) is not None or is_over(board)


def is_over(board: Message) -> bool:
    return says("control.rematch") in [button.label for button in board.buttons]


async def test_against_the_computer_a_disc_is_taken_back(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await opened(running_bot, ann, level="medium")
    empty = signs(board)
    await running_bot.press(ann, board, "4")
    assert signs(board) != empty
    await running_bot.press(ann, board, says("control.take_back"))
    await running_bot.sandbox.until(lambda: signs(board) == empty)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"opponent": "Ann"}, says("refusal.opponent_is_self")),
        ({"opponent": "Robot"}, says("refusal.opponent_is_bot")),
        ({"opponent": "Ben", "anyone": True}, says("refusal.opponent_and_anyone")),
    ],
)
async def test_a_table_that_cannot_be_is_refused_with_the_reason(
    running_bot: RunningBot, options: dict[str, Value], sentence: str
) -> None:
    ann, *_ = running_bot.people
    if isinstance(options.get("opponent"), str):
        options = {**options, "opponent": running_bot.sandbox.person(str(options["opponent"]))}
    told = await running_bot.say(ann, "connectfour", **options)
    assert sentence in told


async def test_in_a_private_chat_only_the_computer_plays(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    told = await running_bot.say(ann, "connectfour", ann.dm, anyone=True)
    assert says("refusal.nobody_else_here") in told


async def test_a_board_in_words_is_played_from_the_words(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await friends(running_bot)
    await panels.choose(running_bot, ann, "me boards", "words")
    mine = (await (await ann.type(running_bot.games, "board")).answered()).message
    empty = says("board.words.empty")
    assert says("connectfour.words.column", number=4, discs=empty) in mine.text
    assert columns(mine) == ["1", "2", "3", "4", "5", "6", "7"]
    await running_bot.press(ann, mine, "4")
    await running_bot.sandbox.until(lambda: signs(board)["⚫"] == 41)
    assert says("connectfour.words.column", number=4, discs=says("side.red")) in mine.text


async def test_a_finished_game_is_replayed_drawn_and_counted(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await friends(running_bot)
    await drop(running_bot, board, "1122334")
    replay = (await running_bot.press(ann, board, says("control.replay"))).message
    await running_bot.press(ann, replay, says("control.last"))
    assert signs(replay)["🟥"] == 4
    told = await running_bot.say(ann, "stats", game="connectfour")
    assert like("records.tally.decided", wins="1").search(told)
    assert says("game.connectfour") in await running_bot.say(ann, "history")
    assert ann.mention in await running_bot.say(ann, "leaderboard", game="connectfour")


async def test_a_hint_lights_the_column_that_it_names(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await opened(running_bot, ann, level="easy")
    told = await hinted(running_bot, ann, board)
    middle = says("connectfour.words.move", column=4)
    assert says("hint.move", move=middle) in told.text
    await running_bot.sandbox.until(lambda: lit(board) == ["m3"])
    why = await explained(running_bot, ann, told, says("control.why_this"))
    assert says("reason.centre") in why.text


async def test_a_computers_move_is_explained(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await opened(running_bot, ann, level="medium")
    await running_bot.press(ann, board, "4")
    why = await explained(running_bot, ann, board, says("control.why"))
    assert like("why.reasons").search(why.text)
    assert not like("board.with_hints").search(board.text)


async def test_a_finished_game_is_shared_and_reviewed(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await friends(running_bot)
    await drop(running_bot, board, "44")
    await running_bot.resign(ann, board)
    shared = await shown_to_all(running_bot, ann, board)
    assert [file.filename for file in shared.attachments] == ["game.png"]
    review = await explained(running_bot, ann, board, says("control.review"))
    assert review.pictures, "the curve of winning chances"
