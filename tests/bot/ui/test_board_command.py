"""Boards again: as a message at the end of the channel, in words, as a picture."""

from __future__ import annotations

from io import BytesIO
from random import Random

import pytest
from PIL import Image

from bot.sandbox import Message, Permission
from bot.table.actions import Action
from bot.ui.render import MOST_ALTERNATIVE
from tests.bot.english import like, says
from tests.bot.people import Person, Value
from tests.bot.ui import ludo
from tests.bot.ui.conftest import House, control, marks


async def asked(house: House, person: Person, **options: Value) -> Message:
    """What `/board` answers in the channel."""
    return (await (await person.type(house.games, "board", **options)).answered()).message


async def prefer(house: House, person: Person, form: str) -> str:
    """What `/me board` answers."""
    typed = await person.type(house.games, "me board", **{"as": form})
    message = (await typed.answered()).message
    assert message.ephemeral
    return message.text


async def game(house: House, **options: Value) -> Message:
    """A board on which Ann and Ben have rolled a few times."""
    board = await ludo.begun(house.sandbox, house.people[:2], rules="quick", **options)
    for _ in range(6):
        await ludo.take(house.sandbox, board, Random(1).choice)
    return board


async def closer(person: Person, board: Message) -> Message:
    """*Picture* pressed, which is a sign without words beside many or long choices."""
    pressed = await person.press(board, custom_id=control(board, Action.VIEW))
    return (await pressed.answered()).message


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
    turn, red, yellow, *moves = text.split("\n")
    assert like("ludo.words.to_roll", "ludo.words.to_move").fullmatch(turn)
    assert red.startswith("Tokens of red: ")
    assert yellow.startswith("Tokens of yellow: ")
    assert len(moves) == bool(like("ludo.words.to_move").fullmatch(turn))


async def test_an_onlooker_sees_the_board_alone_and_it_stays_where_it_is(house: House) -> None:
    *_, dan = house.people
    board = await game(house)
    seen = await asked(house, dan)
    assert seen.ephemeral
    assert drawn(seen)
    assert board in dan.sees(house.games)


async def test_those_who_manage_the_server_move_a_board_of_others(house: House) -> None:
    *_, dan = house.people
    dan.grant(Permission.MANAGE_GUILD)
    board = await game(house)
    assert not (await asked(house, dan)).ephemeral
    await house.sandbox.until(lambda: board not in dan.sees(house.games))


async def test_the_board_comes_again_at_the_end_and_the_old_message_is_deleted(
    house: House,
) -> None:
    ann, _, cleo, _ = house.people
    board = await game(house)
    await cleo.say(house.games, "How is it going?")
    shown = board.text
    again = await asked(house, ann)
    assert ann.sees(house.games)[-1] is again
    assert not again.ephemeral
    assert again.pinged == frozenset()
    assert again.text == shown
    await house.sandbox.until(lambda: board not in ann.sees(house.games))
    before = again.text
    await ludo.take(house.sandbox, again, Random(1).choice)
    assert again.text != before


async def test_a_table_that_still_gathers_its_players_comes_again_too(house: House) -> None:
    ann, ben, *_ = house.people
    board = await ludo.opened(house.sandbox, ann, player2=ben)
    again = await asked(house, ann)
    assert again.pinged == frozenset()
    await house.sandbox.until(lambda: board not in ann.sees(house.games))
    await house.press(ben, again, says("control.join"))
    await house.press(ann, again, says("control.start"))
    assert ludo.mover(house.sandbox, again) is not None


async def test_a_press_on_a_message_that_the_board_has_left_counts_and_leads_there(
    house: House,
) -> None:
    board = await game(house)
    await ludo.until(house.sandbox, board, lambda: says("control.ludo.roll") in ludo.labels(board))
    mover = ludo.mover(house.sandbox, board)
    assert mover is not None
    old = await ludo.forged(house, board, "roll")
    again = (await (await mover.type(house.games, "board")).answered()).message
    assert again is not None
    board = again
    before = (await ludo.table_of(house, board)).session.ply
    shown = board.text
    pressed = await house.press(mover, old, "roll")
    assert pressed.message is old
    assert link(board) in old.text
    assert not old.buttons
    await house.sandbox.until(lambda: board.text != shown)
    assert (await ludo.table_of(house, board)).session.ply > before
    await ludo.take(house.sandbox, board, Random(1).choice)


async def test_the_board_is_told_in_words_to_one_reader(house: House) -> None:
    *_, dan = house.people
    board = await game(house)
    told = await asked(house, dan, **{"as": "words"})
    assert told.ephemeral
    assert_words(told.text)
    assert ludo.public(dan, house.games) == [board], "it has not moved"


async def test_the_board_is_drawn_for_one_reader_with_its_words_as_alternative(
    house: House,
) -> None:
    *_, dan = house.people
    board = await game(house)
    shown = await asked(house, dan, **{"as": "image"})
    assert shown.ephemeral
    assert drawn(shown)
    alternative = shown.attachments[0].description
    assert 0 < len(alternative) <= MOST_ALTERNATIVE
    assert_words(alternative)
    assert alternative == (await asked(house, dan, **{"as": "words"})).text
    assert ludo.public(dan, house.games) == [board], "it has not moved"


@pytest.mark.parametrize("form", ["words", "image"])
async def test_before_the_game_there_is_only_to_say_that_it_has_not_begun(
    house: House, form: str
) -> None:
    ann, *_ = house.people
    await ludo.opened(house.sandbox, ann)
    told = await asked(house, ann, **{"as": form})
    assert told.text == says("board.not_begun")
    assert not told.attachments


async def test_people_choose_how_boards_are_shown_to_them(house: House) -> None:
    ann, ben, *_ = house.people
    board = await game(house)
    assert drawn(await closer(ann, board))
    assert like("me.board.words").search(await prefer(house, ann, "words"))
    assert_words((await asked(house, ann)).text)
    assert_words((await closer(ann, board)).text)
    assert drawn(await closer(ben, board))
    assert like("me.board.image").search(await prefer(house, ann, "image"))
    assert drawn(await asked(house, ann))
    assert like("me.board.message").search(await prefer(house, ann, "message"))
    assert not (await asked(house, ann)).ephemeral


async def test_how_boards_are_shown_can_be_chosen_otherwise_once(house: House) -> None:
    ann, *_ = house.people
    await game(house)
    await prefer(house, ann, "words")
    assert drawn(await asked(house, ann, **{"as": "image"}))
    assert not (await asked(house, ann, **{"as": "message"})).ephemeral


async def test_a_finished_board_is_looked_at_closely(house: House) -> None:
    ann, *_ = house.people
    board = await game(house)
    await house.resign(ann, board)
    shown = (await house.press(ann, board, says("control.view"))).message
    assert drawn(shown)
    assert says("ludo.words.over") in shown.attachments[0].description


async def test_tic_tac_toe_is_told_and_drawn_too(house: House) -> None:
    board = await house.friends()
    ann, *_ = house.people
    await house.mark(ann, board, (1, 1))
    assert "Row 2: empty, X, empty." in (await asked(house, ann, **{"as": "words"})).text
    assert drawn(await asked(house, ann, **{"as": "image"}))
    again = await asked(house, ann)
    await house.sandbox.until(lambda: board not in ann.sees(house.games))
    assert len(marks(again)) == 1


async def test_the_games_of_the_channel_are_suggested_and_the_one_chosen_is_shown(
    house: House,
) -> None:
    ann, ben, cleo, dan = house.people
    first = await ludo.opened(house.sandbox, ann, player2=ben, rules="damascus")
    second = await house.opened(cleo, opponent=dan, size=4)
    await ann.type(ann.dm, "ludo", computers=1)
    offered = await ben.complete(house.games, "board", "game", "")
    assert [choice.name.partition(" · ")[2] for choice in offered] == [
        "Tic-tac-toe · 4x4, 4 in a row wins",
        "Ludo · Damascus",
    ]
    [ludo_game] = await ben.complete(house.games, "board", "game", "dama")
    assert ludo_game in offered
    assert not await ben.complete(house.games, "board", "game", "chess")
    seen = await asked(house, dan, game=ludo_game.value)
    assert seen.ephemeral
    assert says("preset.ludo.damascus") in seen.text
    assert not seen.controls
    assert first in dan.sees(house.games)
    assert like("lobby.challenge").search(second.text)


async def test_without_a_choice_ones_own_game_comes_before_the_latest(house: House) -> None:
    ann, ben, cleo, dan = house.people
    await ludo.opened(house.sandbox, ann, player2=ben)
    await house.opened(cleo, opponent=dan)
    assert "**Ludo**" in (await asked(house, ann)).text
    assert "**Tic-tac-toe**" in (await asked(house, dan)).text


@pytest.mark.parametrize("options", [{}, {"game": "77"}, {"game": "no number"}, {"game": "²"}])
async def test_where_no_such_game_runs_a_sentence_says_so(
    house: House, options: dict[str, str]
) -> None:
    ann, *_ = house.people
    told = await asked(house, ann, **options)
    assert told.ephemeral
    assert like("refusal.no_game_here").search(told.text)


async def test_games_of_other_channels_are_not_shown(house: House) -> None:
    ann, *_ = house.people
    board = await game(house)
    lounge = house.sandbox.channel("lounge")
    number = str(ludo.number_of(board))
    for options in ({}, {"game": number}):
        answered = await (await ann.type(lounge, "board", **options)).answered()
        assert like("refusal.no_game_here").search(answered.message.text)
