"""The clock: the machine's own, or in tests one that they set."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from functools import partial
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits for it."""

    def now(self) -> datetime:
        """The time now, in UTC."""

    async def until(self, moment: datetime) -> None:
        """Return at `moment`, or at once if it has passed."""


class SystemClock:
    """The clock of this machine."""

    now = staticmethod(partial(datetime.now, UTC))

    async def until(self, moment: datetime) -> None:
        """Return at `moment`, or at once if it has passed."""
        await asyncio.sleep(max(0.0, (moment - self.now()).total_seconds()))
