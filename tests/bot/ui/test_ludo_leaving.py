"""Leaving a Ludo table and coming back, running out of time, and playing again."""

from __future__ import annotations

import re
from datetime import timedelta
from random import Random

import pytest

from bot.games.ludo.board.spots import colour_of
from bot.sandbox import Message
from bot.screens.board import AWAY
from bot.table.ending import close_alone
from bot.table.seats import Absent, Human, Level
from bot.table.session import Ending
from engine.game import Seat
from tests.bot.english import like, says
from tests.bot.kit import at_random, new_game
from tests.bot.people import Person
from tests.bot.ui import ludo
from tests.bot.ui.conftest import RunningBot
from tests.bot.ui.finished import store

BACK = says("control.come_back")


async def three(running_bot: RunningBot) -> Message:
    """A board on which Ann, Ben and Cleo play."""
    return await ludo.begun(running_bot.sandbox, running_bot.people[:3], rules="quick")


def away(board: Message, person: Person) -> bool:
    """Whether the message says that the computer plays for one of three."""
    seat = ("Ann", "Ben", "Cleo").index(person.name)
    sign = colour_of(3, Seat(seat)).emblem.fallback
    return re.search(rf"{sign} \S+ {AWAY}", board.text) is not None


def mover_of(running_bot: RunningBot, board: Message) -> Person:
    """The person to move."""
    mover = ludo.mover(running_bot.sandbox, board)
    assert mover is not None, board.text
    return mover


async def times_out(running_bot: RunningBot, board: Message) -> Person:
    """Lets the time for a turn pass, and gives whose turn it was."""
    mover = mover_of(running_bot, board)
    await running_bot.later(timedelta(minutes=5))
    return mover


async def test_who_resigns_at_a_table_of_three_hands_the_seat_over_and_takes_it_back(
    running_bot: RunningBot,
) -> None:
    board = await three(running_bot)
    ann, ben, _, dan = running_bot.people
    assert BACK not in ludo.labels(board)
    await running_bot.resign(ann, board)
    assert away(board, ann)
    assert ludo.mover(running_bot.sandbox, board) is not ann
    assert says("refusal.seat_handed_over") in await running_bot.told(
        ann, board, says("control.ludo.roll")
    )
    for other in (ben, dan):
        assert like("refusal.not_handed_over").search(await running_bot.told(other, board, BACK))
    first = mover_of(running_bot, board)
    await ludo.until(running_bot.sandbox, board, lambda: mover_of(running_bot, board) is not first)
    await running_bot.press(ann, board, BACK)
    assert not away(board, ann)
    assert BACK not in ludo.labels(board)
    await ludo.until(
        running_bot.sandbox, board, lambda: ludo.mover(running_bot.sandbox, board) is ann
    )
    await running_bot.press(ann, board, says("control.ludo.roll"))


async def test_whose_time_is_up_at_a_table_of_three_is_played_for_until_coming_back(
    running_bot: RunningBot,
) -> None:
    board = await three(running_bot)
    mover = await times_out(running_bot, board)
    await running_bot.sandbox.until(lambda: away(board, mover))
    assert says("control.claim") not in ludo.labels(board)
    assert ludo.mover(running_bot.sandbox, board) not in {None, mover}
    await running_bot.press(mover, board, BACK)
    await ludo.until(
        running_bot.sandbox, board, lambda: ludo.mover(running_bot.sandbox, board) is mover
    )
    await running_bot.press(mover, board, says("control.ludo.roll"))


async def test_two_run_out_of_time_and_the_last_is_waited_for(running_bot: RunningBot) -> None:
    board = await three(running_bot)
    assert like("board.until").search(board.text)
    first = await times_out(running_bot, board)
    await running_bot.sandbox.until(lambda: away(board, first))
    second = await times_out(running_bot, board)
    await running_bot.sandbox.until(lambda: away(board, second))
    last = mover_of(running_bot, board)
    assert last not in {first, second}
    assert not like("board.until").search(board.text)
    await running_bot.later(timedelta(days=1))
    await running_bot.press(last, board, says("control.ludo.roll"))
    assert not away(board, last)


async def test_the_last_person_who_leaves_ends_the_game(running_bot: RunningBot) -> None:
    board = await three(running_bot)
    ann, ben, cleo, _ = running_bot.people
    for person in (ben, ann):
        await running_bot.resign(person, board)
    assert not ludo.over(board)
    await running_bot.resign(cleo, board)
    assert says("everybody_left") in board.text
    assert ludo.secret_in(await ludo.proof(ann, board))
    assert says("refusal.not_running") in await ludo.forge(running_bot, ann, board, "back")
    payoff = (await ludo.table_of(running_bot, board)).session.payoff
    assert payoff is not None
    assert [share > 0 for share in payoff] == [False, False, True]


async def test_who_resigns_against_computers_has_lost_to_them(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, computers=3)
    await running_bot.resign(ann, board)
    payoff = (await ludo.table_of(running_bot, board)).session.payoff
    assert payoff is not None
    assert [share > 0 for share in payoff] == [False, True, True, True]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    ("ending", "told"),
    [
        (Ending.TIME, ("won.time", "board.lapsed")),
        (Ending.RESIGNED, ("won.resigned", "person_left")),
    ],
)
async def test_who_lost_to_computers_by_silence_or_by_leaving_is_named_with_it(
    running_bot: RunningBot, seats: int, ending: Ending, told: tuple[str, str]
) -> None:
    ann, *_ = running_bot.people
    begun = new_game("ludo", ann.id, *[Level.EASY] * (seats - 1))
    await store(running_bot, close_alone(at_random(begun, Random(1), 60 * seats), ending))
    shown = (await (await ann.type(running_bot.games, "replay")).answered()).message
    await ludo.pick(ann, shown, says("control.last"), menu=says("menu.go_to"))
    key, person = (told[0], "loser") if seats == 2 else (told[1], "player")
    assert like(key, **{person: ann.mention}).search(shown.text)
    assert says("everybody_left") not in shown.text


async def test_of_two_who_resigns_has_lost(running_bot: RunningBot) -> None:
    board = await ludo.begun(running_bot.sandbox, running_bot.people[:2])
    ann, ben, *_ = running_bot.people
    await running_bot.resign(ann, board)
    ended = like("won.resigned", loser=ann.mention, winner=ben.mention, emblem="🟡")
    assert ended.search(board.text)


async def test_of_two_whose_time_is_up_may_play_on(running_bot: RunningBot) -> None:
    board = await ludo.begun(running_bot.sandbox, running_bot.people[:2])
    mover = await times_out(running_bot, board)
    await running_bot.sandbox.until(lambda: like("board.lapsed").search(board.text))
    assert says("refusal.own_time_up") in await running_bot.told(
        mover, board, says("control.claim")
    )
    await running_bot.press(mover, board, says("control.ludo.roll"))
    assert not like("board.lapsed").search(board.text)
    assert says("control.claim") not in ludo.labels(board)


async def test_of_two_whose_time_is_up_has_lost_if_the_other_says_so(
    running_bot: RunningBot,
) -> None:
    board = await ludo.begun(running_bot.sandbox, running_bot.people[:2])
    mover = await times_out(running_bot, board)
    await running_bot.sandbox.until(lambda: like("board.lapsed").search(board.text))
    opponent = next(person for person in running_bot.people[:2] if person is not mover)
    await running_bot.press(opponent, board, says("control.claim"))
    ended = like("won.time", loser=mover.mention, winner=opponent.mention)
    assert ended.search(board.text)


async def test_a_seat_handed_over_is_played_by_the_computer_to_the_end(
    running_bot: RunningBot,
) -> None:
    board = await three(running_bot)
    ann, _, cleo, _ = running_bot.people
    await running_bot.resign(ann, board)
    await running_bot.resign(cleo, board)
    await ludo.to_the_end(running_bot.sandbox, board)
    assert len(ludo.winners(board)) == 1
    seats = (await ludo.table_of(running_bot, board)).session.seats
    assert [type(seat) for seat in seats] == [Absent, Human, Absent]


async def test_a_rematch_is_the_same_table_and_invites_the_others_once(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board = await ludo.seated(running_bot.sandbox, (ann, ben), rules="damascus", computers=1)
    await ludo.set_up(ann, board, says("control.auto_roll.on"))
    await running_bot.press(ann, board, says("control.start"))
    for person in (ann, ben):
        await running_bot.resign(person, board)
    again = (await running_bot.press(ben, board, says("control.rematch"))).message
    assert again is not board
    assert again.pinged == {"Ann"}
    assert ludo.seats(again) == [
        ludo.invited("🔴", ann),
        f"🟢 {ben.mention}",
        ludo.computer("🟡", "medium"),
        says("gathering.free"),
    ]
    assert ludo.title("damascus") in again.text
    assert says("gathering.auto_roll") in again.text
    assert like("rematch.asked").search(await running_bot.told(ben, board, says("control.rematch")))
    assert like("rematch.joined").search(
        await running_bot.told(ann, board, says("control.rematch"))
    )
    await running_bot.sandbox.until(lambda: not like("gathering.invited").search(again.text))
    await running_bot.press(ben, again, says("control.start"))
    before = await ludo.proof(ben, board)
    assert await ludo.commitment(ben, again) not in before
    assert like("rematch.on").search(await running_bot.told(ann, board, says("control.rematch")))


async def test_two_who_ask_for_a_rematch_at_once_come_to_one_table(running_bot: RunningBot) -> None:
    board = await ludo.begun(running_bot.sandbox, running_bot.people[:2])
    ann, ben, *_ = running_bot.people
    await running_bot.resign(ann, board)
    both = [
        await ann.press(board, says("control.rematch")),
        await ben.press(board, says("control.rematch")),
    ]
    first, second = [await press.answered() for press in both]
    assert second.message.ephemeral
    again = first.message
    assert like("rematch.joined").search(second.message.text)
    await running_bot.sandbox.until(lambda: not like("gathering.invited").search(again.text))
    assert ludo.public(ann, running_bot.games) == [board, again]


async def test_only_who_played_asks_for_a_rematch(running_bot: RunningBot) -> None:
    board = await ludo.begun(running_bot.sandbox, running_bot.people[:2])
    ann, _, cleo, _ = running_bot.people
    await running_bot.resign(ann, board)
    assert like("refusal.not_at_table").search(
        await running_bot.told(cleo, board, says("control.rematch"))
    )


@pytest.mark.parametrize("computers", [1, 3])
async def test_a_rematch_against_computers_alone_begins_at_once(
    running_bot: RunningBot, computers: int
) -> None:
    ann, *_ = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, computers=computers, level="easy")
    await running_bot.resign(ann, board)
    again = (await running_bot.press(ann, board, says("control.rematch"))).message
    await ludo.bound(running_bot.sandbox, again)
    assert ludo.mover(running_bot.sandbox, again) is ann
    assert len(await ludo.occupants(running_bot, again)) == 1 + computers
