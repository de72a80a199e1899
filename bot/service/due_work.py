"""Work that is due without a press: tables out of time, and computers that owe a move."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final, TypeAlias

from bot.clock import Clock
from bot.service.tables import Service
from bot.storage.errors import Unavailable
from bot.storage.tables import Tables
from bot.table.refusals import UnknownControl
from bot.table.table import Table

log = logging.getLogger(__name__)

REPEATS_END: Final = timedelta(hours=1)
"""The time after which Discord repeats no interaction."""

Show: TypeAlias = Callable[[Table], Awaitable[None]]


class DueWork:
    """The work of this process that is due without a press."""

    def __init__(self, tables: Service, stored: Tables, clock: Clock) -> None:
        self._tables = tables
        self._stored = stored
        self._clock = clock
        self._swept = clock.now()

    async def run(self, show: Show) -> None:
        """Do what is due, and show each table as soon as it has changed.

        An error at one table holds no other up.
        """
        now = self._clock.now()
        due = [self._tables.time_out(session) for session in await self._stored.due(now)]
        owed = [
            self._tables.go_on(session, owed=True) for session in await self._stored.unattended()
        ]
        await asyncio.gather(*(_apart(change, show) for change in (*due, *owed)))
        if now - self._swept > REPEATS_END:
            await self._stored.forget_interactions(now - REPEATS_END)
            self._swept = now


async def _apart(change: Awaitable[Table], show: Show) -> None:
    try:
        await show(await change)
    except UnknownControl:
        log.debug("table of an unknown game left alone")
    except Unavailable:
        log.debug("table left for the next round")
    except Exception:
        log.exception("due work failed")
