"""What follows when a person leaves a server: their games against computers alone close there.

Discord tells nobody of it who lacks a privileged intent, so it is asked once about the player of
each such game that has been idle for a while.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Final, Protocol, TypeAlias

from bot.service.guild_settings import GuildId
from bot.service.ports import Clock
from bot.service.tables import Service, Show
from bot.table.refusals import UnknownControl
from bot.table.seats import PersonId
from bot.table.session import SOLO_SILENCE_LASTS, SessionId

log = logging.getLogger(__name__)

IDLE: Final = timedelta(minutes=10)

HasLeft: TypeAlias = Callable[[GuildId, PersonId], Awaitable[bool]]
"""Whether a person is no member of a server any more."""


class IdleTables(Protocol):
    """Finds tables at which nothing happens."""

    async def idle(self, after: datetime, until: datetime) -> Sequence[SessionId]:
        """The tables that wait or run whose last move was later than `after`, at most `until`."""


class Leavers:
    """Looks after the games of people who have left."""

    def __init__(self, tables: Service, store: IdleTables, clock: Clock) -> None:
        self._tables = tables
        self._store = store
        self._clock = clock
        self._looked = clock.now() - SOLO_SILENCE_LASTS

    async def tend(self, has_left: HasLeft, show: Show) -> None:
        """Closes the games whose players have left, of those that have become idle since."""
        after, self._looked = self._looked, self._clock.now() - IDLE
        for session in await self._store.idle(after, self._looked):
            try:
                await self._look_at(session, has_left, show)
            except UnknownControl:
                log.debug("table of an unknown game left alone session=%s", session)

    async def _look_at(self, session: SessionId, has_left: HasLeft, show: Show) -> None:
        table = await self._tables.table(session)
        if not table.session.solo or table.place.guild is None:
            return
        if await has_left(GuildId(table.place.guild), table.session.people[0]):
            await show(await self._tables.close_alone(session))
            log.info("game of a person who left closed session=%s", session)
