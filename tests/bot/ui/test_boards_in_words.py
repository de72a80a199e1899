"""Boards in words: read out to the one who has chosen that, and played from there."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.message.text import text
from bot.sandbox import Channel, Message
from bot.table.actions import Action
from tests.bot.english import like, piece, says
from tests.bot.people import Person, Value
from tests.bot.ui import ludo, panels
from tests.bot.ui.conftest import A, B, E, RunningBot, control, marks
from tests.bot.ui.test_bound_dice import say


async def read(
    running_bot: RunningBot, person: Person, at: Channel | None = None, /, **options: Value
) -> Message:
    """The answer to `/board` for one who reads boards in words, in the channel unless said."""
    await panels.choose(running_bot, person, "me boards", "words")
    typed = await person.type(at or running_bot.games, "board", **options)
    message = (await typed.answered()).message
    assert message.ephemeral
    return message


def squares(message: Message) -> list[str]:
    return [each.label for each in message.buttons if ":play-" in each.custom_id]


async def test_the_squares_have_their_coordinates_and_are_played_from_the_words(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    mine = await read(running_bot, ann)
    assert squares(mine) == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    empty = says("board.words.empty")
    assert says("tictactoe.words.square", cell="a3", mark=empty) in mine.text

    await running_bot.press(ann, mine, "b2")
    await running_bot.sandbox.until(lambda: marks(board) == {E: "❌"})
    taken = says("tictactoe.words.square", cell="b2", mark=says("side.x"))
    assert taken in mine.text
    assert squares(mine) == [], "it is the other's turn"

    await running_bot.mark(ben, board, A)
    await running_bot.press(ann, mine, says("control.look_again"))
    assert like("since.turn").search(mine.text)
    assert "a3" in mine.text
    assert len(squares(mine)) == 9
    cells = [button.label.strip("\u200b") for button in board.buttons[:9]]
    assert not any(cells), "others see what they saw"


async def test_a_press_on_words_from_before_shows_what_is_there_now(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends()
    ann, *_ = running_bot.people
    mine = await read(running_bot, ann)
    await running_bot.play(board, E, A)
    told = await running_bot.sentence(await running_bot.press(ann, mine, "c1"))
    assert like("refusal.stale_control").search(told)
    assert "c1" in squares(mine)
    assert marks(board) == {E: "❌", A: "⭕"}
    await running_bot.press(ann, mine, "c1")
    await running_bot.sandbox.until(lambda: len(marks(board)) == 3)


async def test_words_from_before_a_move_was_taken_back_play_nothing_at_the_same_ply(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    await running_bot.play(board, E, A)
    mine = await read(running_bot, ann)
    await running_bot.press(ben, board, says("control.take_back"))
    await running_bot.press(ann, board, says("control.allow_take_back"))
    await running_bot.mark(ben, board, B)
    told = await running_bot.sentence(await running_bot.press(ann, mine, "c1"))
    assert like("refusal.stale_control").search(told)
    assert marks(board) == {E: "❌", B: "⭕"}
    await running_bot.press(ann, mine, "c1")
    await running_bot.sandbox.until(lambda: len(marks(board)) == 3)


async def test_in_a_group_the_turn_is_told_to_who_asks_and_not_to_the_host(
    running_bot: RunningBot,
) -> None:
    group = running_bot.sandbox.channel("group-chat")
    ann, ben, cleo, _ = running_bot.people
    for person in (ann, ben, cleo):
        person.add_app()
    typed = await ann.type(group, "tictactoe", opponent=ben, mark="x")
    board = (await typed.answered()).message
    await running_bot.press(ben, board, says("control.accept"))
    await running_bot.mark(ann, board, E)
    for person in (ann, cleo):
        assert squares(await read(running_bot, person, group)) == []
    theirs = await read(running_bot, ben, group)
    assert len(squares(theirs)) == 9
    await running_bot.press(ben, theirs, "a3")
    await running_bot.sandbox.until(lambda: marks(board) == {E: "❌", A: "⭕"})
    assert squares(theirs) == []
    assert len(squares(await read(running_bot, ann, group))) == 9


@pytest.mark.parametrize("size", [4, 5])
async def test_a_larger_board_names_each_square(running_bot: RunningBot, size: int) -> None:
    await running_bot.friends(size=size)
    ann, *_ = running_bot.people
    mine = await read(running_bot, ann)
    assert len({*squares(mine)}) == size * size
    assert squares(mine)[0] == f"a{size}"


@pytest.mark.parametrize(
    ("asks", "by", "told", "no"),
    [
        ("control.offer", 0, "board.offer", "control.refuse"),
        ("control.take_back", 1, "board.take_back", "control.refuse_take_back"),
    ],
)
async def test_a_question_is_read_and_answered_in_words(
    running_bot: RunningBot, asks: str, by: int, told: str, no: str
) -> None:
    board = await running_bot.friends()
    await running_bot.play(board, A, E)
    asking, asked = running_bot.people[by], running_bot.people[1 - by]
    await running_bot.press(asking, board, says(asks))
    assert says(no) not in ludo.labels(await read(running_bot, asking)), "it is their own question"
    theirs = await read(running_bot, asked)
    assert like(told).search(theirs.text)
    await running_bot.press(asked, theirs, says(no))
    assert not like(told).search(theirs.text)
    await running_bot.sandbox.until(lambda: not like(told).search(board.text))
    assert like("board.words.turn").search(theirs.text)


async def test_time_that_is_up_is_read_and_claimed_in_words(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    _, ben, *_ = running_bot.people
    await running_bot.play(board, A, E)
    theirs = await read(running_bot, ben)
    assert like("board.until").search(theirs.text)
    await running_bot.later(timedelta(minutes=5))
    await running_bot.sandbox.until(lambda: like("board.lapsed").search(board.text))
    await running_bot.press(ben, theirs, says("control.look_again"))
    assert like("board.lapsed").search(theirs.text)
    await running_bot.press(ben, theirs, says("control.claim"))
    await running_bot.sandbox.until(lambda: like("won.time").search(board.text))


async def test_a_finished_board_tells_its_end_and_has_nothing_to_play(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends()
    ann, *_ = running_bot.people
    mine = await read(running_bot, ann)
    await running_bot.play(board, A, E, B, (2, 2))
    await running_bot.press(ann, mine, says("control.look_again"))
    await running_bot.press(ann, mine, "c3")
    assert like("board.words.won").search(mine.text)
    assert like("won.played", emblem="❌", winner=ann.mention).match(mine.text)
    assert says("tictactoe.since", emblem="❌", cell="c3") in mine.text
    assert f"/{board.id}" in mine.text, "there a rematch can be asked for"
    ways = [*map(says, ("control.replay", "control.review", "control.share"))]
    assert [each.label for each in mine.buttons] == ways
    assert like("replay.start").search(
        (await running_bot.press(ann, mine, says("control.replay"))).message.text
    )


async def test_a_game_that_is_given_up_ends_in_words_with_the_last_move(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    await running_bot.play(board, A, E)
    mine = await read(running_bot, ann)
    await running_bot.resign(ben, board)
    await running_bot.press(ann, mine, says("control.look_again"))
    assert like("won.resigned").match(mine.text)
    assert says("since.turn", told=text("tictactoe.since", emblem="⭕", cell="c3")) in mine.text


async def test_ludo_is_rolled_and_moved_from_the_words(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.begun(running_bot.sandbox, (ann, ben))
    while not control(board, Action.ROLL) or f"{ann.id}" not in board.text.split("\n")[0]:
        await ludo.take(running_bot.sandbox, board, lambda offered: offered[0])
    mine = await read(running_bot, ann)
    before = board.text
    await running_bot.press(ann, mine, says("control.ludo.roll"))
    await running_bot.sandbox.until(lambda: board.text != before)
    assert piece("ludo.words.seat") in mine.text
    assert like("since.turn", "since.nothing").search(mine.text)


async def test_who_gave_the_dice_a_word_rolls_from_the_words_too(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, roll="hand")
    await running_bot.press(ben, board, says("control.join"))
    for person, word in ((ann, "apple"), (ben, "pear")):
        await say(running_bot.sandbox, person, board, word)
    await running_bot.press(ann, board, says("control.start"))
    mover = await running_bot.sandbox.until(lambda: ludo.mover(running_bot.sandbox, board))
    assert mover is not None
    assert says("control.ludo.roll") in ludo.labels(await read(running_bot, mover))


async def test_in_words_there_are_the_turns_and_the_players_by_colour(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.begun(running_bot.sandbox, (ann, ben))
    for _ in range(8):
        await ludo.take(running_bot.sandbox, board, lambda offered: offered[0])
    told = await read(running_bot, ann)
    asked = await ann.type(running_bot.games, "board", **{"as": "image"})
    seen = (await asked.answered()).message
    assert like("ludo.story.turn").search(seen.text)
    assert ben.mention in seen.text
    assert told.text.endswith(seen.text)


async def test_nobody_else_plays_from_somebodys_words(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    _, ben, cleo, _ = running_bot.people
    for person in (ben, cleo):
        assert squares(await read(running_bot, person, game="1")) == []
    number = board.buttons[0].custom_id.split(":")[1]
    forged = await ben.forge(board, f"p1:{number}:0:play-4").answered()
    assert piece("refusal.unknown_control") in await running_bot.sentence(forged)
    assert not marks(board)
