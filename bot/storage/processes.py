"""What the processes of the bot tell each other through their database.

Claims of tables: among several processes one thinks about a turn. A claim names its owner, a
process by the first of its shards, and ends by itself after seconds. The owner renews it while it
is at work on the table, so that a search may take as long as it likes; a process that dies, or
stands still, hands on what it had claimed. The database's clock counts.

Absences: the times in which the bot was not there, for each of its shards. Notes: values kept under
keys, such as the commands that Discord was last told. On PostgreSQL the processes hear each other's
news, and identify their shards in turn.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, create_engine, delete, insert, or_, select, update
from sqlalchemy.dialects.postgresql import insert as insert_new
from sqlalchemy.engine import make_url

from bot.clock import Backoff, Clock
from bot.storage.database import Database
from bot.storage.errors import Unavailable
from bot.storage.postgres_server import CONNECTING, HOLDING, NEWS
from bot.storage.schema.choice_tables import absences, notes
from bot.storage.schema.game_tables import sessions
from bot.storage.shards import Shard, Share
from bot.storage.values import lapsed
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
        free = sessions.c.claimed_until.is_(None) | lapsed(sessions.c.claimed_until, LASTS)
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
            ahead = own & (absences.c.ended > now)  # the clock was set back since
            connection.execute(delete(absences).where(ahead, absences.c.began >= now))
            connection.execute(update(absences).where(ahead).values(ended=now))
            if not since_last:
                connection.execute(delete(absences).where(own, absences.c.ended < now - KEPT))
                last = _last_there(connection, shard)
                if last is not None and last < now:
                    replaced = absences.c.ended.is_(None) | (absences.c.began == last)
                    connection.execute(delete(absences).where(own, replaced))
                    away = {"shards": shard.count, "shard": shard.number, "began": last}
                    connection.execute(insert(absences).values(away | {"ended": now}))
            there = update(absences).where(present).values(began=now)
            if connection.execute(there).rowcount == 0:
                values = {"shards": shard.count, "shard": shard.number, "began": now}
                connection.execute(insert(absences).values(values))


def _last_there(connection: Connection, shard: Shard) -> datetime | None:
    """The last time that guilds of a shard had a bot, also of other counts of shards."""
    there = connection.execute(select(absences).where(absences.c.ended.is_(None))).all()
    met = (row.began for row in there if shard.meets(Shard(row.shard, row.shards)))
    return max(met, default=None)


class Notes:
    """Values kept under keys."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, key: str) -> str | None:
        """The value last kept under a key."""
        query = select(notes.c.value).where(notes.c.key == key)
        return await self._database.run(lambda c: c.execute(query).scalar())

    async def write(self, key: str, value: str) -> None:
        """Keep a value under a key, in place of the last one."""
        note = insert_new(notes).values(key=key, value=value)
        kept = {"value": note.excluded.value}
        upsert = note.on_conflict_do_update(index_elements=[notes.c.key], set_=kept)
        await self._database.run(lambda c: c.execute(upsert))


def has_note(connection: Connection, key: str) -> bool:
    """Whether a value is kept under a key."""
    return connection.execute(select(notes.c.key).where(notes.c.key == key)).first() is not None


def delete_note(connection: Connection, key: str) -> None:
    """Delete the value under a key."""
    connection.execute(delete(notes).where(notes.c.key == key))


if TYPE_CHECKING:
    from psycopg import AsyncConnection


IDENTIFYING: Final = 0x7061726F
"""The first number of the lock for identifying a shard; the second is the bucket."""

APART: Final = 5.0
"""Seconds that Discord wants between two."""

PAUSE: Final = 1.0
"""Seconds until a server that was away is asked again."""


class Processes:
    """This process among the others on a database."""

    def __init__(self, address: str) -> None:
        url = make_url(address).set(drivername="postgresql+psycopg")
        self._given = {**create_engine(url).dialect.create_connect_args(url)[1], **CONNECTING}
        self._holding: set[asyncio.Task[None]] = set()

    async def news(self) -> AsyncGenerator[str | None, None]:
        """The news of the others; None when some may have been missed, as at the beginning."""
        backoff = Backoff(PAUSE)
        while True:
            try:
                async with self._connected() as session:
                    await session.execute(f"LISTEN {NEWS}")
                    yield None
                    async for notice in session.notifies():
                        yield notice.payload
            except Exception as error:  # noqa: BLE001 - whatever it is, what comes later counts
                _tell("news of other processes", error)
            await asyncio.sleep(backoff.uneven_pause())

    async def take_turn(self, bucket: int) -> None:
        """Wait until a shard of the bucket may identify itself; for 5 s no other one may."""
        taken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        holding = asyncio.create_task(self._hold(bucket, taken), name=f"identify {bucket}")
        self._holding.add(holding)
        holding.add_done_callback(self._holding.discard)
        try:
            await taken
        except asyncio.CancelledError:
            holding.cancel()
            raise

    async def close(self) -> None:
        """Give all turns back."""
        for holding in self._holding:
            holding.cancel()
        await asyncio.gather(*self._holding, return_exceptions=True)

    async def _hold(self, bucket: int, taken: asyncio.Future[None]) -> None:
        """Take the lock of a bucket, and keep it for as long as Discord wants."""
        backoff = Backoff(PAUSE)
        while not taken.done():
            try:
                async with self._connected() as session:
                    await session.execute("SELECT pg_advisory_lock(%s, %s)", (IDENTIFYING, bucket))
                    taken.set_result(None)
                    await asyncio.sleep(APART)
            except Exception as error:  # noqa: BLE001 - or the shard would never start
                _tell("turn to identify", error)
                await asyncio.sleep(backoff.uneven_pause())

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[AsyncConnection[Any]]:
        from psycopg import AsyncConnection  # noqa: PLC0415 - an extra

        async with await AsyncConnection.connect(autocommit=True, **self._given) as session:
            await session.execute("; ".join(HOLDING))
            yield session


def _tell(what: str, error: Exception) -> None:
    """Log that something broke off, aloud unless a connection was lost."""
    from psycopg import OperationalError  # noqa: PLC0415 - an extra

    level = logging.DEBUG if isinstance(error, OperationalError) else logging.WARNING
    log.log(level, "%s broke off error=%r", what, error)
