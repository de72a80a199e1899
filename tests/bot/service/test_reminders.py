"""Reminders on a real database: sent once, taken away when they are done with, never repeated."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from bot.games.command import Named
from bot.service.ports import Unreachable
from bot.service.reminder_rounds import DueReminder, ReminderRounds
from bot.storage.choices import Guilds, People, Reminding
from bot.storage.messages import Posted, Reminders
from bot.storage.opening import opened
from bot.table.actions import Action
from bot.table.table import Table
from bot.table.waiting import Occasion, Reminder
from tests.bot.clock import ManualClock
from tests.bot.service.test_tables import ANN, BEN, Parlour


@dataclass
class Post:
    """Keeps what it delivers; while it is `closed` nothing gets through."""

    closed: bool = False
    sent: list[tuple[Reminder, bool]] = field(default_factory=list)
    standing: dict[int, Reminder] = field(default_factory=dict)

    def remind(self, due: DueReminder) -> Posted | None:
        self.sent.append((due.reminder, due.direct))
        if self.closed:
            return None
        self.standing[len(self.sent)] = due.reminder
        return Posted(due.table.place.channel, len(self.sent))

    async def take_away(self, posted: Posted) -> None:
        del self.standing[posted.message]


class Reminded(Parlour):
    """A service with reminders, and the messenger that delivers them."""

    def __init__(
        self, database: object, people: People, servers: Guilds, clock: ManualClock
    ) -> None:
        super().__init__(database, people, servers, clock)  # type: ignore[arg-type]
        self.post = Post()
        stored, full_time = Reminders(self.store), self.due_work.full_time
        self.reminders = ReminderRounds(stored, people, self.take_away, full_time, clock)

    async def take_away(self, posted: Posted) -> None:
        await self.post.take_away(posted)

    async def later(self, **by: float) -> None:
        """Lets time pass, and a round be made."""
        self.clock.advance(timedelta(**by))
        await self.due_work.run(self.show)
        for session in await self.reminders.begin():
            with suppress(Unreachable):
                due = await self.reminders.next(session)
                posted = None if due is None else self.post.remind(due)
                if due is not None and posted is not None:
                    await self.reminders.sent(due, posted)

    async def challenge(self, pace: str) -> Table:
        challenge = await self.type(ANN, opponent=Named(BEN), pace=pace)
        return await self.press(challenge, BEN, Action.ACCEPT)

    def told(self) -> list[Reminder]:
        """The messages sent since the last call."""
        sent = [reminder for reminder, _ in self.post.sent]
        self.post.sent.clear()
        return sent


@pytest.fixture
async def parlour(tmp_path: Path) -> AsyncIterator[Reminded]:
    clock = ManualClock()
    async with opened(f"sqlite:///{tmp_path}/parlour.db") as database:
        people, servers = await People.loaded(database), await Guilds.loaded(database)
        yield Reminded(database, people, servers, clock)


ACCEPTED = Reminder(ANN, Occasion.ACCEPTED)
TURN = Reminder(ANN, Occasion.TURN)


async def test_the_challenger_is_told_once_that_the_challenge_is_accepted(
    parlour: Reminded,
) -> None:
    await parlour.challenge("live")
    await parlour.later(seconds=10)
    await parlour.later(seconds=10)
    assert parlour.told() == [ACCEPTED]


async def test_that_a_challenge_is_accepted_stays_until_the_challenger_has_moved(
    parlour: Reminded,
) -> None:
    challenge = await parlour.type(ANN, opponent=Named(BEN), mark="o")
    table = await parlour.press(challenge, BEN, Action.ACCEPT)
    await parlour.later(seconds=10)
    table = await parlour.play(table, BEN, 4)
    await parlour.later(seconds=10)
    assert list(parlour.post.standing.values()) == [ACCEPTED]
    await parlour.play(table, ANN, 0)
    await parlour.later(seconds=10)
    assert not parlour.post.standing


async def test_a_reminder_goes_with_the_move_it_asked_for_once_however_many_presses_come(
    parlour: Reminded,
) -> None:
    table = await parlour.challenge("live")
    await parlour.later(seconds=10)
    await parlour.reminders.moved(table.id)
    assert list(parlour.post.standing.values()) == [ACCEPTED], "she has not moved"
    assert table.id in parlour.reminders.reminded

    await parlour.play(table, ANN, 0)
    await asyncio.gather(*(parlour.reminders.moved(table.id) for _ in range(3)))
    assert not parlour.post.standing
    assert table.id not in parlour.reminders.reminded


async def test_a_live_turn_is_reminded_of_with_a_minute_left_and_the_claim_when_time_is_up(
    parlour: Reminded,
) -> None:
    await parlour.challenge("live")
    await parlour.later(seconds=0)
    parlour.told()
    await parlour.later(seconds=239)
    assert parlour.told() == []
    await parlour.later(seconds=1)
    assert parlour.told() == [TURN]
    await parlour.later(seconds=59)
    assert parlour.told() == []
    await parlour.later(seconds=1)
    assert parlour.told() == [Reminder(BEN, Occasion.CLAIM)]
    await parlour.later(days=1)
    assert parlour.told() == []


async def test_a_correspondence_turn_is_reminded_of_after_an_hour_and_twelve_hours_before_the_end(
    parlour: Reminded,
) -> None:
    await parlour.challenge("correspondence")
    await parlour.later(minutes=59)
    parlour.told()
    await parlour.later(minutes=1)
    assert parlour.told() == [TURN]
    await parlour.later(hours=58, minutes=59)
    assert parlour.told() == []
    await parlour.later(minutes=1)
    assert parlour.told() == [TURN]


async def test_a_reminder_that_is_late_leaves_out_one_that_would_come_soon_after_it(
    parlour: Reminded,
) -> None:
    """Seed 955: a machine that had slept pinged a player twice within five seconds."""
    await parlour.challenge("correspondence")
    await parlour.later(hours=59, minutes=59)
    assert parlour.told() == [TURN]
    await parlour.later(minutes=1)
    assert parlour.told() == []


async def test_a_reminder_is_taken_away_when_the_move_is_made(parlour: Reminded) -> None:
    table = await parlour.challenge("correspondence")
    await parlour.later(hours=1)
    assert list(parlour.post.standing.values()) == [TURN]
    await parlour.play(table, ANN, 4)
    await parlour.later()
    assert not parlour.post.standing


async def test_the_next_reminder_of_a_table_takes_the_place_of_the_one_before(
    parlour: Reminded,
) -> None:
    table = await parlour.challenge("live")
    standing = []
    for minutes in (0, 4, 1):
        await parlour.later(minutes=minutes)
        standing.append(list(parlour.post.standing.values()))
    claim = Reminder(BEN, Occasion.CLAIM)
    assert standing == [[ACCEPTED], [TURN], [claim]]
    assert parlour.told() == [ACCEPTED, TURN, claim]
    await parlour.press(await parlour.service.table(table.id), BEN, Action.CLAIM)
    await parlour.later()
    assert not parlour.post.standing


async def test_a_reminder_stays_whose_successor_nobody_wants(parlour: Reminded) -> None:
    await parlour.people.choose(BEN, reminders=Reminding.OFF)
    await parlour.challenge("live")
    for minutes in (4, 1):
        await parlour.later(minutes=minutes)
        assert list(parlour.post.standing.values()) == [TURN]
    assert parlour.told() == [TURN]


async def test_a_reminder_comes_later_if_the_one_before_cannot_be_taken_away_now(
    parlour: Reminded, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def trouble(_: Posted) -> None:
        raise Unreachable

    await parlour.challenge("live")
    await parlour.later()
    with monkeypatch.context() as patched:
        patched.setattr(parlour.post, "take_away", trouble)
        await parlour.later(minutes=4)
    assert list(parlour.post.standing.values()) == [ACCEPTED]
    await parlour.later(seconds=5)
    assert list(parlour.post.standing.values()) == [TURN]


async def test_a_reminder_that_cannot_be_delivered_is_dropped(parlour: Reminded) -> None:
    await parlour.challenge("live")
    parlour.post.closed = True
    await parlour.later(minutes=4)
    assert parlour.told() == [TURN]
    for _ in range(3):
        await parlour.later(seconds=10)
    assert parlour.told() == []


@pytest.mark.parametrize("wanted", Reminding)
async def test_a_person_is_reminded_as_they_want(parlour: Reminded, wanted: Reminding) -> None:
    await parlour.people.choose(ANN, reminders=wanted)
    await parlour.challenge("live")
    await parlour.later(seconds=1)
    expected = [] if wanted is Reminding.OFF else [(ACCEPTED, wanted is Reminding.DIRECT)]
    assert parlour.post.sent == expected
