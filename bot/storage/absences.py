"""The times in which the bot was not there, for each of its shards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, delete, insert, or_, select, update

from bot.storage.database import Database
from bot.storage.schema.choice_tables import absences
from bot.storage.shards import Shard, Share

KEPT: Final = timedelta(days=30)


class AbsenceStore:
    """The absences of all processes; those of this one's share are written."""

    def __init__(self, database: Database, share: Share) -> None:
        self._database = database
        self._shards = [Shard(number, share.count or 1) for number in share.numbers or {0}]

    async def be_here(self, now: datetime, *, since_last: bool) -> None:
        """Save that the bot is there; `since_last` it was, else it was away since the last time."""
        await self._database.run(lambda c: self._note(c, now, since_last=since_last))

    async def of(
        self, guild: int, since: datetime
    ) -> tuple[Sequence[tuple[datetime, datetime]], datetime | None]:
        """The absences from the shard of a guild that ended after a time, and when it was there."""
        lately = or_(absences.c.ended > since, absences.c.ended.is_(None))
        query = select(absences).where(lately).order_by(absences.c.began)
        rows = await self._database.run(lambda c: c.execute(query).all())
        own = [row for row in rows if Shard(row.shard, row.shards).covers(guild)]
        past = [(row.began, row.ended) for row in own if row.ended is not None]
        return past, max((row.began for row in own if row.ended is None), default=None)

    def _note(self, connection: Connection, now: datetime, *, since_last: bool) -> None:
        for shard in self._shards:
            own = (absences.c.shards == shard.count) & (absences.c.shard == shard.number)
            present = own & absences.c.ended.is_(None)
            if not since_last:
                connection.execute(delete(absences).where(own, absences.c.ended < now - KEPT))
                left = update(absences).where(present, absences.c.began < now)
                connection.execute(left.values(ended=now))
            there = update(absences).where(present).values(began=now)
            if connection.execute(there).rowcount == 0:
                values = {"shards": shard.count, "shard": shard.number, "began": now}
                connection.execute(insert(absences).values(values))
