"""Time and the ids that are made of it."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta

import pytest

from bot.sandbox import RealClock
from bot.sandbox.payload import Mint
from tests.bot.stand_in import ManualClock, Sandbox


def test_timers_ring_in_order_at_their_own_moment() -> None:
    clock = ManualClock(start=100)
    rung: list[tuple[str, float]] = []
    clock.after(3, lambda: rung.append(("late", clock.now())))
    clock.after(1, lambda: rung.append(("early", clock.now())))
    clock.after(2, lambda: rung.append(("never", clock.now()))).cancel()

    clock.advance(2.5)
    assert rung == [("early", 101)]
    clock.advance(0.5)
    assert rung == [("early", 101), ("late", 103)]
    assert clock.now() == 103


def test_a_timer_may_set_another_that_rings_in_the_same_advance() -> None:
    clock = ManualClock(start=0)
    rung: list[float] = []

    def ring() -> None:
        clock.after(1, lambda: rung.append(clock.now()))

    clock.after(1, ring)
    clock.advance(5)

    assert rung == [2]


def test_ids_tell_the_millisecond_and_ascend_within_it() -> None:
    clock = ManualClock(start=1_700_000_000.123)
    mint = Mint(clock)
    ids = [mint() for _ in range(10_000)]

    assert ids == sorted(set(ids))
    assert {(snowflake >> 22) + 1_420_070_400_000 for snowflake in ids} == {1_700_000_000_123}


def test_ids_ascend_when_the_clock_is_set_back_and_after_a_restart() -> None:
    clock = ManualClock(start=1_700_000_000)
    before = Mint(clock)
    first = before()
    clock.advance(-60)
    second = before()
    clock.advance(60.001)
    third = Mint(clock)()

    assert first < second < third


def test_guild_channels_people_and_application_have_the_same_ids_at_every_start() -> None:
    one, other = Sandbox(), Sandbox()

    for name in ("Ann", "Ben", "Cleo", "Dan", "Parlour", "Robot"):
        assert one.person(name).id == other.person(name).id
    for name in ("games", "lounge", "games-thread"):
        assert one.channel(name).id == other.channel(name).id
    assert one.person("Ann").dm.id == other.person("Ann").dm.id
    assert one.token == other.token


async def test_the_real_clock_is_moved_on_and_rings_what_is_due_in_order() -> None:
    clock, before = RealClock(), time.time()
    rung: list[str] = []
    clock.after(7200, lambda: rung.append("late"))
    clock.after(3600, lambda: rung.append("early"))
    clock.after(3600, lambda: rung.append("never")).cancel()
    far = clock.after(86_400, lambda: rung.append("far"))

    clock.advance(7201)
    clock.advance(1)

    assert rung == ["early", "late"]
    assert 7202 <= clock.now() - before < 7300
    far.cancel()


async def test_what_is_due_rings_by_itself() -> None:
    rung = asyncio.Event()
    RealClock().after(0.001, rung.set)

    async with asyncio.timeout(60):
        await rung.wait()


async def test_a_bot_with_the_clock_of_the_sandbox_waits_until_it_is_moved_on() -> None:
    sandbox = Sandbox()
    tomorrow = sandbox.clock.now() + timedelta(days=1)
    await sandbox.clock.until(sandbox.clock.now() - timedelta(days=1))
    waiting = asyncio.create_task(sandbox.clock.until(tomorrow))
    await asyncio.sleep(0)  # lets it begin to wait
    sandbox.advance(86_000)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(asyncio.shield(waiting), 0.01)

    sandbox.advance(401)
    async with asyncio.timeout(60):
        await waiting
    assert sandbox.clock.now() > tomorrow
