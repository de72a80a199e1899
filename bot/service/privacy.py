"""A person's data: shown to that person, and forgotten if they want it.

A person to be forgotten first leaves every table, as by its buttons, so that games end or go on as
usual. Where others play on and the person's place is certain, a former player keeps it. Then
everything that names the person is deleted in one transaction; results and moves that others need
stay under a former player, of whom nothing else is known. A database may keep copies of deleted
rows in unused parts of its file: they are removed once a day.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from random import Random
from typing import Final

from bot.clock import lately
from bot.storage.errors import StillSeated
from bot.storage.privacy.store import PersonalDataStore
from bot.table.refusals import Outdated, Refusal
from bot.table.seats import PersonId, former_player
from bot.table.session import SessionId
from bot.table.table import Table

log = logging.getLogger(__name__)

MOST_TRIES: Final = 20
"""The most tries to leave all tables, as others may seat the person again at the same moment."""

A_DAY: Final = timedelta(days=1)
"""The time between two removals of copies, and the longest wait for a moment without play."""

AN_HOUR: Final = timedelta(hours=1)
"""The time before another try after a reader or a full disk prevented the removal."""

QUIET: Final = timedelta(minutes=1)

Depart = Callable[[SessionId, PersonId], Awaitable[Table]]


class Privacy:
    """The use cases of exporting and forgetting what is known of a person."""

    def __init__(
        self,
        store: PersonalDataStore,
        depart: Depart,
        withdraw: Callable[[PersonId], Awaitable[None]],
        rng: Random,
    ) -> None:
        self._store = store
        self.knows, self.personal_data = store.knows, store.personal_data
        self._depart = depart
        self._withdraw = withdraw
        self._rng = rng
        self._tried: datetime | None = None
        self._pause = A_DAY
        self._waiting: datetime | None = None

    async def forget(self, person: PersonId) -> Sequence[Table]:
        """Forget a person; return the tables that they had to leave.

        Raises:
            StillSeated: Others have seated them again at each of `MOST_TRIES`.
        """
        left: dict[SessionId, Table] = {}
        for _ in range(MOST_TRIES):
            done: set[SessionId] = set()
            left |= {table.id: table for table in await self._leave(person, done)}
            with suppress(StillSeated):
                await self._store.forget(person, former_player(self._rng), done)
                return [*left.values()]
        raise StillSeated

    async def _leave(self, person: PersonId, done: set[SessionId]) -> Sequence[Table]:
        """The tables left; in `done` are those whose game is over, for the person at least."""
        left: list[Table] = []
        await self._withdraw(person)  # from tournaments, whose tables come next
        for session in await self._store.seated(person):
            try:
                left.append(await self._depart(session, person))
            except Outdated:
                done.add(session)
            except Refusal:  # the seat was left or taken away meanwhile
                continue
        return left

    async def run_due(self, now: datetime) -> None:
        """Remove copies of forgotten people's rows once a day, if possible when nobody plays."""
        if self._tried is not None and lately(self._tried, now, self._pause):
            return
        if not await self._store.copies_left():
            return
        self._waiting = self._waiting or now
        if now - self._waiting >= A_DAY or await self._store.quiet(now - QUIET):
            erased = await self._store.erase()
            self._tried, self._pause = now, A_DAY if erased else AN_HOUR
            if erased:
                self._waiting = None
                log.info("copies of forgotten people removed")
