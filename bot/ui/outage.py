"""What waits for Discord while it has trouble: one message tries for all until it is back."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Final

from bot.table.session import SessionId
from bot.table.table import Table
from bot.ui.attempts import uneven

log = logging.getLogger(__name__)

FIRST_PAUSE: Final = 0.25
LONGEST_PAUSE: Final = 2.0
"""Seconds between two tries: they double from the one to the other."""

MOST_TRIES: Final = 3
"""How often a message may fail that others do not fail beside."""


class Outage:
    """The tables whose messages Discord did not take for trouble of its own.

    `attempt` brings a message up to date and says whether Discord had an answer to that; `give_up`
    is told of a table where it alone has none.
    """

    def __init__(
        self,
        attempt: Callable[[Table], Awaitable[bool]],
        give_up: Callable[[Table], None],
    ) -> None:
        self._attempt = attempt
        self._give_up = give_up
        self._waiting: dict[SessionId, Table] = {}
        self._failed: Counter[SessionId] = Counter()
        self._trying: asyncio.Task[None] | None = None

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, table: Table) -> None:
        """Has a message tried again soon."""
        self._waiting[table.id] = table
        if self._trying is None or self._trying.done():
            self._trying = asyncio.create_task(self._try(), name="try what Discord did not take")

    def close(self) -> None:
        """Tries nothing any more."""
        self._waiting.clear()
        if self._trying is not None:
            self._trying.cancel()

    async def _try(self) -> None:
        pause = FIRST_PAUSE
        while self._waiting:
            await asyncio.sleep(uneven(pause))
            first = next(iter(self._waiting.values()))
            if not await self._attempt(first):
                self._waiting[first.id] = self._waiting.pop(first.id)  # behind the others
                pause = min(2 * pause, LONGEST_PAUSE)
                continue
            pause = FIRST_PAUSE
            del self._waiting[first.id], self._failed[first.id]
            await self._catch_up()

    async def _catch_up(self) -> None:
        """Tries all that wait, since Discord has an answer again."""
        waiting, self._waiting = [*self._waiting.values()], {}
        answered = await asyncio.gather(*map(self._attempt, waiting))
        for table, success in zip(waiting, answered, strict=True):
            self._failed[table.id] += 1
            if success:
                del self._failed[table.id]
            elif self._failed[table.id] >= MOST_TRIES:
                del self._failed[table.id]
                self._give_up(table)
            else:
                self._waiting[table.id] = table
        if waiting:
            log.info("boards caught up count=%d taken=%d", len(waiting), sum(answered))
