"""Discord's ids: 42 bits of milliseconds since 2015 began, then 22 that keep them apart."""

from __future__ import annotations

from typing import Final, NewType

from bot.sandbox.clock import SandboxClock

Snowflake = NewType("Snowflake", int)
"""The id of anything: a person, a channel, a message, an interaction."""

EPOCH: Final = 1_420_070_400_000
"""The beginning of 2015, in milliseconds since 1970 began."""

_FOUNDED: Final = 1_704_067_200_000 - EPOCH


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
