"""The absences of the bot, which are nobody's thinking.

It is away without a process, without its gateway, and while Discord takes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from bot.clock import Clock
from bot.storage.processes import AbsenceStore

NOTED_EVERY: Final = timedelta(seconds=15)
"""The time between two notes that the bot is there, by which an absence may seem longer."""

Absence: TypeAlias = tuple[datetime, datetime]


class Absences:
    """Notes that the bot is there, and tells how long it was not."""

    def __init__(self, stored: AbsenceStore, clock: Clock) -> None:
        self._stored = stored
        self._clock = clock
        self._here = False

    async def note(self, *, here: bool) -> None:
        """Note whether the bot is there just now."""
        if here:
            await self._stored.be_here(self._clock.now(), since_last=self._here)
        self._here = here

    async def since(self, time: datetime, guild: int | None) -> Sequence[Absence]:
        """The absences from a guild that ended after a time, and the one that lasts."""
        past, last = await self._stored.of(guild or 0, time)
        return past if self._here else [*past, (last or time, self._clock.now())]


def overlap(absences: Sequence[Absence], since: datetime, until: datetime) -> timedelta:
    """The time between two others in which the bot was away."""
    shared = (min(until, end) - max(since, begin) for begin, end in absences)
    return sum((max(each, timedelta()) for each in shared), timedelta())
