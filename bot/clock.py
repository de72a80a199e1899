"""The time, passed in: what it is, and waiting for it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits for it."""

    def now(self) -> datetime:
        """The time now, in UTC."""

    async def until(self, moment: datetime) -> None:
        """Returns at `moment`, or at once when it has passed."""


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        """The time now, in UTC."""
        return datetime.now(UTC)

    async def until(self, moment: datetime) -> None:
        """Returns at `moment`, or at once when it has passed."""
        await asyncio.sleep(max(0.0, (moment - self.now()).total_seconds()))
