"""Work that is due without a press: tables out of time, and computers that owe a move."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final, TypeAlias

from bot.clock import Clock
from bot.service.jobs import apart
from bot.service.tables import TableService
from bot.storage.tables import Tables
from bot.table.session import SessionId
from bot.table.table import Table

REPEATS_END: Final = timedelta(hours=1)
"""The time after which Discord repeats no interaction."""

Show: TypeAlias = Callable[[Table], Awaitable[None]]


class DueWork:
    """The work of this process that is due without a press."""

    def __init__(self, tables: TableService, stored: Tables, clock: Clock) -> None:
        self._tables = tables
        self._stored = stored
        self._clock = clock

    async def run(self, show: Show) -> None:
        """Do what is due, and show each table as soon as it has changed.

        Raises:
            ExceptionGroup: What went wrong at some of them.
        """

        async def shown(change: Awaitable[Table]) -> None:
            await show(await change)

        due = await self._stored.due(self._clock.now())
        owed = await self._stored.unattended()
        with apart() as items:

            async def time_out(session: SessionId) -> None:
                await items.do(shown(self._tables.time_out(session)), session)

            async def go_on(session: SessionId) -> None:
                await items.do(shown(self._tables.go_on(session, owed=True)), session)

            await asyncio.gather(*map(time_out, due), *map(go_on, owed))

    async def forget_interactions(self) -> None:
        """Delete the ids of interactions that Discord repeats no more."""
        await self._stored.forget_interactions(REPEATS_END)
