"""Reminders as people get them: a ping with a link, gone when the move is made."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.sandbox import Channel, Message
from bot.service.reminder_rounds import TOGETHER
from bot.storage.reminders import Reminders
from bot.ui import messenger
from tests.bot.english import like, says
from tests.bot.people import Person
from tests.bot.stand_in import Sandbox
from tests.bot.ui.conftest import House
from tests.bot.ui.crowd import Requests, crowd

A, E = (0, 0), (1, 1)


def reminders(person: Person, channel: Channel) -> list[Message]:
    """The reminders that stand in a channel: messages without components that ping."""
    return [message for message in person.sees(channel) if message.pinged and not message.controls]


async def passed(house: House, **by: float) -> None:
    """Time that passed, and the round after it."""
    await house.later(timedelta(**by))
    await house.clock.waited_for()


async def test_the_challenger_is_pinged_when_the_challenge_is_accepted(house: House) -> None:
    board = await house.friends()
    ann, ben, *_ = house.people
    await passed(house, seconds=10)
    (called,) = reminders(ann, house.games)
    assert called.pinged == {"Ann"}
    assert f"/{board.id}" in called.text
    await house.mark(ann, board, A)
    await house.sandbox.until(lambda: not reminders(ben, house.games))


async def test_with_a_minute_left_the_player_to_move_is_pinged_and_then_who_may_claim(
    house: House,
) -> None:
    board = await house.friends()
    ann, *_ = house.people
    await house.mark(ann, board, A)
    await passed(house, seconds=230)
    assert not reminders(ann, house.games)
    await passed(house, seconds=10)
    (turn,) = reminders(ann, house.games)
    assert turn.pinged == {"Ben"}
    assert like("reminder.turn").search(turn.text)
    await passed(house, minutes=1)
    claim = reminders(ann, house.games)[-1]
    assert claim.pinged == {"Ann"}
    assert like("reminder.claim").search(claim.text)
    await house.press(ann, board, says("control.claim"))
    await house.sandbox.until(lambda: not reminders(ann, house.games))


async def test_a_correspondence_game_pings_after_an_hour_and_twelve_hours_before_the_end(
    house: House,
) -> None:
    board = await house.friends(pace="correspondence")
    ann, ben, *_ = house.people
    await house.mark(ann, board, A)
    await passed(house, minutes=61)
    (first,) = reminders(ann, house.games)
    await passed(house, hours=58)
    assert reminders(ann, house.games) == [first]
    await passed(house, hours=1)
    (second,) = reminders(ann, house.games)
    assert second is not first
    assert second.pinged == {"Ben"}
    await house.mark(ben, board, E)
    await house.sandbox.until(lambda: not reminders(ann, house.games))


async def test_reminders_come_by_direct_message_or_not_at_all_for_who_wants_that(
    house: House,
) -> None:
    ann, ben, *_ = house.people
    assert like("me.reminders.direct").search(
        await house.say(ann, "me reminders", reminders="direct")
    )
    assert says("me.reminders.off") in await house.say(ben, "me reminders", reminders="off")
    board = await house.friends()
    await house.mark(ann, board, A)
    await house.mark(ben, board, E)
    await passed(house, minutes=4)
    assert not reminders(ann, house.games)
    told = reminders(ann, ann.dm)
    assert told
    assert all(str(board.id) in message.text for message in told)
    await house.mark(ann, board, (0, 1))
    await passed(house, minutes=4)
    await house.sandbox.until(lambda: not reminders(ann, ann.dm))
    assert not reminders(ben, house.games)


@pytest.mark.parametrize("code", [50001, 50007])
async def test_a_reminder_that_cannot_be_delivered_is_never_tried_again(
    house: House, code: int
) -> None:
    board = await house.friends()
    ann, *_ = house.people
    await house.mark(ann, board, A)
    await passed(house, seconds=10)
    house.sandbox.fail_next("POST", "/channels/*/messages", 403, code, "No")
    await passed(house, minutes=4)
    await passed(house, seconds=10)
    await passed(house, seconds=10)
    assert [(m.text, m.pinged) for m in reminders(ann, house.games)] == []
    assert not await Reminders(house.store).due(house.clock.now())


async def test_reminders_wait_while_discord_has_trouble_and_few_of_them_try(
    house: House, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messenger, "TRIED_FOR", 0.0)
    ann, *_ = house.people
    await crowd(house, 50, remind_in=timedelta(minutes=4))
    sent = Requests("POST", "/channels/{channel_id}/messages")
    sandbox.observe(sent)
    for _ in range(TOGETHER + 2):
        sandbox.fail_next("POST", "/channels/*/messages", 503)
    tried = []
    for wait in (240, 10, 10):
        await passed(house, seconds=wait)
        tried.append(len(sent.statuses))
    assert tried == [TOGETHER, TOGETHER + 1, TOGETHER + 2]
    await passed(house, seconds=10)
    assert sent.statuses[TOGETHER + 2 :] == [200] * (50 - TOGETHER - 2)
    assert len(reminders(ann, house.games)) == 50 - TOGETHER - 2
    await passed(house, seconds=10)
    assert len(sent.statuses) == 50


async def test_a_reminder_that_discord_does_not_take_at_once_is_delivered(house: House) -> None:
    ann, *_ = house.people
    await house.friends()
    for _ in range(2):
        house.sandbox.fail_next("POST", "/channels/*/messages", 503)
    await passed(house, seconds=10)
    (called,) = reminders(ann, house.games)
    assert called.pinged == {"Ann"}


async def test_reminders_that_discord_cannot_take_away_are_taken_away_later(
    house: House,
) -> None:
    board = await house.friends()
    ann, *_ = house.people
    await passed(house, seconds=10)
    assert reminders(ann, house.games)
    for _ in range(8):
        house.sandbox.fail_next("DELETE", "/channels/*/messages/*", 503)
    await house.mark(ann, board, A)
    await passed(house, seconds=10)
    await passed(house, seconds=10)
    await house.sandbox.until(lambda: not reminders(ann, house.games))
