"""Presses on boards that have just changed: nothing is pressed that was not there before."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Final, cast

import discord

from bot.sandbox import Message
from bot.table.actions import Action
from bot.table.session import Phase, SessionId
from bot.ui.custom_ids import board_id
from bot.ui.door import Slips
from tests.bot.english import says
from tests.bot.people import Person
from tests.bot.ui import ludo
from tests.bot.ui.conftest import A, E, Open, RunningBot, control, marks
from tests.bot.ui.scripted_dice import ScriptedDice
from tests.bot.ui.test_boards_in_words import read

ENDLESS: Final = 3_600.0
"""Seconds in which a board does not settle, however slow the machine is."""


async def test_a_second_tap_on_roll_plays_no_move_and_asks_for_no_hint(
    open_bot: Open, dice: ScriptedDice
) -> None:
    async with open_bot(settling=ENDLESS) as running_bot:
        sandbox, ann, ben = running_bot.sandbox, *running_bot.people[:2]
        dice.fall(6, 1)
        board = await ludo.begun(sandbox, (ann, ben))
        await ludo.until(sandbox, board, lambda: ludo.mover(sandbox, board) is ann)
        dice.fall(6, 6)
        await ludo.press(ann, board, says("control.ludo.roll"))
        ply, edits = ludo.ply_of(board), board.edits
        assert ludo.offers(board)
        for button in board.buttons:
            if button.custom_id.split(":")[-1] != Action.MORE:
                pressed = await (await ann.press(board, custom_id=button.custom_id)).answered()
                assert pressed.message is board, "nothing is said"
        assert (ludo.ply_of(board), board.edits) == (ply, edits)


async def test_a_square_that_was_there_before_is_played_at_once(open_bot: Open) -> None:
    async with open_bot(settling=ENDLESS) as running_bot:
        ann, ben, *_ = running_bot.people
        board = await running_bot.friends()
        await running_bot.mark(ann, board, (1, 1))
        await running_bot.mark(ben, board, (0, 0))
        assert marks(board) == {(1, 1): "❌", (0, 0): "⭕"}


async def about_to_choose(running_bot: RunningBot, dice: ScriptedDice) -> Message:
    """A board of Ludo on which Ann has rolled a six in words, and will choose after another."""
    ann, ben, *_ = running_bot.people
    dice.fall(6, 1)
    board = await ludo.begun(running_bot.sandbox, (ann, ben))
    dice.fall(6, 6)
    await roll_in_words(running_bot, ann)
    assert control(board, Action.ROLL)
    return board


async def roll_in_words(running_bot: RunningBot, person: Person) -> None:
    """A roll from a new board in words, after which the board for all is drawn."""
    mine = await read(running_bot, person)
    await running_bot.done(await running_bot.press(person, mine, says("control.ludo.roll")))


async def tapped_in_vain(running_bot: RunningBot, person: Person, board: Message) -> None:
    """A tap on a move that the board offers, which plays nothing."""
    ply = ludo.ply_of(board)
    assert not control(board, Action.ROLL)
    pressed = await person.press(board, custom_id=ludo.offers(board)[0].custom_id)
    await running_bot.done(pressed)
    assert ludo.ply_of(board) == ply


async def test_what_a_panel_brings_onto_the_board_is_not_pressed_at_once(
    open_bot: Open, dice: ScriptedDice
) -> None:
    async with open_bot(settling=ENDLESS) as running_bot:
        board, ann = await about_to_choose(running_bot, dice), running_bot.people[0]
        await running_bot.done(await running_bot.press(ann, board, says("control.auto_roll.on")))
        await tapped_in_vain(running_bot, ann, board)


async def test_what_a_move_in_words_brings_onto_the_board_is_not_pressed_at_once(
    open_bot: Open, dice: ScriptedDice
) -> None:
    async with open_bot(settling=ENDLESS) as running_bot:
        board, ann = await about_to_choose(running_bot, dice), running_bot.people[0]
        await roll_in_words(running_bot, ann)
        await tapped_in_vain(running_bot, ann, board)


async def test_a_second_tap_in_a_panel_switches_nothing_back(open_bot: Open) -> None:
    async with open_bot(settling=ENDLESS) as running_bot:
        ann, ben, *_ = running_bot.people
        panel = await running_bot.more(ann, await ludo.begun(running_bot.sandbox, (ann, ben)))
        await running_bot.done(await ann.press(panel, says("control.auto_roll.on")))
        await running_bot.done(await ann.press(panel, says("control.auto_roll.off")))
        assert says("control.auto_roll.off") in ludo.labels(panel)


async def test_what_time_brings_onto_the_board_is_not_pressed_at_once(open_bot: Open) -> None:
    async with open_bot(settling=ENDLESS) as running_bot:
        _, ben, *_ = running_bot.people
        board = await running_bot.friends()
        await running_bot.later(timedelta(minutes=5))
        await running_bot.clock.waited_for()
        await running_bot.done(await ben.press(board, custom_id=control(board, Action.CLAIM)))
        assert (await running_bot.session(board)).phase is Phase.RUNNING


async def test_a_square_that_was_there_before_is_played_whoever_has_drawn_the_board(
    open_bot: Open,
) -> None:
    async with open_bot(settling=ENDLESS) as running_bot:
        ann, ben, *_ = running_bot.people
        board = await running_bot.friends()
        mine = await read(running_bot, ann)
        await running_bot.done(await running_bot.press(ann, mine, "b2"))
        await running_bot.mark(ben, board, A)
        assert marks(board) == {A: "⭕", E: "❌"}


async def test_a_board_that_has_settled_takes_every_press(
    open_bot: Open, dice: ScriptedDice
) -> None:
    async with open_bot() as running_bot:
        sandbox, ann, ben = running_bot.sandbox, *running_bot.people[:2]
        dice.fall(6, 1)
        board = await ludo.begun(sandbox, (ann, ben))
        dice.fall(6, 6, 2)
        await ludo.press(ann, board, says("control.ludo.roll"))
        ply = ludo.ply_of(board)
        await ann.press(board, custom_id=ludo.offers(board)[0].custom_id)
        await sandbox.until(lambda: ludo.ply_of(board) > ply)
        assert control(board, Action.MORE)


def drawn(*rows: tuple[str, ...]) -> discord.Message:
    """A board with these words on its buttons, from the first row."""
    lines = [
        {
            "type": 1,
            "components": [
                {"type": 2, "style": 2, "label": word, "custom_id": board_id(SessionId(1), 7, word)}
                for word in row
            ],
        }
        for row in rows
    ]
    components = [
        discord.ActionRow(cast("discord.types.components.ActionRow", each)) for each in lines
    ]
    return cast("discord.Message", SimpleNamespace(id=1, components=components))


async def test_a_second_tap_on_a_third_token_plays_none_that_has_come_there() -> None:
    """Two lines of moves become one, which stands where the second one stood."""
    slips = Slips(ENDLESS)
    slips.changed(drawn(("m0", "m1"), ("m2",), ("more", "hint")), "m2")
    after = drawn(("m0", "m1"), ("more", "hint"))
    assert slips.is_one(after, "m0")
    assert slips.is_one(after, "m1")


async def test_a_move_that_stays_where_it_was_can_be_pressed_at_once() -> None:
    slips = Slips(ENDLESS)
    slips.changed(drawn(("m0", "m1"), ("more", "hint")), "m1")
    after = drawn(("m0", "m2"), ("more", "hint"))
    assert not slips.is_one(after, "m0")
    assert slips.is_one(after, "m2")
