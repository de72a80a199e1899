"""Time: the machine's clock, or in tests one that they set, and the pauses between retries."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from random import uniform
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits for it."""

    def now(self) -> datetime:
        """The time now, in UTC."""

    async def until(self, moment: datetime) -> None:
        """Return at `moment`, or at once if it has passed."""


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        """The time now, in UTC."""
        return datetime.now(UTC)

    async def until(self, moment: datetime) -> None:
        """Return at `moment`, or at once if it has passed."""
        await asyncio.sleep(max(0.0, (moment - self.now()).total_seconds()))


class LoopClock(SystemClock):
    """The event loop's clock, which goes on steadily whatever the machine's is set to."""

    def now(self) -> datetime:
        """Return the loop's time as if the loop had begun in 1970."""
        return datetime.fromtimestamp(asyncio.get_running_loop().time(), UTC)


def lately(moment: datetime, now: datetime, within: timedelta) -> bool:
    """Whether a moment was less than `within` ago; False for a future one, after a clock change."""
    return timedelta() <= now - moment < within


def ahead(moment: datetime, now: datetime, most: timedelta) -> bool:
    """Whether a moment is in the future, by at `most` that much; see `lately`."""
    return timedelta() < moment - now <= most


class Backoff:
    """Growing pauses between retries, in seconds: each twice the last, up to `longest`.

    Without `longest` all are as long as the `first`.
    """

    def __init__(self, first: float, longest: float | None = None) -> None:
        self._first = self._next = first
        self._longest = first if longest is None else longest

    def pause(self) -> float:
        """The seconds until the next try."""
        pause, self._next = self._next, min(2 * self._next, self._longest)
        return pause

    def uneven_pause(self) -> float:
        """A pause that is varied, so that requests are not all repeated at once."""
        return self.pause() * uniform(0.5, 1.5)

    def reset(self) -> None:
        """Begin with the `first` pause again, since a try has succeeded."""
        self._next = self._first
