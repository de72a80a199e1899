"""Reminders as people get them: a ping with a link, gone when the move is made."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.sandbox import Channel, Message, Permission
from bot.storage.messages import Reminders
from bot.ui import retries
from bot.ui.errors import MISSING_ACCESS
from bot.ui.postman import MOST_AT_ONCE, SETTLED_AFTER
from tests.bot.english import like, says
from tests.bot.people import Person
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import MESSAGES
from tests.bot.ui import panels
from tests.bot.ui.conftest import A, E, RunningBot
from tests.bot.ui.crowd import Requests, crowd

pytestmark = pytest.mark.usefixtures("virtual_time")


def reminders(person: Person, channel: Channel) -> list[Message]:
    """The reminders that stand in a channel: messages without components that ping."""
    return [message for message in person.sees(channel) if message.pinged and not message.controls]


async def passed(running_bot: RunningBot, **by: float) -> None:
    """Time that passed, and the round after it."""
    await running_bot.later(timedelta(**by))
    await running_bot.clock.waited_for()


async def test_the_challenger_is_pinged_when_the_challenge_is_accepted(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    await passed(running_bot, seconds=10)
    (called,) = reminders(ann, running_bot.games)
    assert called.pinged == {"Ann"}
    assert f"/{board.id}" in called.text
    await running_bot.mark(ann, board, A)
    await running_bot.sandbox.until(lambda: not reminders(ben, running_bot.games))


async def test_with_a_minute_left_the_player_to_move_is_pinged_and_then_who_may_claim(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends()
    ann, *_ = running_bot.people
    await running_bot.mark(ann, board, A)
    await passed(running_bot, seconds=230)
    assert not reminders(ann, running_bot.games)
    await passed(running_bot, seconds=10)
    (turn,) = reminders(ann, running_bot.games)
    assert turn.pinged == {"Ben"}
    assert like("reminder.turn").search(turn.text)
    await passed(running_bot, minutes=1)
    (claim,) = reminders(ann, running_bot.games)
    assert claim.pinged == {"Ann"}
    assert like("reminder.claim").search(claim.text)
    await running_bot.press(ann, board, says("control.claim"))
    await running_bot.sandbox.until(lambda: not reminders(ann, running_bot.games))


async def test_a_correspondence_game_pings_after_an_hour_and_twelve_hours_before_the_end(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends(pace="correspondence")
    ann, ben, *_ = running_bot.people
    await running_bot.mark(ann, board, A)
    await passed(running_bot, minutes=61)
    (first,) = reminders(ann, running_bot.games)
    await passed(running_bot, hours=58)
    assert reminders(ann, running_bot.games) == [first]
    await passed(running_bot, hours=1)
    (second,) = reminders(ann, running_bot.games)
    assert second is not first
    assert first.deleted
    assert second.pinged == {"Ben"}
    await running_bot.mark(ben, board, E)
    await running_bot.sandbox.until(lambda: not reminders(ann, running_bot.games))


async def test_reminders_come_by_direct_message_or_not_at_all_for_who_wants_that(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    await panels.choose(running_bot, ann, "me reminders", "direct")
    await panels.choose(running_bot, ben, "me reminders", "off")
    board = await running_bot.friends()
    await running_bot.mark(ann, board, A)
    await running_bot.mark(ben, board, E)
    await passed(running_bot, minutes=4)
    assert not reminders(ann, running_bot.games)
    told = reminders(ann, ann.dm)
    assert told
    assert all(str(board.id) in message.text for message in told)
    await running_bot.mark(ann, board, (0, 1))
    await passed(running_bot, minutes=4)
    await running_bot.sandbox.until(lambda: not reminders(ann, ann.dm))
    assert not reminders(ben, running_bot.games)


@pytest.mark.parametrize("code", [50001, 50007])
async def test_a_reminder_that_cannot_be_delivered_is_never_tried_again(
    running_bot: RunningBot, code: int
) -> None:
    board = await running_bot.friends()
    ann, *_ = running_bot.people
    await running_bot.mark(ann, board, A)
    await passed(running_bot, seconds=10)
    running_bot.sandbox.fail_next("POST", MESSAGES, 403, code, "No")
    await passed(running_bot, minutes=4)
    await passed(running_bot, seconds=10)
    await passed(running_bot, seconds=10)
    assert [(m.text, m.pinged) for m in reminders(ann, running_bot.games)] == []
    assert not await Reminders(running_bot.store).due(running_bot.clock.now())


async def test_reminders_wait_while_discord_has_trouble_and_few_of_them_try(
    running_bot: RunningBot, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "TRIED_FOR", 0.0)
    ann, *_ = running_bot.people
    await crowd(running_bot, 50, remind_in=timedelta(minutes=4))
    sent = Requests("POST", MESSAGES)
    sandbox.observe(sent)
    for _ in range(MOST_AT_ONCE + 2):
        sandbox.fail_next("POST", MESSAGES, 503)
    tried = []
    for wait in (240, 10, 10):
        await passed(running_bot, seconds=wait)
        tried.append(len(sent.statuses))
    assert tried == [MOST_AT_ONCE, MOST_AT_ONCE + 1, MOST_AT_ONCE + 2]
    await passed(running_bot, seconds=10)
    assert sent.statuses[MOST_AT_ONCE + 2 :] == [200] * (50 - MOST_AT_ONCE - 2)
    assert len(reminders(ann, running_bot.games)) == 50 - MOST_AT_ONCE - 2
    await passed(running_bot, seconds=10)
    assert len(sent.statuses) == 50


async def test_a_reminder_that_discord_does_not_take_at_once_is_delivered(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "TRIED_FOR", 60.0)
    ann, *_ = running_bot.people
    await running_bot.friends()
    for _ in range(2):
        running_bot.sandbox.fail_next("POST", MESSAGES, 503)
    await passed(running_bot, seconds=10)
    (called,) = reminders(ann, running_bot.games)
    assert called.pinged == {"Ann"}


@pytest.mark.parametrize("faults", [("503", "502"), ("cut", "502")])
async def test_a_reminder_that_discord_took_without_saying_so_is_sent_once(
    running_bot: RunningBot, faults: tuple[str, ...]
) -> None:
    ann, *_ = running_bot.people
    await running_bot.friends()
    for fault in faults:
        if fault == "cut":
            running_bot.sandbox.cut_next("POST", MESSAGES, carried_out=True)
        else:
            status = int(fault)
            running_bot.sandbox.fail_next("POST", MESSAGES, status, carried_out=True)
    await passed(running_bot, seconds=10)
    (called,) = reminders(ann, running_bot.games)
    assert called.pinged == {"Ann"}


@pytest.mark.parametrize("fault", ["502", "cut"])
async def test_a_reminder_taken_unheard_goes_although_its_turn_was_over_before_the_next_try(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """Seeds 119 and 122 of the simulation: no row knew of it, so that it stood there for ever."""
    monkeypatch.setattr(retries, "TRIED_FOR", 0.0)
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    posts = "POST", MESSAGES
    if fault == "cut":
        running_bot.sandbox.cut_next(*posts, carried_out=True)
    else:
        running_bot.sandbox.fail_next(*posts, int(fault), carried_out=True)
    await passed(running_bot, seconds=10)
    (called,) = reminders(ben, running_bot.games)
    words = await ben.say(running_bot.games, called.text)
    await running_bot.mark(ann, board, A)
    await passed(running_bot, seconds=10)
    await running_bot.sandbox.until(lambda: called not in reminders(ann, running_bot.games))
    assert words in ann.sees(running_bot.games), "what a person says in the same words stays"


async def test_a_reminder_taken_unheard_goes_although_the_channel_was_closed_before_the_next_try(
    running_bot: RunningBot, sandbox: Sandbox
) -> None:
    """Seed 1920 of the simulation."""
    board = await running_bot.friends()
    ann, *_ = running_bot.people
    sandbox.fail_next("POST", MESSAGES, 502, carried_out=True)
    sandbox.fail_next("POST", MESSAGES, 403, code=MISSING_ACCESS)
    for _ in range(2):
        sandbox.fail_next("GET", MESSAGES, 403, code=MISSING_ACCESS)
    for _ in range(4):
        await passed(running_bot, seconds=10)
    (called,) = reminders(ann, running_bot.games)
    await running_bot.mark(ann, board, A)
    await passed(running_bot, seconds=10)
    await sandbox.until(lambda: called not in reminders(ann, running_bot.games))


async def test_a_reminder_taken_unheard_goes_once_the_bot_may_read_the_channel(
    running_bot: RunningBot, sandbox: Sandbox
) -> None:
    board = await running_bot.friends()
    ann, *_ = running_bot.people
    sandbox.deny(running_bot.games, Permission.READ_MESSAGE_HISTORY)
    sandbox.fail_next("POST", MESSAGES, 502, carried_out=True)
    sandbox.fail_next("POST", MESSAGES, 403, code=MISSING_ACCESS)
    for _ in range(4):
        await passed(running_bot, seconds=10)
    (called,) = reminders(ann, running_bot.games)
    await running_bot.mark(ann, board, A)
    sandbox.deny(running_bot.games)
    for _ in range(20):
        await passed(running_bot, seconds=10)
        if called not in reminders(ann, running_bot.games):
            return
    raise AssertionError("it stands")


async def test_a_reminder_that_never_arrived_is_looked_for_until_it_can_no_more(
    running_bot: RunningBot, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "TRIED_FOR", 0.0)
    await running_bot.friends()
    sandbox.fail_next("POST", MESSAGES, 503)
    looks = Requests("GET", MESSAGES)
    sandbox.observe(looks)
    for _ in range(4):
        await passed(running_bot, seconds=10)
    assert 0 < len(looks.statuses) <= 2 + SETTLED_AFTER / timedelta(seconds=10)


async def test_reminders_that_discord_cannot_take_away_are_taken_away_later(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends()
    ann, *_ = running_bot.people
    await passed(running_bot, seconds=10)
    assert reminders(ann, running_bot.games)
    for _ in range(8):
        running_bot.sandbox.fail_next("DELETE", "/channels/*/messages/*", 503)
    await running_bot.mark(ann, board, A)
    await passed(running_bot, seconds=10)
    await passed(running_bot, seconds=10)
    await running_bot.sandbox.until(lambda: not reminders(ann, running_bot.games))


async def test_a_reminder_that_the_bot_may_not_delete_is_taken_away_once_it_may(
    running_bot: RunningBot, sandbox: Sandbox
) -> None:
    board = await running_bot.friends()
    ann, *_ = running_bot.people
    await passed(running_bot, seconds=10)
    (called,) = reminders(ann, running_bot.games)
    asked = Requests("DELETE", "/channels/{channel_id}/messages/{message_id}")
    sandbox.observe(asked)
    sandbox.fail_next("DELETE", "/channels/*/messages/*", 403, 50001, "Missing Access")
    await running_bot.mark(ann, board, A)
    for _ in range(3):
        await passed(running_bot, seconds=10)
    assert asked.statuses == [403], "it is not asked again and again"
    assert called in reminders(ann, running_bot.games)
    await passed(running_bot, hours=1)
    await sandbox.until(lambda: called not in reminders(ann, running_bot.games))


async def test_a_reminder_whose_message_a_full_disk_did_not_take_is_taken_away_in_the_end(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seed 1003 of the simulation: the disk was full just after the reminder was sent."""
    board = await running_bot.friends()
    ann, *_ = running_bot.people
    with monkeypatch.context() as full:
        full.setattr(Reminders, "keep", disk_full)
        await passed(running_bot, seconds=10)
        assert reminders(ann, running_bot.games)
    await passed(running_bot, seconds=10)
    await running_bot.mark(ann, board, A)
    await running_bot.sandbox.until(lambda: not reminders(ann, running_bot.games))
    await passed(running_bot, minutes=4)
    (turn,) = reminders(ann, running_bot.games)
    assert turn.pinged == {"Ben"}, "the next one is not taken for it"


async def disk_full(*_: object) -> None:
    raise OSError("database or disk is full")
