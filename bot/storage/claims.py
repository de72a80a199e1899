"""Claims of tables: among several processes one thinks about a turn.

A claim names its owner, a process by the first of its shards, and ends by itself after seconds. The
owner renews it while it is at work on the table, so that a search may take as long as it likes; a
process that dies, or stands still, hands on what it had claimed. The database's clock counts.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, select, update

from bot.clock import Clock
from bot.storage.database import Database
from bot.storage.errors import Unavailable
from bot.storage.schema.game_tables import sessions
from bot.storage.shards import Share
from bot.storage.values import database_now
from bot.table.session import SessionId

log = logging.getLogger(__name__)

LASTS: Final = timedelta(seconds=5)
"""The time for which other processes leave a claimed table alone."""

RENEWED_EVERY: Final = timedelta(seconds=1.5)

AT_ONCE: Final = 8
"""The most tables claimed at once; others are left to other processes and the next round."""


class Claim(NamedTuple):
    """The columns of a claim: the process that has the table, and for how long from now."""

    claimed_by: int | None
    claimed_until: timedelta | None


UNCLAIMED: Final = Claim(None, None)


class Claims:
    """The claims of this process. A process alone makes none, and all tables are its own."""

    def __init__(self, database: Database, clock: Clock, share: Share) -> None:
        self._database = database
        self._clock = clock
        self._owner = None if share.whole else min(share.numbers)
        self._held: set[SessionId] = set()

    def made(self) -> Claim | None:
        """A claim from now on; None for a process alone."""
        return None if self._owner is None else Claim(self._owner, LASTS)

    async def taken(
        self, condition: ColumnElement[bool], order: ColumnElement[datetime], **values: object
    ) -> Sequence[SessionId]:
        """Claim the free tables for which a condition holds, with its values by name."""
        claim = self.made()
        assert claim is not None, "a process alone claims nothing"
        free = sessions.c.claimed_until.is_(None) | (sessions.c.claimed_until <= database_now())
        found = select(sessions.c.id).where(condition, free).order_by(order).limit(AT_ONCE)
        taking = (
            update(sessions)
            .where(sessions.c.id.in_(found.with_for_update(skip_locked=True)))
            .values(claim._asdict())
            .returning(sessions.c.id)
        )
        rows = await self._database.run(lambda c: c.execute(taking, values).scalars().all())
        return [SessionId(row) for row in rows]

    @contextmanager
    def held(self, session: SessionId) -> Iterator[None]:
        """Keep a claim of this process from ending meanwhile."""
        self._held.add(session)
        try:
            yield
        finally:
            self._held.discard(session)

    async def renew(self) -> None:
        """Renew the claims that are held, until cancelled."""
        while True:
            await self._clock.until(self._clock.now() + RENEWED_EVERY)
            try:
                await self._renew()
            except Unavailable:
                log.debug("claims not renewed")
            except Exception as error:  # noqa: BLE001 - as on a full disk, which may have room again
                log.warning("claims not renewed error=%r", error)

    async def _renew(self) -> None:
        claim = self.made()
        if claim is None or not self._held:
            return
        own = sessions.c.id.in_(list(self._held)) & (sessions.c.claimed_by == claim.claimed_by)
        renewal = update(sessions).where(own).values(claimed_until=claim.claimed_until)
        await self._database.run(lambda c: c.execute(renewal))
