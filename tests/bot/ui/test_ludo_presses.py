"""Presses at a Ludo table that come together, twice, too late, or from the wrong person."""

from __future__ import annotations

import asyncio

import pytest

from bot.sandbox import Message
from tests.bot.english import like, says
from tests.bot.people import Person
from tests.bot.thinkers import Gated
from tests.bot.ui import fairness, ludo
from tests.bot.ui.conftest import UPDATES, Open, RunningBot
from tests.bot.ui.scripted_dice import ScriptedDice


def link(board: Message) -> str:
    return f"/channels/{board.channel.guild_id}/{board.channel.id}/{board.id}"


def others(running_bot: RunningBot, person: Person, players: int = 3) -> list[Person]:
    return [each for each in running_bot.people[:players] if each is not person]


async def to_roll(running_bot: RunningBot, players: int = 3) -> tuple[Message, Person]:
    """A board on which a person is to roll, and that person."""
    board = await ludo.begun(running_bot.sandbox, running_bot.people[:players], rules="quick")
    mover = ludo.mover(running_bot.sandbox, board)
    assert mover is not None
    return board, mover


async def to_choose(running_bot: RunningBot, players: int = 3) -> tuple[Message, Person]:
    """A board on which a person has rolled and has a choice, and that person."""
    board, _ = await to_roll(running_bot, players)
    await ludo.until(running_bot.sandbox, board, lambda: len(ludo.offers(board)) > 1)
    mover = ludo.mover(running_bot.sandbox, board)
    assert mover is not None
    return board, mover


async def until_it_thinks(running_bot: RunningBot, board: Message, thinker: Gated) -> None:
    """Plays Ann's turns until the computer has to think, which may begin the game."""
    ann = running_bot.sandbox.person("Ann")
    thinking = asyncio.create_task(thinker.asked.wait())
    waiting: asyncio.Task[object] = asyncio.create_task(ludo.bound(running_bot.sandbox, board))
    while True:
        await asyncio.wait({thinking, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if thinking.done():
            waiting.cancel()
            return
        press = await ann.press(board, custom_id=ludo.offers(board)[0].custom_id)
        waiting = asyncio.create_task(press.answered())


async def rolled(running_bot: RunningBot, board: Message) -> dict[int, int]:
    """The rolls of a game up to now, by ply; each is the one that its secret says."""
    table = await ludo.table_of(running_bot, board)
    session, dice = table.session, table.dice
    assert dice is not None
    shown = fairness.rolls(len(session.seats), session.options, session.moves)
    assert shown == {
        ply: fairness.due(dice.secret, fairness.label(table.id, board.id, [], ply)) for ply in shown
    }
    return shown


async def test_who_presses_roll_twice_rolls_once(running_bot: RunningBot) -> None:
    board, mover = await to_roll(running_bot)
    before = await rolled(running_bot, board)
    both = [
        await mover.press(board, says("control.ludo.roll")),
        await mover.press(board, says("control.ludo.roll")),
    ]
    first, second = [await press.answered() for press in both]
    assert first.response in UPDATES
    assert says("refusal.stale_control") in await running_bot.sentence(second)
    assert len(await rolled(running_bot, board)) == len(before) + 1


async def test_of_two_people_who_roll_at_once_the_one_whose_turn_it_is_rolls(
    running_bot: RunningBot,
) -> None:
    board, mover = await to_roll(running_bot)
    before = await rolled(running_bot, board)
    both = [
        await other.press(board, says("control.ludo.roll"))
        for other in (*others(running_bot, mover), mover)
    ]
    *early, due = [await press.answered() for press in both]
    assert {press.message.text for press in early} == {says("refusal.not_your_turn")}
    assert due.response in UPDATES
    assert len(await rolled(running_bot, board)) == len(before) + 1


async def test_of_two_moves_pressed_at_once_one_is_played(running_bot: RunningBot) -> None:
    board, mover = await to_choose(running_bot)
    before = (await ludo.table_of(running_bot, board)).session
    one, other, *_ = [offer.custom_id for offer in ludo.offers(board)]
    both = [await mover.press(board, custom_id=each) for each in (one, other)]
    first, second = [await press.answered() for press in both]
    assert first.response in UPDATES
    assert says("refusal.stale_control") in await running_bot.sentence(second)
    after = (await ludo.table_of(running_bot, board)).session
    assert after.moves[: before.ply + 1] == (*before.moves, int(one.rsplit("m")[-1]))


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (says("control.ludo.roll"), says("control.cancel")),
        (says("control.cancel"), says("control.ludo.roll")),
    ],
)
async def test_of_roll_and_cancel_pressed_at_once_the_first_counts(
    running_bot: RunningBot, first: str, then: str
) -> None:
    board, mover = await to_roll(running_bot, players=2)
    more = await running_bot.more(mover, board)
    both = [
        await mover.press(more if each == says("control.cancel") else board, each)
        for each in (first, then)
    ]
    done, refused = [await press.answered() for press in both]
    assert done.response in UPDATES
    cancelled = first == says("control.cancel")
    assert bool(like("refusal.closed").search(await running_bot.sentence(refused))) is cancelled
    if cancelled:
        await running_bot.sandbox.until(lambda: says("closed.cancelled") in board.text)
    else:
        assert says("closed.cancelled") not in board.text


async def test_a_press_on_a_former_board_of_an_earlier_ply_is_refused_with_a_link(
    running_bot: RunningBot,
) -> None:
    board, mover = await to_roll(running_bot)
    old = await ludo.forged(running_bot, board, "roll")
    board = (await (await mover.type(running_bot.games, "board")).answered()).message
    await running_bot.press(mover, board, says("control.ludo.roll"))
    for person in running_bot.people[:3]:
        told = await running_bot.told(person, old, "roll")
        assert says("refusal.stale_control") in told
        assert link(board) in told


async def test_a_roll_delivered_again_changes_nothing(running_bot: RunningBot) -> None:
    board, mover = await to_roll(running_bot)
    before = await rolled(running_bot, board)
    press = await mover.press(board, says("control.ludo.roll"))
    running_bot.sandbox.redeliver(press)
    await press.answered()
    shown = board.text
    running_bot.sandbox.redeliver(press)
    told = await ludo.forge(
        running_bot, running_bot.people[3], board, "roll"
    )  # comes after the repetition
    assert like("refusal.not_at_table").search(told)
    assert board.text == shown
    assert len(await rolled(running_bot, board)) == len(before) + 1
    assert not [message for message in mover.sees(running_bot.games) if message.ephemeral]


async def test_who_does_not_play_is_told_so_and_where_to_begin_a_game(
    running_bot: RunningBot,
) -> None:
    board, _ = await to_roll(running_bot)
    told = await running_bot.told(running_bot.people[3], board, says("control.ludo.roll"))
    assert like("refusal.not_at_table").search(told)
    assert "</ludo:" in told


async def test_who_has_to_wait_is_told_so(running_bot: RunningBot) -> None:
    board, mover = await to_choose(running_bot)
    for other in others(running_bot, mover):
        press = await other.press(board, custom_id=ludo.offers(board)[0].custom_id)
        assert (await press.answered()).message.text == says("refusal.not_your_turn")


@pytest.mark.parametrize(
    ("action", "sentence"),
    [("m9", says("refusal.illegal_move")), ("roll", says("refusal.not_your_turn"))],
)
async def test_what_the_board_does_not_offer_is_refused(
    running_bot: RunningBot, action: str, sentence: str
) -> None:
    board, mover = await to_choose(running_bot)
    shown = board.text
    assert sentence in await ludo.forge(running_bot, mover, board, action)
    assert board.text == shown


async def test_nobody_rolls_or_moves_for_a_computer(open_bot: Open, dice: ScriptedDice) -> None:
    dice.fall(2, 6, 6, 2, 3)  # Ann has no move, the computer a choice, then it is Ann's turn
    thinker = Gated()
    async with open_bot(thinker=thinker) as running_bot:
        ann, *_ = running_bot.people
        typed = await ludo.typed(
            running_bot.sandbox, ann, computers=1, level="expert", rules="quick"
        )
        board = typed.message
        await until_it_thinks(running_bot, board, thinker)
        ply = (await ludo.table_of(running_bot, board)).session.ply
        for action in ("m0", "m1", "roll"):
            message = await ludo.forged(running_bot, board, action, ply=ply)
            assert await running_bot.told(ann, message, action) == says("refusal.not_your_turn")
        thinker.allowed.set()
        sandbox = running_bot.sandbox  # where a newer message with a control may be the board now
        await sandbox.until(
            lambda: any(ludo.mover(sandbox, each) is ann for each in ann.sees(board.channel))
        )
