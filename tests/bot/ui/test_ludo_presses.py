"""Presses at a Ludo table that come together, twice, too late, or from the wrong person."""

from __future__ import annotations

import asyncio

import pytest

from bot.sandbox import Answer, Message
from tests.bot.english import like, says
from tests.bot.people import Person
from tests.bot.ui import fairness, ludo
from tests.bot.ui.conftest import House, Open
from tests.bot.ui.test_recovery import Gated


def link(board: Message) -> str:
    return f"/channels/{board.channel.guild_id}/{board.channel.id}/{board.id}"


def others(house: House, person: Person, players: int = 3) -> list[Person]:
    return [each for each in house.people[:players] if each is not person]


async def to_roll(house: House, players: int = 3) -> tuple[Message, Person]:
    """A board on which a person is to roll, and that person."""
    board = await ludo.begun(house.sandbox, house.people[:players], rules="quick")
    mover = ludo.mover(house.sandbox, board)
    assert mover is not None
    return board, mover


async def to_choose(house: House, players: int = 3) -> tuple[Message, Person]:
    """A board on which a person has rolled and has a choice, and that person."""
    board, _ = await to_roll(house, players)
    await ludo.until(house.sandbox, board, lambda: len(ludo.offers(board)) > 1)
    mover = ludo.mover(house.sandbox, board)
    assert mover is not None
    return board, mover


async def until_it_thinks(house: House, board: Message, thinker: Gated) -> None:
    """Plays Ann's turns until the computer has to think, which may begin the game."""
    ann = house.sandbox.person("Ann")
    thinking = asyncio.create_task(thinker.asked.wait())
    waiting: asyncio.Task[object] = asyncio.create_task(ludo.bound(house.sandbox, ann, board))
    while True:
        await asyncio.wait({thinking, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if thinking.done():
            waiting.cancel()
            return
        press = await ann.press(board, custom_id=ludo.offers(board)[0].custom_id)
        waiting = asyncio.create_task(press.answered())


async def rolled(house: House, board: Message) -> dict[int, int]:
    """The rolls of a game up to now, by ply; each is the one that its secret says."""
    table = await ludo.table_of(house, board)
    session, dice = table.session, table.dice
    assert dice is not None
    words = [""] * len(session.seats)
    shown = fairness.rolls(len(session.seats), session.options, session.moves)
    assert shown == {
        ply: fairness.due(dice.secret, fairness.label(table.id, board.id, words, ply))
        for ply in shown
    }
    return shown


async def test_who_presses_roll_twice_rolls_once(house: House) -> None:
    board, mover = await to_roll(house)
    before = await rolled(house, board)
    both = [
        await mover.press(board, says("control.ludo.roll")),
        await mover.press(board, says("control.ludo.roll")),
    ]
    first, second = [await press.answered() for press in both]
    assert first.response is Answer.UPDATE
    assert says("refusal.stale_control") in await house.sentence(second)
    assert len(await rolled(house, board)) == len(before) + 1


async def test_of_two_people_who_roll_at_once_the_one_whose_turn_it_is_rolls(house: House) -> None:
    board, mover = await to_roll(house)
    before = await rolled(house, board)
    both = [
        await other.press(board, says("control.ludo.roll"))
        for other in (*others(house, mover), mover)
    ]
    *early, due = [await press.answered() for press in both]
    assert {press.message.text for press in early} == {says("refusal.not_your_turn")}
    assert due.response is Answer.UPDATE
    assert len(await rolled(house, board)) == len(before) + 1


async def test_of_two_moves_pressed_at_once_one_is_played(house: House) -> None:
    board, mover = await to_choose(house)
    before = (await ludo.table_of(house, board)).session
    one, other, *_ = [offer.custom_id for offer in ludo.offers(board)]
    both = [await mover.press(board, custom_id=each) for each in (one, other)]
    first, second = [await press.answered() for press in both]
    assert first.response is Answer.UPDATE
    assert says("refusal.stale_control") in await house.sentence(second)
    after = (await ludo.table_of(house, board)).session
    assert after.moves[: before.ply + 1] == (*before.moves, int(one.rsplit("m")[-1]))


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (says("control.ludo.roll"), says("control.cancel")),
        (says("control.cancel"), says("control.ludo.roll")),
    ],
)
async def test_of_roll_and_cancel_pressed_at_once_the_first_counts(
    house: House, first: str, then: str
) -> None:
    board, mover = await to_roll(house, players=2)
    both = [await mover.press(board, first), await mover.press(board, then)]
    done, refused = [await press.answered() for press in both]
    assert done.response is Answer.UPDATE
    cancelled = first == says("control.cancel")
    assert bool(like("refusal.closed").search(await house.sentence(refused))) is cancelled
    assert (says("closed.cancelled") in board.text) is cancelled


async def test_a_press_on_a_former_board_of_an_earlier_ply_is_refused_with_a_link(
    house: House,
) -> None:
    board, mover = await to_roll(house)
    old = await ludo.forged(house, board, "roll")
    board = (await (await mover.type(house.games, "board")).answered()).message
    await house.press(mover, board, says("control.ludo.roll"))
    for person in house.people[:3]:
        told = await house.told(person, old, "roll")
        assert says("refusal.stale_control") in told
        assert link(board) in told


async def test_a_roll_delivered_again_changes_nothing(house: House) -> None:
    board, mover = await to_roll(house)
    before = await rolled(house, board)
    press = await mover.press(board, says("control.ludo.roll"))
    house.sandbox.redeliver(press)
    await press.answered()
    shown = board.text
    house.sandbox.redeliver(press)
    told = await ludo.forge(house, house.people[3], board, "roll")  # comes after the repetition
    assert like("refusal.not_at_table").search(told)
    assert board.text == shown
    assert len(await rolled(house, board)) == len(before) + 1
    assert not [message for message in mover.sees(house.games) if message.ephemeral]


async def test_who_does_not_play_is_told_so_and_where_to_begin_a_game(house: House) -> None:
    board, _ = await to_roll(house)
    told = await house.told(house.people[3], board, says("control.ludo.roll"))
    assert like("refusal.not_at_table").search(told)
    assert "</ludo:" in told


async def test_who_has_to_wait_is_told_so(house: House) -> None:
    board, mover = await to_choose(house)
    for other in others(house, mover):
        press = await other.press(board, custom_id=ludo.offers(board)[0].custom_id)
        assert (await press.answered()).message.text == says("refusal.not_your_turn")


@pytest.mark.parametrize(
    ("action", "sentence"),
    [("m9", says("refusal.illegal_move")), ("roll", says("refusal.not_your_turn"))],
)
async def test_what_the_board_does_not_offer_is_refused(
    house: House, action: str, sentence: str
) -> None:
    board, mover = await to_choose(house)
    shown = board.text
    assert sentence in await ludo.forge(house, mover, board, action)
    assert board.text == shown


async def test_nobody_rolls_or_moves_for_a_computer(open_house: Open) -> None:
    thinker = Gated()
    async with open_house(thinker=thinker) as house:
        ann, *_ = house.people
        typed = await ludo.typed(house.sandbox, ann, computers=1, level="expert", rules="quick")
        board = typed.message
        await until_it_thinks(house, board, thinker)
        ply = (await ludo.table_of(house, board)).session.ply
        for action in ("m0", "m1", "roll"):
            message = await ludo.forged(house, board, action, ply=ply)
            assert await house.told(ann, message, action) == says("refusal.not_your_turn")
        thinker.allowed.set()
        await house.sandbox.until(lambda: ludo.mover(house.sandbox, board) is ann)
