"""Guilds that the bot has left: their tables are closed at once, their data is deleted later.

Deleting a guild takes seconds (7 for 100,000 tables), and people elsewhere should not wait for it.
So it is done in transactions of at most 0.15 s, none of which leaves anything wrong: first all the
guild's records at once, then its games in batches. `BEGUN` as the time of leaving marks a deletion
under way, which is then finished even after a crash.
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

from bot.storage.choices import USUAL, GuildId, Guilds
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
"""The most sessions, of whatever guild, searched in one transaction."""

PARTED, DELETED = 1_000, 200
"""The most finished games detached from their guild, and the most tables deleted, at a time."""

BATCH: Final = 500
"""The most people whose records one statement deletes."""


class GuildData:
    """The stored data of guilds, and when the bot left each of them."""

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

        Its reminders are deleted, unfinished tables lose their messages, and no table is behind.
        """
        await self._database.run(lambda c: _leave(c, guild, at))
        self._tables.cache.drop_guild(guild)

    async def come_back(self, guild: GuildId) -> None:
        """Undo `leave`'s time, unless the deletion of the guild's data has begun."""
        left = (servers.c.id == guild) & (servers.c.left_at > BEGUN)
        back = update(servers).where(left).values(left_at=None)
        await self._database.run(lambda c: c.execute(back))

    async def clear(self, guild: GuildId) -> None:
        """Delete a guild's data, unless the bot is back there.

        The games finished there belong to their players and stay, as games of no guild. The next
        call continues a deletion that was interrupted.
        """
        async with self._settings.changing:
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
        async with self._settings.changing:
            chosen = self._settings.of(guild) != USUAL  # by a manager who added the bot again
            await self._database.run(lambda c: _forget(c, guild, last, chosen=chosen))
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
    """Delete a guild's settings; return the latest session's id, or None if the bot is back."""
    left_at = connection.execute(select(servers.c.left_at).where(servers.c.id == guild)).scalar()
    if left_at is None:
        return None
    _leave(connection, guild, left_at)  # closes what began after the bot's leaving was saved
    delete_settings(connection, guild)
    connection.execute(insert(servers), {"id": guild, "left_at": BEGUN})
    return connection.execute(select(func.max(sessions.c.id))).scalar() or 0


def _drop_records(
    connection: Connection, guild: GuildId, own: GuildTables, known: int
) -> tuple[GuildTables, int]:
    """Delete a guild's records; return its tables with those after `known`, and the latest id."""
    lock_tables(connection)
    latest = connection.execute(select(func.max(sessions.c.id))).scalar() or 0
    own |= guild_tables(connection, guild, known, latest)
    drop_records(connection, guild, own)
    return own, latest


def _forget(connection: Connection, guild: GuildId, last: int, *, chosen: bool) -> None:
    """Delete a guild's last rows; if games began after session `last`, keep an empty `server`.

    If settings were `chosen` since the deletion began, all rows are later ones and stay.
    """
    lock_tables(connection)
    if chosen:
        own = servers.c.id == guild
        connection.execute(update(servers).where(own).values(left_at=None))
        return
    played = exists().where(sessions.c.id > last, tables_of(guild))
    again = connection.execute(select(played)).scalar()
    delete_settings(connection, guild)
    if again:
        connection.execute(insert(servers), {"id": guild})


@dataclass(frozen=True, slots=True)
class GuildTables:
    """The ids of a guild's tables that are over, their players, and their kinds of games."""

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
    """Split numbers into slices of at most `size`."""
    for start in range(0, len(numbers), size):
        yield numbers[start : start + size]


def tables_of(guild: GuildId) -> ColumnElement[bool]:
    """The condition that a table is in a guild with the bot; elsewhere its players own it."""
    return (sessions.c.guild == guild) & sessions.c.unreachable.is_(False)


def guild_tables(connection: Connection, guild: GuildId, after: int, until: int) -> GuildTables:
    """A guild's tables among the sessions with `after` < id <= `until`.

    There is no index by guild: it would grow with every game, and serve only here.
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
    """Delete a guild's own records of the people in `own`, and of all former players.

    A person may have been forgotten, and so become a former player, since `own` was read.
    """
    people = [*portions(sorted(own.people), BATCH)]
    for column in _deleted(of_players=True):
        key = column.table.c
        for whose in (key.person < 0, *map(key.person.in_, people)):
            counted = whose & key.game.in_(own.games) & (column == guild)
            connection.execute(delete(column.table).where(counted))


def part_from(connection: Connection, numbers: Sequence[int]) -> None:
    """Detach finished games from their guild, channel, message and rematch.

    They go on counting in the records everywhere.
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
    """Delete all rows of a guild, such as settings, news, puzzles and tournaments, but records."""
    advisory_lock(connection, ANSWERING)
    for column in _deleted(of_players=False):
        connection.execute(delete(column.table).where(column == guild))


def _deleted(*, of_players: bool) -> Iterator[Column[Any]]:
    """The columns that name a guild in rows deleted with it: of records, or of other tables."""
    for column, mark in marked(IdKind.GUILD):
        if mark.fate is Fate.DELETED and (column.table in RECORDS) is of_players:
            yield column
