"""JSON objects as they travel over the wire, with Discord's form of moments and of ids.

The time of the sandbox runs with the machine's, or stands still, and can be moved on.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, NewType, Protocol, TypeAlias, TypeGuard


class Timer(Protocol):
    """An action that is due, unless it is cancelled first."""

    def cancel(self) -> None:
        """Make it not happen; nothing if it has happened already."""


class SandboxClock(Protocol):
    """The clock of a sandbox."""

    def now(self) -> float:
        """Seconds since 1970 began, UTC."""

    def after(self, seconds: float, action: Callable[[], None]) -> Timer:
        """A timer that calls `action` when `seconds` have passed on this clock."""

    def advance(self, seconds: float) -> None:
        """Move the time on, ringing every timer on the way."""


class _Alarm:
    def __init__(self, due: float, action: Callable[[], None]) -> None:
        self.due = due
        self.action: Callable[[], None] | None = action
        self.handle: asyncio.TimerHandle | None = None

    def cancel(self) -> None:
        self.action = None
        if self.handle is not None:
            self.handle.cancel()

    def ring(self) -> None:
        action, self.action = self.action, None
        if action is not None:
            action()


class RealClock:
    """The machine's time, or that of `time`, and the seconds by which it was moved on.

    Timers ring after as many seconds of the machine's time, unless it is moved on.
    """

    def __init__(self, time: Callable[[], float] = time.time) -> None:
        self._time = time
        self._ahead = 0.0
        self._alarms: list[_Alarm] = []

    def now(self) -> float:
        """Seconds since 1970 began, UTC."""
        return self._time() + self._ahead

    def after(self, seconds: float, action: Callable[[], None]) -> Timer:
        """A timer on the running event loop."""
        alarm = _Alarm(self.now() + seconds, action)
        self._alarms = [each for each in self._alarms if each.action is not None]
        self._alarms.append(alarm)
        self._wait(alarm)
        return alarm

    def advance(self, seconds: float) -> None:
        """Move the time on, ringing every timer on the way, in order."""
        self._ahead += seconds
        for alarm in sorted(self._alarms, key=lambda alarm: alarm.due):
            if alarm.due <= self.now():
                alarm.ring()
            else:
                self._wait(alarm)

    def _wait(self, alarm: _Alarm) -> None:
        if alarm.handle is not None:
            alarm.handle.cancel()
        if alarm.action is not None:
            loop = asyncio.get_running_loop()
            alarm.handle = loop.call_later(alarm.due - self.now(), alarm.ring)


class BotClock:
    """The sandbox's time as a bot tells it and waits for it."""

    def __init__(self, clock: SandboxClock) -> None:
        self._clock = clock

    def now(self) -> datetime:
        """The time now, in UTC."""
        return datetime.fromtimestamp(self._clock.now(), UTC)

    async def until(self, moment: datetime) -> None:
        """Returns at `moment`, or at once when it has passed."""
        seconds = (moment - self.now()).total_seconds()
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        reached = asyncio.Event()
        timer = self._clock.after(seconds, reached.set)
        try:
            await reached.wait()
        finally:
            timer.cancel()


Payload: TypeAlias = dict[str, object]
"""A JSON object. Once sent it is never changed: observers and clients may still hold it."""

Snowflake = NewType("Snowflake", int)
"""The id of anything: milliseconds since 2015 began, then 22 bits that keep ids apart."""

EPOCH: Final = 1_420_070_400_000
"""The beginning of 2015, in milliseconds since 1970 began."""

_FOUNDED: Final = 1_704_067_200_000 - EPOCH
_LONGEST_ID: Final = 20


def fixed(number: int) -> Snowflake:
    """The `number`th id of those that are the same at every start, made early in 2024."""
    return Snowflake((_FOUNDED + number) << 22)


class Mint:
    """Ids of the clock's present, each greater than the one before."""

    def __init__(self, clock: SandboxClock) -> None:
        self._clock = clock
        self._last = 0

    def __call__(self) -> Snowflake:
        """The next id."""
        present = (int(self._clock.now() * 1000) - EPOCH) << 22
        self._last = max(self._last + 1, present)
        return Snowflake(self._last)


def snowflake(value: object) -> Snowflake:
    """The id that a page or a path names; 0, which is nothing's, where it is no id."""
    text = str(value)
    return Snowflake(int(text) if text.isdecimal() and len(text) <= _LONGEST_ID else 0)


def each(value: object, keys: str) -> Payload:
    """The same value for each of the keys, which stand between spaces."""
    return dict.fromkeys(keys.split(), value)


def parsed(raw: bytes | str) -> object:
    """The JSON value that was sent.

    Raises:
        ValueError: It is no JSON, or is nested too deep to be any.
    """
    try:
        value: object = json.loads(raw)
    except RecursionError:
        raise ValueError("The JSON is nested too deep.") from None
    return value


def is_object(value: object) -> TypeGuard[Payload]:
    """Whether the JSON value is an object."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[object]]:
    """Whether the JSON value is an array."""
    return isinstance(value, list)


def moment(seconds: float) -> str:
    """The moment, given in seconds since 1970 began, as Discord writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
