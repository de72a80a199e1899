"""What the processes of the bot tell each other through their database.

Claims of tables: of several processes, one thinks about a turn. A claim names its process by the
first of its shards, and expires after seconds, by the database's clock. The process renews it while
it works on the table, however long; if the process dies or hangs, the table becomes free.

Absences: the times in which the bot was away, for each shard. Notes: values kept under keys, such
as the commands that were last registered with Discord, or the application whose bot the database
belongs to. On PostgreSQL processes notify each other of
changes (`news`), and take turns to identify their shards to the gateway.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, create_engine, delete, insert, or_, select, update
from sqlalchemy.dialects.postgresql import insert as insert_new
from sqlalchemy.engine import make_url

from bot.clock import Backoff, Clock
from bot.storage.database import Database
from bot.storage.errors import StorageError, Unavailable
from bot.storage.postgres_server import CONNECTING, HOLDING, NEWS
from bot.storage.schema.choice_tables import absences, notes
from bot.storage.schema.game_tables import sessions
from bot.storage.shards import Shard, Share
from bot.storage.values import lapsed
from bot.table.session import SessionId
from bot.table.table import made_at

log = logging.getLogger(__name__)

LASTS: Final = timedelta(seconds=5)
"""The length of a claim, unless it is renewed."""

RENEWED_EVERY: Final = timedelta(seconds=1.5)

AT_ONCE: Final = 8
"""The most tables claimed at once; the rest is left to other processes and the next round."""


class Claim(NamedTuple):
    """The columns of a claim: the first shard of its process, and its length from now."""

    claimed_by: int | None
    claimed_until: timedelta | None


UNCLAIMED: Final = Claim(None, None)


class Claims:
    """The claims of this process. With all shards it makes none: all tables are its own."""

    def __init__(self, database: Database, clock: Clock, share: Share) -> None:
        self._database = database
        self._clock = clock
        self._owner = None if share.whole else min(share.numbers)
        self._held: set[SessionId] = set()

    def made(self) -> Claim | None:
        """A new claim of this process; None if it has all shards."""
        return None if self._owner is None else Claim(self._owner, LASTS)

    async def taken(
        self, condition: ColumnElement[bool], order: ColumnElement[datetime], **values: object
    ) -> Sequence[SessionId]:
        """Claim up to `AT_ONCE` free tables that meet a condition; `values` are its parameters."""
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
        """Have a claim of this process renewed while the block runs."""
        self._held.add(session)
        try:
            yield
        finally:
            self._held.discard(session)

    async def renew(self) -> None:
        """Renew the claims that are held, every `RENEWED_EVERY`, until cancelled."""
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
    """The absences of all shards; this process writes those of its own shards."""

    def __init__(self, database: Database, share: Share) -> None:
        self._database = database
        self._shards = [Shard(number, share.count or 1) for number in share.numbers or {0}]

    async def be_here(self, now: datetime, *, since_last: bool) -> None:
        """Save that the bot is there now; without `since_last` it was away since the last time."""
        await self._database.run(lambda c: self._note(c, now, since_last=since_last))

    async def of(
        self, guild: int, since: datetime
    ) -> tuple[Sequence[tuple[datetime, datetime]], datetime | None]:
        """A guild's absences (from, to) ended after `since`, and when its shard was last there."""
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
            ahead = own & (absences.c.ended > now)  # the clock has been set back
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
    """The last time that any of a shard's guilds had a bot, even with another count of shards."""
    there = connection.execute(select(absences).where(absences.c.ended.is_(None))).all()
    met = (row.began for row in there if shard.meets(Shard(row.shard, row.shards)))
    return max(met, default=None)


APPLICATION: Final = "application"
"""The key of the note that has the id of the application whose bot the database belongs to."""

BOTS_NAMED_ALIKE: Final = datetime(2017, 1, 1, tzinfo=UTC)
"""A time since which Discord gives a bot the id of its application; it began during 2016."""


class Notes:
    """Values kept under keys."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, key: str) -> str | None:
        """The value of a key, if it has one."""
        query = select(notes.c.value).where(notes.c.key == key)
        return await self._database.run(lambda c: c.execute(query).scalar())

    async def write(self, key: str, value: str) -> None:
        """Set the value of a key."""
        note = insert_new(notes).values(key=key, value=value)
        kept = {"value": note.excluded.value}
        upsert = note.on_conflict_do_update(index_elements=[notes.c.key], set_=kept)
        await self._database.run(lambda c: c.execute(upsert))

    async def belong_to(self, application: int) -> None:
        """Have the database belong to an application's bot, unless it belongs to one already.

        Another bot is not in the same servers, so all their games would be closed.

        Raises:
            StorageError: It belongs to another bot.
        """
        first = {"key": APPLICATION, "value": str(application)}
        claim = insert_new(notes).values(first).on_conflict_do_nothing()

        def claimed(connection: Connection) -> str | None:
            connection.execute(claim)
            return of_another_bot(owner_of(connection), application)

        if (refusal := await self._database.run(claimed)) is not None:
            raise StorageError(refusal)


def let_play(connection: Connection, sandbox: int) -> None:
    """Make sure that a sandbox, whose bot is this application's, may play with the database.

    Raises:
        StorageError: It belongs to another bot, whose messages would be forgotten.
    """
    if (owner := owner_of(connection)) not in {None, str(sandbox)}:
        raise StorageError(
            f"The database belongs to a bot on Discord (application {owner}), and without a "
            "token the sandbox would play with it; set DISCORD_TOKEN, or give the sandbox a "
            "database of its own in DATABASE_URL."
        )


def let_start(connection: Connection, bot: int | None) -> None:
    """Make sure that the database is not known to belong to another bot, before a login.

    Only the login tells the application. Of old ones the bot has another id: they pass here, as
    does a bot whose id is not known.

    Raises:
        StorageError: It belongs to another bot.
    """
    owner = owner_of(connection)
    refusal = bot and of_another_bot(owner, bot)
    if owner and refusal and made_at(int(owner)) >= BOTS_NAMED_ALIKE:
        raise StorageError(refusal)


def owner_of(connection: Connection) -> str | None:
    """The id of the application whose bot the database belongs to; None before the first start."""
    return connection.execute(select(notes.c.value).where(notes.c.key == APPLICATION)).scalar()


def of_another_bot(owner: str | None, application: int) -> str | None:
    """The sentence that a database belongs to another bot than an application's, if it does."""
    if owner in {None, str(application)}:
        return None
    return (
        f"The database belongs to another bot (application {owner}, this one is {application}); "
        "use that bot's token, or give this one a database of its own in DATABASE_URL. To hand "
        "the data over, invite this bot to the same servers, then parlour export FILE, and parlour "
        "import FILE into the new database."
    )


def has_note(connection: Connection, key: str) -> bool:
    """Whether a value is kept under a key."""
    return connection.execute(select(notes.c.key).where(notes.c.key == key)).first() is not None


def delete_note(connection: Connection, key: str) -> None:
    """Delete the value under a key."""
    connection.execute(delete(notes).where(notes.c.key == key))


if TYPE_CHECKING:
    from psycopg import AsyncConnection


IDENTIFYING: Final = 0x7061726F
"""The first number of the advisory lock for identifying a shard; the second is its bucket."""

APART: Final = 5.0
"""Seconds that Discord wants between two shards of a bucket that identify."""

PAUSE: Final = 1.0
"""The first pause, in seconds, before the database server is tried again."""


class Processes:
    """This process's link to the other ones on a PostgreSQL database."""

    def __init__(self, address: str) -> None:
        url = make_url(address).set(drivername="postgresql+psycopg")
        self._given = {**create_engine(url).dialect.create_connect_args(url)[1], **CONNECTING}
        self._holding: set[asyncio.Task[None]] = set()

    async def news(self) -> AsyncGenerator[str | None, None]:
        """Yield news of other processes; None when some may have been missed, as at the start."""
        backoff = Backoff(PAUSE)
        while True:
            try:
                async with self._connected() as session:
                    await session.execute(f"LISTEN {NEWS}")
                    yield None
                    async for notice in session.notifies():
                        yield notice.payload
            except Exception as error:  # noqa: BLE001 - whatever it is, later news count
                _tell("news of other processes", error)
            await asyncio.sleep(backoff.uneven_pause())

    async def take_turn(self, bucket: int) -> None:
        """Wait until a shard of a bucket may identify itself; the next one can 5 s later."""
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
        """Release all locks of buckets."""
        for holding in self._holding:
            holding.cancel()
        await asyncio.gather(*self._holding, return_exceptions=True)

    async def _hold(self, bucket: int, taken: asyncio.Future[None]) -> None:
        """Take the lock of a bucket, resolve `taken`, and release the lock after `APART`."""
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
    """Log that something broke off: as a warning, but a lost connection only for debugging."""
    from psycopg import OperationalError  # noqa: PLC0415 - an extra

    level = logging.DEBUG if isinstance(error, OperationalError) else logging.WARNING
    log.log(level, "%s broke off error=%r", what, error)
