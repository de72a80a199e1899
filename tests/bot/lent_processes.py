"""Processes that think for one test after the other: to start one takes a tenth of a second."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar, cast

from bot.service.search_pool import GRACE_SECONDS
from bot.service.search_processes import SearchProcesses
from engine import review
from tests.bot.counted_time import counted

T = TypeVar("T")

PATIENCE: Final = 10
"""The factor by which searches may take longer, on a busy machine."""


class Lender:
    """Lends a process for each niceness, as many as are asked for; none gives way to others."""

    def __init__(self) -> None:
        self._owned: dict[int, SearchProcesses] = {}
        self._puzzles: dict[tuple[object, ...], Any] = {}

    def __call__(self, _: int, niceness: int = 0, /) -> LentProcesses:
        if niceness not in self._owned:
            self._owned[niceness] = SearchProcesses(1)
        return LentProcesses(self._owned[niceness], self._puzzles)

    def close(self) -> None:
        """End the processes."""
        for each in self._owned.values():
            each.close()


class LentProcesses:
    """The use of processes until they are given back, when all that was asked of them ends.

    The puzzle of a day, which takes seconds to make, is asked of them once. The time of searches
    is counted by what they do.
    """

    def __init__(self, processes: SearchProcesses, puzzles: dict[tuple[object, ...], Any]) -> None:
        self._processes = processes
        self._puzzles = puzzles
        self._under_way: set[asyncio.Task[Any]] = set()

    async def answer(self, work: Callable[..., T], about: tuple[object, ...], allowed: float) -> T:
        if work is review.puzzle and about in self._puzzles:
            return cast("T", self._puzzles[about])
        if allowed > GRACE_SECONDS:  # else a test gives so little that it is late
            allowed *= PATIENCE
        answering = self._processes.answer(partial(counted, work), about, allowed)
        asked = asyncio.create_task(answering)
        self._under_way.add(asked)
        try:
            answer = await asked
            if work is review.puzzle:
                self._puzzles[about] = answer
            return answer
        finally:
            self._under_way.discard(asked)

    def close(self) -> None:
        for each in self._under_way:
            each.cancel()
