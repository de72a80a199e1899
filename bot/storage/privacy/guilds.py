"""Guilds that the bot has left: their tables close at once, and their data goes in the end.

Removing a guild takes seconds (7 for 100,000 tables), and people elsewhere should not wait for it.
So it goes in pieces (of 0.15 s at most), in an order in which none shows anything wrong: first the
guild's records, all of them at once; then its games, some at a time. The time of leaving `BEGUN`
marks a removal under way, so that it is finished even after a crash.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    RowMapping,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)

from bot.storage.choices import GuildId, Guilds
from bot.storage.database import Database
from bot.storage.dialect import ANSWERING, advisory_lock, lock_tables
from bot.storage.reading import Reader
from bot.storage.schema.base import Fate, IdKind, marked
from bot.storage.schema.choice_tables import servers
from bot.storage.schema.game_tables import BEHIND, UNFINISHED, seats, sessions, standing_reminders
from bot.storage.schema.record_tables import RECORDS
from bot.storage.schema.tournament_tables import tournaments
from bot.storage.table_rows import settled_state
from bot.storage.tables import Tables
from bot.storage.tournament_rows import call_off_at
from bot.storage.values import EPOCH, Values
from bot.table.session import Ending, Phase
from bot.table.table import NO_CHANNEL

BEGUN: Final = EPOCH

_SETTLE: Final = (
    update(sessions).where(sessions.c.id == bindparam("of")).values(state=bindparam("settled"))
)

LOOKED_THROUGH: Final = 20_000
"""The most sessions of all guilds looked through in one transaction."""

PARTED, DELETED = 1_000, 200
"""The most finished games that lose their guild, and tables deleted, in one transaction."""

BATCH: Final = 500
"""The most people whose records one statement drops."""


class GuildData:
    """The stored data of guilds, and since when the bot is gone from each."""

    def __init__(self, database: Database, tables: Tables, settings: Guilds) -> None:
        self._database = database
        self._tables = tables
        self._settings = settings

    async def known(self) -> Mapping[GuildId, datetime | None]:
        """The guilds with stored data, each with the time when the bot left it, if it has."""
        query = select(servers.c.id, servers.c.left_at)
        return dict(
            await self._database.read(
                lambda reader: reader.rows(
                    servers, query, lambda row: (GuildId(row["id"]), row["left_at"])
                )
            )
        )

    async def leave(self, guild: GuildId, at: datetime) -> None:
        """Save when the bot left a guild, and close its tables and tournaments without a result.

        Its reminders are deleted; its boards count as lost, and no message there as behind.
        """
        await self._database.run(lambda c: _leave(c, guild, at))
        self._tables.cache.drop_guild(guild)

    async def come_back(self, guild: GuildId) -> None:
        """Take back that the bot left a guild, unless its data has begun to go."""
        left = (servers.c.id == guild) & (servers.c.left_at > BEGUN)
        back = update(servers).where(left).values(left_at=None)
        await self._database.run(lambda c: c.execute(back))

    async def clear(self, guild: GuildId) -> None:
        """Remove what is stored of a guild, unless the bot is back there.

        The games finished there belong to their players: they stay, as games of no guild. A removal
        that was broken off is continued by the next call.
        """
        known = await self._database.run(lambda c: _condemn(c, guild))
        if known is None:
            return
        self._settings.drop(guild)
        own = GuildTables()
        for start in range(0, known, LOOKED_THROUGH):
            until = min(start + LOOKED_THROUGH, known)
            look = partial(guild_tables, guild=guild, after=start, until=until)
            own |= await self._database.run(look)
        own, last = await self._database.run(lambda c: _drop_records(c, guild, own, known))
        for some in portions(own.finished, PARTED):
            await self._database.run(partial(part_from, numbers=some))
        for some in portions(own.abandoned, DELETED):
            await self._database.run(partial(delete_sessions, numbers=some))
        await self._database.run(lambda c: _forget(c, guild, last))
        self._tables.cache.drop_guild(guild)


def _leave(connection: Connection, guild: GuildId, at: datetime) -> None:
    lock_tables(connection)
    open_here = UNFINISHED & tables_of(guild)
    states = select(sessions.c.id, sessions.c.state).where(open_here)
    if settled := Reader(connection).rows(sessions, states, _settled):
        connection.execute(_SETTLE, settled)
    connection.execute(
        update(sessions)
        .where(open_here)
        .values(
            phase=Phase.ABANDONED,
            ending=case((sessions.c.phase == Phase.LOBBY, Ending.EXPIRED), else_=Ending.CLOSED),
            unattended=False,
            due=None,
            remind_at=None,
            nudge=None,
            message=None,
            moved_at=at,
            revision=sessions.c.revision + 1,
            shown=sessions.c.revision + 1,
        )
    )
    call_off_at(connection, tournaments.c.guild == guild)
    silenced = update(sessions).where(BEHIND, tables_of(guild))
    connection.execute(silenced.values(shown=sessions.c.revision, nudge=None))
    of_the_guild = exists().where(sessions.c.id == standing_reminders.c.session, tables_of(guild))
    connection.execute(delete(standing_reminders).where(of_the_guild))
    still_here = (servers.c.id == guild) & servers.c.left_at.is_(None)
    connection.execute(update(servers).where(still_here).values(left_at=at))


def _settled(row: RowMapping) -> Values:
    return {"of": row["id"], "settled": settled_state(row["state"])}


def _condemn(connection: Connection, guild: GuildId) -> int | None:
    """Delete a guild's settings; return the latest session's number, or None if the bot is back."""
    left_at = connection.execute(select(servers.c.left_at).where(servers.c.id == guild)).scalar()
    if left_at is None:
        return None
    _leave(connection, guild, left_at)  # what a person may have begun at the very last moment
    delete_settings(connection, guild)
    connection.execute(insert(servers), {"id": guild, "left_at": BEGUN})
    return connection.execute(select(func.max(sessions.c.id))).scalar() or 0


def _drop_records(
    connection: Connection, guild: GuildId, own: GuildTables, known: int
) -> tuple[GuildTables, int]:
    """Delete a guild's records; return its tables by then, and the latest session's number."""
    lock_tables(connection)
    latest = connection.execute(select(func.max(sessions.c.id))).scalar() or 0
    own |= guild_tables(connection, guild, known, latest)
    drop_records(connection, guild, own)
    return own, latest


def _forget(connection: Connection, guild: GuildId, last: int) -> None:
    """Delete the last rows of a guild; one that has come back meanwhile begins anew."""
    lock_tables(connection)
    played = exists().where(sessions.c.id > last, tables_of(guild))
    again = connection.execute(select(played)).scalar()
    delete_settings(connection, guild)
    if again:
        connection.execute(insert(servers), {"id": guild})


@dataclass(frozen=True, slots=True)
class GuildTables:
    """The numbers of a guild's tables that are over, their players, and their kinds of games."""

    finished: tuple[int, ...] = ()
    abandoned: tuple[int, ...] = ()
    people: frozenset[int] = frozenset()
    games: frozenset[str] = frozenset()

    def __or__(self, other: GuildTables) -> GuildTables:
        """The tables of both."""
        return GuildTables(
            self.finished + other.finished,
            self.abandoned + other.abandoned,
            self.people | other.people,
            self.games | other.games,
        )


def portions(numbers: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Split numbers into pieces of a size."""
    for start in range(0, len(numbers), size):
        yield numbers[start : start + size]


def tables_of(guild: GuildId) -> ColumnElement[bool]:
    """The condition that a table is a guild's own; without the bot it belongs to its people."""
    return (sessions.c.guild == guild) & sessions.c.unreachable.is_(False)


def guild_tables(connection: Connection, guild: GuildId, after: int, until: int) -> GuildTables:
    """A guild's tables among the sessions numbered above `after`, up to `until`.

    There is no index of guilds: it would grow with every game, and serve only here.
    """
    own = (sessions.c.id > after, sessions.c.id <= until, tables_of(guild))
    rows = connection.execute(select(sessions.c.id, sessions.c.phase, sessions.c.game).where(*own))
    tables = rows.all()
    if not tables:
        return GuildTables()
    players = (
        select(seats.c.person)
        .distinct()
        .join(sessions, seats.c.session == sessions.c.id)
        .where(*own, sessions.c.phase == Phase.FINISHED, seats.c.person.is_not(None))
    )
    return GuildTables(
        finished=tuple(row.id for row in tables if row.phase == Phase.FINISHED),
        abandoned=tuple(row.id for row in tables if row.phase == Phase.ABANDONED),
        people=frozenset(connection.execute(players).scalars()),
        games=frozenset(row.game for row in tables),
    )


def drop_records(connection: Connection, guild: GuildId, own: GuildTables) -> None:
    """Delete a guild's own records.

    A person forgotten since the people were looked for is among the former players now.
    """
    people = [*portions(sorted(own.people), BATCH)]
    for column in _deleted(of_players=True):
        key = column.table.c
        for whose in (key.person < 0, *map(key.person.in_, people)):
            counted = whose & key.game.in_(own.games) & (column == guild)
            connection.execute(delete(column.table).where(counted))


def part_from(connection: Connection, numbers: Sequence[int]) -> None:
    """Make finished games games of no guild, which count everywhere as they did before.

    They no longer lead to their rematch either, which was a button of their message.
    """
    for column, mark in marked(IdKind.GUILD):
        if mark.fate is not Fate.EMPTIED:
            continue
        key = column.table.c
        emptied = {
            name: None if key[name].nullable else NO_CHANNEL for name in (column.name, *mark.along)
        }
        session = key.id if column.table is sessions else key.session
        gone = update(column.table).where(session.in_(numbers))
        connection.execute(gone.values(emptied))


def delete_sessions(connection: Connection, numbers: Sequence[int]) -> None:
    """Delete tables with their seats, moves and interactions."""
    connection.execute(delete(sessions).where(sessions.c.id.in_(numbers)))


def delete_settings(connection: Connection, guild: GuildId) -> None:
    """Delete a guild's settings, its news, puzzles and tournaments, and that it was ever known."""
    advisory_lock(connection, ANSWERING)
    for column in _deleted(of_players=False):
        connection.execute(delete(column.table).where(column == guild))


def _deleted(*, of_players: bool) -> Iterator[Column[Any]]:
    """The columns of a guild whose rows go with it: records of its players, or all others."""
    for column, mark in marked(IdKind.GUILD):
        if mark.fate is Fate.DELETED and (column.table in RECORDS) is of_players:
            yield column
