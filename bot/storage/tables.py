"""Tables in the database.

Saving is optimistic: a change is worked out from the table as it was read, and is written only if
the stored revision is still that one. `(session, ply)` is the primary key of a move, so two clicks
can never store both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from sqlalchemy import ColumnElement, bindparam, delete, func, literal_column, select, true, update

from bot.cache import KB, MB, Cache
from bot.clock import Clock
from bot.storage.database import Database
from bot.storage.errors import UnknownTable
from bot.storage.processes import UNCLAIMED, Claims
from bot.storage.reading import Reader
from bot.storage.schema.game_tables import (
    FINISHED,
    ROLLING,
    UNATTENDED,
    UNFINISHED,
    interactions,
    seats,
    sessions,
)
from bot.storage.shards import WHOLE, Share
from bot.storage.table_rows import ended_game, load
from bot.storage.table_sql import Note, accepted, carried_out, followed, open_new, save
from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.table.table import EndedTable, InteractionId, Table

TIME_IN_ID: Final = 22
"""The number of low bits in a Discord id; the bits above are milliseconds."""

LONGEST_UNMOVED: Final = sessions.c.moved_at.asc()

_DUE: Final = sessions.c.due <= bindparam("now")
_UNFINISHED_IN: Final = (sessions.c.channel == bindparam("channel")) & UNFINISHED
_UNFINISHED_OF: Final = UNFINISHED & sessions.c.id.in_(
    select(seats.c.session).where(seats.c.person == bindparam("person"))
)
_OWED: Final = UNATTENDED & ROLLING
_SILENT: Final = (
    UNFINISHED
    & (sessions.c.moved_at > bindparam("after"))
    & (sessions.c.moved_at <= bindparam("until"))
)


class Tables:
    """The tables of a database; a change is on the disk when the method returns.

    `cache` has the tables used last; with other processes on the database, a cached table is
    checked by its revision before use. `own` is the condition for tables of this process's share:
    only their messages and reminders are its task, while due turns go to the first claim.
    """

    def __init__(self, database: Database, clock: Clock, share: Share = WHOLE) -> None:
        self.database = database
        self.cache = TableCache()
        self.claims = Claims(database, clock, share)
        self.own = in_share(share, sessions.c.guild)
        self._silent = _SILENT & self.own
        self._clock = clock
        self._alone = share.whole

    async def table(self, session: SessionId) -> Table:
        """A table as it is stored, from the cache if possible.

        Raises:
            UnknownTable: It does not exist, or this version cannot read it.
        """
        known = self.cache.get(session)
        if known is not None and self._alone:
            return self.cache.keep(known)
        while True:
            drops = self.cache.drops
            read = partial(load, session=session, known=self.cache.get(session))
            known = await self.database.run(read, reading=True)
            if drops == self.cache.drops:  # else it may name a person forgotten meanwhile
                break
        self.database.unreadable.drop(sessions, session)
        meanwhile = self.cache.get(session)
        if self._alone and meanwhile is not None and meanwhile.revision == known.revision:
            return meanwhile  # its columns without a revision may be newer
        return self.cache.keep(known)

    async def open(
        self,
        table: Table,
        interaction: InteractionId,
        *,
        follows: Table | None = None,
        room: int | None = None,
    ) -> Table:
        """Save a new table and return it with its id; `follows` gets it as its rematch.

        At most `room` tables may wait or run in the channel, this one included. For a game against
        computers alone the host's own such games count, for any other game all the rest.

        Raises:
            Repeated: This interaction was carried out before.
            Crowded: There is no room.
            Conflict: `follows` has changed.
        """
        note = Note(interaction, self._clock.now())
        drops = self.cache.drops
        try:
            opened = await self.database.run(
                lambda c: open_new(c, table, note, follows, room, claim=self.claims.made())
            )
        except BaseException:  # also a cancellation: the change may have been carried out
            if follows is not None:
                self.cache.drop(follows.id)
            raise
        if follows is not None:
            self.cache.keep(followed(follows, opened.id), drops)
        return self.cache.keep(opened, drops)

    async def save(self, before: Table, after: Table, interaction: InteractionId | None) -> Table:
        """Save a change of a table, with the interaction's id if one made it; return the result.

        Raises:
            Repeated: The interaction was carried out before.
            Conflict: `before` is not the stored table.
        """
        note = None if interaction is None else Note(interaction, self._clock.now())
        drops = self.cache.drops
        try:
            claim = None if self._alone else self.claims.made()
            awards = await self.database.run(lambda c: save(c, before, after, note, claim=claim))
        except BaseException:  # also a cancellation: the change may have been carried out
            self.cache.drop(before.id)
            raise
        known = self.cache.get(after.id) or after
        notice = after.notice if accepted(before, after) else known.notice
        late = known.remind_at if before.remind_at == after.remind_at else after.remind_at
        saved = replace(
            after,
            place=known.place,
            dice=known.dice,
            notice=notice,
            remind_at=late,
            awards=awards,
        )
        self.cache.keep(saved, drops)
        return saved

    async def carried_out(self, interaction: InteractionId) -> SessionId | None:
        """The table that an interaction opened or changed; None if it was not carried out."""
        return await self.database.run(lambda c: carried_out(c, interaction))

    async def forget_interactions(self, lasting: timedelta) -> None:
        """Delete the ids of interactions older than the latest by more than `lasting`.

        Discord will not repeat them. Their age is taken from the ids, as clocks can be set.
        """
        since = func.max(interactions.c.id) - (lasting // timedelta(milliseconds=1) << TIME_IN_ID)
        latest = select(since).scalar_subquery()
        old = delete(interactions).where(interactions.c.id < latest)
        await self.database.run(lambda c: c.execute(old))

    async def due(self, now: datetime) -> Sequence[SessionId]:
        """The tables whose `due` time has come, claimed for this process."""
        return await self._claimed(_DUE, now=now)

    async def unattended(self) -> Sequence[SessionId]:
        """The tables where no person decides the next ply, claimed for this process."""
        return await self._claimed(_OWED)

    async def attend(self, table: Table) -> None:
        """Note that a person decides the next ply of a table, whose row says otherwise.

        Such rows are those of an upgrade, after which they are to be looked at.
        """
        own = (sessions.c.id == table.id) & (sessions.c.revision == table.revision)
        noted = update(sessions).where(own).values(unattended=False, **UNCLAIMED._asdict())
        await self.database.run(lambda c: c.execute(noted))

    def held(self, session: SessionId) -> AbstractContextManager[None]:
        """Keep this process's claim of a table while the block runs."""
        return self.claims.held(session)

    async def idle(self, after: datetime, until: datetime) -> Sequence[SessionId]:
        """The unfinished tables with `after` < last move <= `until`."""
        return await self.where(self._silent, after=after, until=until)

    async def unfinished(self, channel: int) -> Sequence[SessionId]:
        """The unfinished tables of a channel, the least recently changed first."""
        return await self.where(_UNFINISHED_IN, channel=channel)

    async def unfinished_of(self, person: PersonId) -> Sequence[SessionId]:
        """The unfinished tables where a person has a seat."""
        return await self.where(_UNFINISHED_OF, person=person)

    async def finished(self, channel: int, person: PersonId) -> Sequence[EndedTable]:
        """The latest finished games of a channel, and those of a person, the latest first."""
        return await self.database.read(lambda reader: ended(reader, channel, person))

    async def those(self, numbers: Iterable[SessionId]) -> Sequence[Table]:
        """The tables with these ids; what is gone or cannot be read is left out."""
        found = []
        for number in numbers:
            with suppress(UnknownTable):
                found.append(await self.table(number))
        return found

    async def where(
        self,
        condition: ColumnElement[bool],
        order: ColumnElement[Any] = LONGEST_UNMOVED,
        **values: object,
    ) -> Sequence[SessionId]:
        """The ids of the tables that meet a condition, as in `Database.numbers`."""
        rows = await self.database.numbers(sessions, condition, order=order, **values)
        return [SessionId(row) for row in rows]

    async def _claimed(
        self, condition: ColumnElement[bool], **values: object
    ) -> Sequence[SessionId]:
        if self._alone:
            return await self.where(condition, LONGEST_UNMOVED, **values)
        readable = self.database.unreadable.none_of(sessions.c.id)
        return await self.claims.taken(condition & readable, LONGEST_UNMOVED, **values)


def in_share(share: Share, guild: ColumnElement[Any]) -> ColumnElement[bool]:
    """The condition that a row's guild belongs to a share, as in `Share.owns`."""
    if share.whole or share.count is None:
        return true()
    shard = func.coalesce(guild, 0).bitwise_rshift(literal_column("22")) % share.count
    return shard.in_(sorted(share.numbers))


MOST_LISTED: Final = 100
"""The most games listed of a channel, and of a person."""

_COLUMNS: Final = ("id", "game", "host", "ending", "moved_at", "state")
_ENDED = select(*(sessions.c[name] for name in _COLUMNS)).where(FINISHED)
_HERE = (
    _ENDED.where(sessions.c.channel == bindparam("channel"))
    .order_by(sessions.c.moved_at.desc())
    .limit(MOST_LISTED)
)
_OWN = (
    _ENDED.join(seats, seats.c.session == sessions.c.id)
    .where(seats.c.person == bindparam("person"))
    .order_by(seats.c.session.desc())
    .limit(MOST_LISTED)
)
"""In the order of the index of seats by person, so that only the rows listed are read."""


def ended(reader: Reader, channel: int, person: PersonId) -> Sequence[EndedTable]:
    """The latest finished games of a channel, and those of a person, the latest first."""
    read = (
        *reader.rows(sessions, _HERE, partial(ended_game, own=False), {"channel": channel}),
        *reader.rows(sessions, _OWN, partial(ended_game, own=True), {"person": person}),
    )
    games = {game.id: game for game in read if game is not None}
    return sorted(games.values(), key=lambda game: (game.at, game.id), reverse=True)


GOING: Final = 8 * MB
"""The bytes for about 1,200 tables in memory, so that a press need not replay its game."""

OVER: Final = 512 * KB
"""The bytes for tables whose game is over, of which few are needed again."""

WITHOUT_MOVES: Final = 6 * KB
A_MOVE: Final = 8
"""Estimated bytes of a table (seats, position, log), and of each of its moves."""


def weight(table: Table) -> int:
    """The estimated bytes of a table in memory."""
    return WITHOUT_MOVES + A_MOVE * len(table.session.moves)


class TableCache:
    """The tables used last, each to be trusted only for its revision.

    `drops` counts how often the tables of a person or guild, or all, were dropped.
    """

    def __init__(self) -> None:
        self.drops = 0
        self._going: Cache[SessionId, Table] = Cache("tables", GOING, weight)
        self._over: Cache[SessionId, Table] = Cache("tables_over", OVER, weight)
        self.parts = self._going, self._over

    def get(self, session: SessionId) -> Table | None:
        """The table in memory, if it is there."""
        return self._going.get(session) or self._over.get(session)

    def keep(self, table: Table, drops: int | None = None) -> Table:
        """Put a table in memory unless a later state is there; return the later one.

        A state read by one thread may arrive after a newer one that another thread saved. With
        `drops`, as counted before the database was asked, the table is not put in memory if tables
        were dropped since, as it might have been among them; an earlier state goes from there too.
        """
        known = self.get(table.id)
        if known is not None and known.revision > table.revision:
            return known
        if drops not in {None, self.drops}:
            self.drop(table.id)
            return table
        over = table.session.ending is not None
        kept, other = (self._over, self._going) if over else (self._going, self._over)
        other.drop(table.id)
        return kept.keep(table.id, table)

    def change(self, session: SessionId, change: Callable[[Table], Table]) -> None:
        """Change a table if it is in memory."""
        known = self.get(session)
        if known is not None:
            self.keep(change(known))

    def drop(self, session: SessionId) -> None:
        """Drop a table from memory."""
        for each in self.parts:
            each.drop(session)

    def drop_guild(self, guild: int) -> None:
        """Drop the tables of a guild from memory."""
        self._drop_where(lambda table: table.place.guild == guild)

    def drop_person(self, person: PersonId) -> None:
        """Drop the tables that name a person from memory."""
        self._drop_where(
            lambda table: (
                person in {table.session.host, table.notice} or table.session.concerns(person)
            )
        )

    def clear(self) -> None:
        """Drop all tables from memory."""
        self.drops += 1
        for each in self.parts:
            each.clear()

    def _drop_where(self, condition: Callable[[Table], bool]) -> None:
        self.drops += 1
        for table in (*self._going.values(), *self._over.values()):
            if condition(table):
                self.drop(table.id)
