"""Jobs go on beside each other, whatever one of them meets."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest

from bot.metrics import PrometheusMeter
from bot.service.jobs import ROUND_EVERY, Job, Jobs, apart
from bot.service.ports import Unreachable
from bot.storage.errors import Unavailable, Unreadable
from tests.bot.clock import ManualClock
from tests.bot.ui.test_metrics import figure


class Course:
    """A list of jobs at work, what each of them has done, and what was missed."""

    def __init__(self) -> None:
        self.done: Counter[str] = Counter()
        self.missed = 0
        self.clock = ManualClock()
        self.meter = PrometheusMeter()

    def note(self, name: str) -> Callable[[], Awaitable[None]]:
        async def work() -> None:
            self.done[name] += 1

        return work

    def failing(self, name: str, error: Exception) -> Callable[[], Awaitable[None]]:
        async def work() -> None:
            self.done[name] += 1
            raise error

        return work

    def miss(self) -> None:
        self.missed += 1

    @contextmanager
    def running(self, *jobs: Job) -> Iterator[None]:
        running = Jobs(jobs, self.clock, self.meter, missed=self.miss)
        task = asyncio.create_task(running.run())
        try:
            yield
        finally:
            task.cancel()

    async def rounds(self, count: int, every: timedelta = ROUND_EVERY) -> None:
        """Rounds that are made, after the one at the beginning."""
        await self.clock.waited_for()
        for _ in range(count):
            self.clock.advance(every)
            await self.clock.waited_for()

    def faults(self, name: str) -> float:
        return figure(self.meter.exposition().decode(), "job_faults_total", name)


@pytest.fixture
def course() -> Course:
    return Course()


@pytest.mark.logs_errors
async def test_a_job_that_fails_holds_no_other_up_and_is_told_once_and_counted_each_time(
    course: Course, caplog: pytest.LogCaptureFixture
) -> None:
    broken = Job("broken", course.failing("broken", LookupError("chess")))
    with course.running(broken, Job("sound", course.note("sound"))):
        await course.rounds(3)
    assert course.done == {"broken": 4, "sound": 4}
    assert course.faults("broken") == 4
    assert [record.getMessage() for record in caplog.records] == ["broken failed"]
    assert "LookupError: chess" in caplog.text


async def test_a_database_that_is_away_is_no_fault_and_what_was_missed_is_compared(
    course: Course, caplog: pytest.LogCaptureFixture
) -> None:
    away = Job("away", course.failing("away", Unavailable()), every=timedelta(hours=1))
    slow = Job("slow", course.failing("slow", Unreachable()), every=timedelta(hours=1))
    with course.running(away, slow):
        await course.rounds(2)
    assert course.done == {"away": 3, "slow": 3}
    assert course.missed == 3
    assert course.faults("away") == course.faults("slow") == 0
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_a_job_is_done_once_in_its_period_or_once_for_all(course: Course) -> None:
    hourly = Job("hourly", course.note("hourly"), every=timedelta(hours=1))
    with course.running(hourly, Job("once", course.note("once"), every=None)):
        await course.rounds(5, timedelta(minutes=20))
    assert course.done == {"hourly": 2, "once": 1}


async def test_a_job_beside_the_others_is_not_waited_for_and_begun_again_after_it_ended(
    course: Course,
) -> None:
    opened, ended = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        course.done["long"] += 1
        await opened.wait()
        ended.set()

    with course.running(Job("long", work, beside=True), Job("sound", course.note("sound"))):
        await course.rounds(3)
        assert course.done == {"long": 1, "sound": 4}
        opened.set()
        await ended.wait()
        await course.rounds(1)
        assert course.done["long"] == 2


async def test_items_are_worked_on_apart_and_what_went_wrong_names_them() -> None:
    done: list[int] = []

    async def work(item: int) -> None:
        if item == 1:
            raise Unreadable("session", (1,))
        if item == 2:
            raise ValueError(item)
        done.append(item)

    async def work_at_all() -> None:
        with apart() as items:
            for item in range(4):
                await items.do(work(item), f"table {item}")

    with pytest.raises(ExceptionGroup) as failed:
        await work_at_all()
    assert done == [0, 3]
    assert [error.__notes__ for error in failed.value.exceptions] == [["at table 2"]]


async def test_items_that_only_the_database_stopped_are_put_off_together() -> None:
    async def work() -> None:
        raise Unavailable

    async def work_at_both() -> None:
        with apart() as items:
            for item in ("one", "other"):
                await items.do(work(), item)
            assert items.away

    with pytest.raises(Unavailable):
        await work_at_both()


async def test_jobs_go_on_after_the_clock_is_set_back(course: Course) -> None:
    with course.running(Job("boards", course.note("boards"))):
        await course.rounds(0)
        course.clock.advance(ROUND_EVERY)
        course.clock.advance(-timedelta(hours=1))
        await course.rounds(2)
    assert course.done["boards"] == 4
