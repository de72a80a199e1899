"""Guilds that the bot has left: their tables close at once, and their data goes in the end.

Removing a guild takes seconds (7 for 100,000 tables), and people elsewhere should not wait for it.
So it goes in pieces (of 0.15 s at most), in an order in which none shows anything wrong: first the
guild's records, all of them at once; then its games, some at a time. The time of leaving `BEGUN`
marks a removal under way, so that it is finished even after a crash.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Final

from sqlalchemy import Connection, case, delete, exists, func, insert, select, update

from bot.storage.database import Database
from bot.storage.dialect import alone
from bot.storage.guild_settings import GuildId, Guilds
from bot.storage.privacy.guild_rows import (
    GuildTables,
    delete_sessions,
    delete_settings,
    drop_records,
    guild_tables,
    part_from,
    portions,
    tables_of,
)
from bot.storage.schema.choice_tables import servers
from bot.storage.schema.game_tables import BEHIND, UNFINISHED, sessions, standing_reminders
from bot.storage.schema.tournament_tables import LIVE, tournaments
from bot.storage.tables import Tables
from bot.storage.values import EPOCH
from bot.table.session import Ending, Phase
from bot.tournaments.tournament import Stage

BEGUN: Final = EPOCH

LOOKED_THROUGH: Final = 20_000
"""The most sessions of all guilds looked through in one transaction."""

PARTED, DELETED = 1_000, 200
"""The most finished games that lose their guild, and tables deleted, in one transaction."""


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
        """Save when the bot left a guild, and close the tables there without a result.

        Their messages count as lost, and no message in the guild as behind.
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
    alone(connection)
    connection.execute(
        update(sessions)
        .where(UNFINISHED, tables_of(guild))
        .values(
            phase=Phase.ABANDONED,
            ending=case((sessions.c.phase == Phase.LOBBY, Ending.EXPIRED), else_=Ending.CLOSED),
            offer=None,
            take_back=None,
            lapsed=False,
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
    held = update(tournaments).where(LIVE, tournaments.c.guild == guild)
    following = tournaments.c.revision + 1
    off = {"stage": Stage.CALLED_OFF, "due": None, "revision": following, "shown": following}
    connection.execute(held.values(off))
    silenced = update(sessions).where(BEHIND, tables_of(guild))
    connection.execute(silenced.values(shown=sessions.c.revision, nudge=None))
    of_the_guild = exists().where(sessions.c.id == standing_reminders.c.session, tables_of(guild))
    connection.execute(delete(standing_reminders).where(of_the_guild))
    still_here = (servers.c.id == guild) & servers.c.left_at.is_(None)
    connection.execute(update(servers).where(still_here).values(left_at=at))


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
    alone(connection)
    latest = connection.execute(select(func.max(sessions.c.id))).scalar() or 0
    own |= guild_tables(connection, guild, known, latest)
    drop_records(connection, guild, own)
    return own, latest


def _forget(connection: Connection, guild: GuildId, last: int) -> None:
    """Delete the last rows of a guild; one that came back meanwhile is as if it were new."""
    alone(connection)
    played = exists().where(sessions.c.id > last, tables_of(guild))
    again = connection.execute(select(played)).scalar()
    delete_settings(connection, guild)
    if again:
        connection.execute(insert(servers), {"id": guild})
