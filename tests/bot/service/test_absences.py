"""The absences of the bot, of which its notes tell: also where its machine slept."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.service.due_work import ASLEEP_AFTER, NOTED_EVERY, Absences, overlap
from bot.storage.choices import GuildId
from bot.storage.opening import opened
from bot.storage.processes import AbsenceStore
from bot.storage.shards import WHOLE, Share
from tests.bot.clock import ManualClock
from tests.bot.service.absences import absences_in


class Presence:
    """The absences of a bot whose time a test lets pass."""

    def __init__(self, absences: Absences, clock: ManualClock) -> None:
        self.absences = absences
        self.clock = clock
        self.began = clock.now()

    async def passes(self, by: timedelta, *, here: bool = True) -> None:
        """Time passes in which the bot is there and notes it, or is not connected."""
        until = self.clock.now() + by
        while self.clock.now() < until:
            self.clock.advance(NOTED_EVERY)
            await self.absences.note(here=here)

    async def away(self, since: datetime | None = None) -> timedelta:
        """The time without the bot since a time, or since the beginning."""
        since, now = since or self.began, self.clock.now()
        return overlap(await self.absences.since(since, 1), since, now)


@pytest.fixture
async def presence(tmp_path: Path) -> AsyncIterator[Presence]:
    clock = ManualClock()
    async with opened(f"sqlite:///{tmp_path}/parlour.db") as database:
        presence = Presence(absences_in(database, clock), clock)
        await presence.absences.note(here=True)
        yield presence


async def test_a_bot_that_is_there_has_no_absences(presence: Presence) -> None:
    await presence.passes(timedelta(minutes=5))
    presence.clock.advance(ASLEEP_AFTER)
    assert await presence.away() == timedelta()


async def test_time_without_a_connection_is_an_absence(presence: Presence) -> None:
    await presence.passes(timedelta(minutes=5))
    await presence.passes(timedelta(minutes=10), here=False)
    assert await presence.away() == timedelta(minutes=10)
    await presence.passes(NOTED_EVERY)
    assert await presence.away() == timedelta(minutes=10) + NOTED_EVERY


async def test_a_machine_that_slept_was_away_before_it_notes_anything(presence: Presence) -> None:
    await presence.passes(timedelta(minutes=5))
    presence.clock.advance(timedelta(hours=8))
    assert await presence.away() == timedelta(hours=8)
    await presence.passes(timedelta(minutes=5))
    assert await presence.away() == timedelta(hours=8) + NOTED_EVERY


async def test_a_clock_that_is_set_forth_and_back_leaves_no_absence_ahead(
    presence: Presence,
) -> None:
    await presence.passes(timedelta(minutes=5))
    presence.clock.advance(timedelta(hours=1))
    await presence.absences.note(here=True)
    presence.clock.advance(-timedelta(hours=1))
    await presence.absences.note(here=True)
    since = presence.clock.now()
    await presence.passes(timedelta(minutes=5))
    assert await presence.away(since) == timedelta()


async def test_a_process_knows_of_another_that_is_away(tmp_path: Path) -> None:
    """It judges the games of the other's servers meanwhile, whose presses nobody answers."""
    clock = ManualClock()
    began, here, there = clock.now(), 0, 1 << 22
    async with opened(f"sqlite:///{tmp_path}/parlour.db") as database:
        one, other = (
            Absences(AbsenceStore(database, Share(2, frozenset({number}))), clock)
            for number in range(2)
        )
        await other.note(here=True)
        for _ in range(40):
            clock.advance(NOTED_EVERY)
            await one.note(here=True)
        now = clock.now()
        assert overlap(await one.since(began, there), began, now) == now - began
        assert overlap(await one.since(began, here), began, now) == timedelta()


async def test_an_absence_is_known_however_the_shards_are_divided_afterwards(
    tmp_path: Path,
) -> None:
    """A guild of shard 1 of 2 is one of all shards; going back makes up no absence."""
    guild, clock = GuildId(1 << 22), ManualClock()
    began, away = clock.now(), timedelta()
    two, three = ([Share(n, frozenset({number})) for number in range(n)] for n in (2, 3))
    async with opened(f"sqlite:///{tmp_path}/parlour.db") as database:
        for shares in ([WHOLE], two, three, [WHOLE]):
            processes = [Absences(AbsenceStore(database, share), clock) for share in shares]
            for _ in range(20):
                for absences in processes:
                    await absences.note(here=True)
                clock.advance(NOTED_EVERY)
            assert overlap(await processes[-1].since(began, guild), began, clock.now()) == away
            clock.advance(timedelta(minutes=30))
            away += timedelta(minutes=30) + NOTED_EVERY
