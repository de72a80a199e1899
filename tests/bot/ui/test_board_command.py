"""Boards again: as a message at the end of the channel, in words, as a picture."""

from __future__ import annotations

from io import BytesIO
from random import choice

import pytest
from PIL import Image

from bot.sandbox import Message, Permission
from bot.ui.render import MOST_ALTERNATIVE
from tests.bot.english import like, says
from tests.bot.people import Person, Value
from tests.bot.ui import ludo, panels
from tests.bot.ui.conftest import RunningBot, marks
from tests.bot.ui.crowd import Requests


async def asked(running_bot: RunningBot, person: Person, **options: Value) -> Message:
    """The answer to `/board` in the channel."""
    return (await (await person.type(running_bot.games, "board", **options)).answered()).message


async def prefer(running_bot: RunningBot, person: Person, form: str) -> Message:
    """The panel of `/me` after a form was chosen there."""
    return await panels.choose(running_bot, person, "me boards", form)


async def game(running_bot: RunningBot, **options: Value) -> Message:
    """A board on which Ann and Ben have rolled a few times."""
    board = await ludo.begun(running_bot.sandbox, running_bot.people[:2], rules="quick", **options)
    for _ in range(6):
        await ludo.take(running_bot.sandbox, board, choice)
    return board


def link(board: Message) -> str:
    return f"https://discord.com/channels/{board.channel.guild_id}/{board.channel.id}/{board.id}"


def drawn(message: Message) -> bool:
    """Whether a message has a picture that can be read, and not too small for a phone."""
    [file] = message.attachments
    with Image.open(BytesIO(file.data)) as image:
        image.load()
        return file.content_type == "image/png" and image.height >= image.width >= 360


def assert_words(text: str) -> None:
    """The words of a running game of Ann and Ben: first the turn, then seat by seat."""
    begin = like("ludo.words.to_roll", "ludo.words.to_move").search(text)
    assert begin is not None
    turn, red, yellow, *others = text[begin.start() :].split("\n")
    moves = [line for line in others if like("ludo.words.moves").fullmatch(line)]
    assert like("ludo.words.to_roll", "ludo.words.to_move").fullmatch(turn)
    for seat, colour in ((red, "red"), (yellow, "yellow")):
        assert like("ludo.words.seat", colour=says(f"side.{colour}")).fullmatch(seat)
    assert len(moves) == bool(like("ludo.words.to_move").fullmatch(turn))


async def test_an_onlooker_sees_the_board_alone_and_it_stays_where_it_is(
    running_bot: RunningBot,
) -> None:
    *_, dan = running_bot.people
    board = await game(running_bot)
    seen = await asked(running_bot, dan)
    assert seen.ephemeral
    assert drawn(seen)
    assert board in dan.sees(running_bot.games)


async def test_those_who_manage_the_server_move_a_board_of_others(running_bot: RunningBot) -> None:
    *_, dan = running_bot.people
    dan.grant(Permission.MANAGE_GUILD)
    board = await game(running_bot)
    assert not (await asked(running_bot, dan)).ephemeral
    await running_bot.sandbox.until(lambda: board not in dan.sees(running_bot.games))


async def test_the_board_comes_again_at_the_end_and_the_old_message_is_deleted(
    running_bot: RunningBot,
) -> None:
    ann, _, cleo, _ = running_bot.people
    board = await game(running_bot)
    await cleo.say(running_bot.games, "How is it going?")
    shown = board.text
    again = await asked(running_bot, ann)
    assert ann.sees(running_bot.games)[-1] is again
    assert not again.ephemeral
    assert again.pinged == frozenset()
    assert again.text == shown
    await running_bot.sandbox.until(lambda: board not in ann.sees(running_bot.games))
    before = again.text
    await ludo.take(running_bot.sandbox, again, choice)
    assert again.text != before


async def test_an_old_message_that_the_bot_may_not_delete_goes_once_it_may(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    sandbox, games = running_bot.sandbox, running_bot.games
    board = await game(running_bot)
    sandbox.deny(games, Permission.VIEW_CHANNEL)
    deletions = Requests("DELETE", "/channels/{channel_id}/messages/{message_id}")
    sandbox.observe(deletions)
    again = await asked(running_bot, ann)
    await sandbox.until(lambda: 403 in deletions.statuses)
    assert {board, again} <= {*ann.sees(games)}
    sandbox.deny(games)
    await sandbox.until(lambda: board not in ann.sees(games))
    assert again in ann.sees(games)


async def test_a_table_that_still_gathers_its_players_comes_again_too(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben)
    again = await asked(running_bot, ann)
    assert again.pinged == frozenset()
    await running_bot.sandbox.until(lambda: board not in ann.sees(running_bot.games))
    await running_bot.press(ben, again, says("control.join"))
    await running_bot.press(ann, again, says("control.start"))
    assert ludo.mover(running_bot.sandbox, again) is not None


async def test_a_press_on_a_message_that_the_board_has_left_counts_and_leads_there(
    running_bot: RunningBot,
) -> None:
    board = await game(running_bot)
    await ludo.until(
        running_bot.sandbox, board, lambda: says("control.ludo.roll") in ludo.labels(board)
    )
    mover = ludo.mover(running_bot.sandbox, board)
    assert mover is not None
    old = await ludo.forged(running_bot, board, "roll")
    again = (await (await mover.type(running_bot.games, "board")).answered()).message
    assert again is not None
    board = again
    before = (await ludo.table_of(running_bot, board)).session.ply
    shown = board.text
    pressed = await running_bot.press(mover, old, "roll")
    assert pressed.message is old
    assert link(board) in old.text
    assert not old.buttons
    await running_bot.sandbox.until(lambda: board.text != shown)
    assert (await ludo.table_of(running_bot, board)).session.ply > before
    await ludo.take(running_bot.sandbox, board, choice)


async def test_the_board_is_told_in_words_to_one_reader(running_bot: RunningBot) -> None:
    *_, dan = running_bot.people
    board = await game(running_bot)
    told = await asked(running_bot, dan, **{"as": "words"})
    assert told.ephemeral
    assert_words(told.text)
    assert ludo.public(dan, running_bot.games) == [board], "it has not moved"


async def test_the_board_is_drawn_for_one_reader_with_its_words_as_alternative(
    running_bot: RunningBot,
) -> None:
    *_, dan = running_bot.people
    board = await game(running_bot)
    shown = await asked(running_bot, dan, **{"as": "image"})
    assert shown.ephemeral
    assert drawn(shown)
    alternative = shown.attachments[0].description
    assert 0 < len(alternative) <= MOST_ALTERNATIVE
    assert_words(alternative)
    assert alternative in (await asked(running_bot, dan, **{"as": "words"})).text
    assert ludo.public(dan, running_bot.games) == [board], "it has not moved"


@pytest.mark.parametrize("form", ["words", "image"])
async def test_before_the_game_there_is_what_the_board_says_and_the_way_to_join(
    running_bot: RunningBot, form: str
) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann)
    told = await asked(running_bot, ben, **{"as": form})
    assert told.ephemeral
    assert told.text == f"{board.text}\n{says('refusal.board_moved', link=link(board))}"
    assert not told.attachments


async def test_people_choose_how_boards_are_shown_to_them(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await game(running_bot)
    assert drawn((await running_bot.press(ann, board, says("control.view"))).message)
    await prefer(running_bot, ann, "words")
    assert_words((await asked(running_bot, ann)).text)
    assert_words((await running_bot.press(ann, board, says("control.view"))).message.text)
    assert drawn((await running_bot.press(ben, board, says("control.view"))).message)
    await prefer(running_bot, ann, "image")
    assert drawn(await asked(running_bot, ann))
    await prefer(running_bot, ann, "message")
    assert not (await asked(running_bot, ann)).ephemeral


async def test_how_boards_are_shown_can_be_chosen_otherwise_once(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    await game(running_bot)
    await prefer(running_bot, ann, "words")
    assert drawn(await asked(running_bot, ann, **{"as": "image"}))
    assert not (await asked(running_bot, ann, **{"as": "message"})).ephemeral


async def test_a_finished_board_is_looked_at_closely(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await game(running_bot)
    await running_bot.resign(ann, board)
    shown = (await running_bot.press(ann, board, says("control.view"))).message
    assert drawn(shown)
    assert says("board.words.over") in shown.attachments[0].description


async def test_tic_tac_toe_is_told_and_drawn_too(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    ann, *_ = running_bot.people
    await running_bot.mark(ann, board, (1, 1))
    none, x = says("board.words.empty"), says("side.x")
    row = says("tictactoe.words.row", number="2", cells=f"a2 {none}, b2 {x}, c2 {none}")
    assert row in (await asked(running_bot, ann, **{"as": "words"})).text
    assert drawn(await asked(running_bot, ann, **{"as": "image"}))
    again = await asked(running_bot, ann)
    await running_bot.sandbox.until(lambda: board not in ann.sees(running_bot.games))
    assert len(marks(again)) == 1


async def test_the_games_of_the_channel_are_suggested_and_the_one_chosen_is_shown(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, dan = running_bot.people
    first = await ludo.opened(running_bot.sandbox, ann, player2=ben, rules="damascus")
    second = await running_bot.opened(cleo, opponent=dan, size=4)
    await ann.type(ann.dm, "ludo", computers=1)
    offered = await ben.complete(running_bot.games, "board", "game", "")
    assert [choice.name.partition(" · ")[2] for choice in offered] == [
        f"{says('game.tictactoe')} · {says('board.in_a_row', size='4x4', line='4')}",
        f"{says('game.ludo')} · {says('preset.ludo.damascus')}",
    ]
    [ludo_game] = await ben.complete(
        running_bot.games, "board", "game", says("preset.ludo.damascus")
    )
    assert ludo_game in offered
    assert not await ben.complete(running_bot.games, "board", "game", "chess")
    seen = await asked(running_bot, dan, game=ludo_game.value)
    assert seen.ephemeral
    assert says("preset.ludo.damascus") in seen.text
    assert not seen.controls
    assert first in dan.sees(running_bot.games)
    assert like("lobby.challenge").search(second.text)


async def test_without_a_choice_ones_own_game_comes_before_the_latest(
    running_bot: RunningBot,
) -> None:
    ann, ben, cleo, dan = running_bot.people
    await ludo.opened(running_bot.sandbox, ann, player2=ben)
    await running_bot.opened(cleo, opponent=dan)
    assert f"**{says('game.ludo')}**" in (await asked(running_bot, ann)).text
    assert f"**{says('game.tictactoe')}**" in (await asked(running_bot, dan)).text


@pytest.mark.parametrize("options", [{"game": "77"}, {"game": "no number"}, {"game": "²"}])
async def test_where_no_such_game_runs_a_sentence_says_so(
    running_bot: RunningBot, options: dict[str, str]
) -> None:
    ann, *_ = running_bot.people
    told = await asked(running_bot, ann, **options)
    assert told.ephemeral
    assert like("refusal.no_game_here").search(told.text)


async def test_games_of_other_channels_are_not_shown(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await game(running_bot)
    lounge = running_bot.sandbox.channel("lounge")
    number = str(ludo.number_of(board))
    assert like("refusal.no_games_here").search(await running_bot.say(ann, "board", lounge))
    assert like("refusal.no_game_here").search(
        await running_bot.say(ann, "board", lounge, game=number)
    )
