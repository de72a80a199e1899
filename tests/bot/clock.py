"""A clock that tests set by hand."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta


class ManualClock:
    """Stands still until it is moved on; then whoever waits for a time that has come wakes."""

    def __init__(self, start: datetime = datetime(2026, 5, 1, 12, tzinfo=UTC)) -> None:
        self._now = start
        self._waiting: list[tuple[datetime, asyncio.Future[None]]] = []
        self._somebody_waits = asyncio.Event()

    def now(self) -> datetime:
        return self._now

    async def until(self, moment: datetime) -> None:
        if moment > self._now:
            woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append((moment, woken))
            self._somebody_waits.set()
            await woken

    async def waited_for(self, by: int = 1) -> None:
        """Return when so many wait for a time that has not come yet."""
        while len(self._waiting) < by:
            self._somebody_waits.clear()
            await self._somebody_waits.wait()

    def advance(self, by: timedelta) -> None:
        """Let time pass, or set the clock back, after which all wait as long as before."""
        self._now += by
        if by < timedelta():
            self._waiting = [(moment + by, woken) for moment, woken in self._waiting]
        due = [woken for moment, woken in self._waiting if moment <= self._now]
        self._waiting = [(moment, woken) for moment, woken in self._waiting if moment > self._now]
        for woken in due:
            if not woken.done():
                woken.set_result(None)
