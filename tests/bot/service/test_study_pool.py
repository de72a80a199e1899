"""The process that explains games: it is asked one thing at a time, and people take turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import TypeVar

import pytest

from bot.service import explanations
from bot.service.explanations import StudyPool
from bot.table.seats import PersonId
from tests.bot.kit import ANN, BEN
from tests.bot.refused import refused

T = TypeVar("T")


class OneAtATime:
    """A worker that answers when a test lets it, and takes no second question before."""

    def __init__(self) -> None:
        self.free = asyncio.Event()
        self.order: list[object] = []
        self.busy = False

    async def answer(self, work: Callable[..., T], about: tuple[object, ...], allowed: float) -> T:
        assert allowed > 0
        assert not self.busy
        self.busy = True
        self.order.append(about[0])
        await self.free.wait()
        self.busy = False
        return work(*about)

    def close(self) -> None:
        pass


@pytest.fixture
def worker() -> OneAtATime:
    return OneAtATime()


@pytest.fixture
def study(worker: OneAtATime, rng: Random) -> StudyPool:
    def processes(_count: int, _niceness: int = 0, /) -> OneAtATime:
        return worker

    return StudyPool(rng, processes)


async def asked(study: StudyPool, *people: PersonId | None) -> list[asyncio.Task[object]]:
    def same(person: object) -> object:
        return person

    tasks = [asyncio.create_task(study.ask(each, same, each)) for each in people]
    await asyncio.sleep(0)
    return tasks


async def test_twelve_reviews_at_once_are_made_one_after_the_other(
    study: StudyPool, worker: OneAtATime
) -> None:
    """A process that was given all of them seemed to hang, and was replaced with its work."""
    tasks = await asked(study, *[ANN] * 11, BEN)
    worker.free.set()
    assert await asyncio.gather(*tasks) == [ANN] * 11 + [BEN]
    assert worker.order == [ANN, BEN] + [ANN] * 10


async def test_the_puzzle_for_all_comes_before_what_people_wait_for(
    study: StudyPool, worker: OneAtATime
) -> None:
    tasks = await asked(study, ANN, BEN, None)
    worker.free.set()
    await asyncio.gather(*tasks)
    assert worker.order == [ANN, None, BEN]


async def test_whose_turn_does_not_come_is_told_to_try_again(
    study: StudyPool, worker: OneAtATime, monkeypatch: pytest.MonkeyPatch
) -> None:
    (first,) = await asked(study, ANN)
    monkeypatch.setattr(explanations, "MOST_PATIENCE", 0)
    with refused("not_explained"):
        await study.ask(BEN, print)
    worker.free.set()
    assert await first == ANN
