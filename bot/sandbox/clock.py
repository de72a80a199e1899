"""The time of the sandbox: the machine's, or one that tests move by hand."""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import Callable
from itertools import count
from typing import Protocol


class Timer(Protocol):
    """Something that will happen, unless it is cancelled first."""

    def cancel(self) -> None:
        """Make it not happen; nothing if it has happened already."""


class Clock(Protocol):
    """What the sandbox asks for the time."""

    def now(self) -> float:
        """Seconds since 1970 began, UTC."""

    def after(self, seconds: float, action: Callable[[], None]) -> Timer:
        """A timer that calls `action` when `seconds` have passed on this clock."""


class RealClock:
    """The machine's own time."""

    def now(self) -> float:
        """Seconds since 1970 began, UTC."""
        return time.time()

    def after(self, seconds: float, action: Callable[[], None]) -> Timer:
        """A timer on the running event loop."""
        return asyncio.get_running_loop().call_later(seconds, action)


class _Alarm:
    def __init__(self, action: Callable[[], None]) -> None:
        self.action: Callable[[], None] | None = action

    def cancel(self) -> None:
        self.action = None


class ManualClock:
    """A time that stands still until `advance` is called."""

    def __init__(self, start: float | None = None) -> None:
        self._now = time.time() if start is None else start
        self._alarms: list[tuple[float, int, _Alarm]] = []
        self._order = count()

    def now(self) -> float:
        """Seconds since 1970 began, UTC."""
        return self._now

    def after(self, seconds: float, action: Callable[[], None]) -> Timer:
        """A timer that rings inside an `advance`."""
        alarm = _Alarm(action)
        heapq.heappush(self._alarms, (self._now + seconds, next(self._order), alarm))
        return alarm

    def advance(self, seconds: float) -> None:
        """Move the time on, ringing every timer on the way at its own moment."""
        end = self._now + seconds
        while self._alarms and self._alarms[0][0] <= end:
            self._now, _, alarm = heapq.heappop(self._alarms)
            if alarm.action is not None:
                alarm.action()
        self._now = end
