"""Servers' settings, in SQL; all of them are in memory, as with people's choices.

Of several processes the one that has a server's shard alone reads and changes its settings.
"""

from __future__ import annotations

from asyncio import Lock
from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace
from typing import Final, Self, Unpack

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.postgresql import insert

from bot.service.guild_settings import USUAL_GAMES, GuildChoices, GuildId, GuildSettings
from bot.storage.database import Database
from bot.storage.people import keep_choices
from bot.storage.schema import server_channels, servers
from bot.table.seats import BoardLook

USUAL: Final = GuildSettings()


class SqlGuilds:
    """A `bot.service.ports.Guilds` on a database."""

    def __init__(self, database: Database, known: dict[GuildId, GuildSettings]) -> None:
        self._database = database
        self._known = known
        self._in_turn = Lock()  # what is in memory is changed in the order of what is stored

    @classmethod
    async def loaded(cls, database: Database) -> Self:
        """The settings of a database."""
        return cls(database, await database.run(load))

    def server(self, guild: GuildId) -> GuildSettings:
        """See `Guilds`."""
        return self._known.get(guild, USUAL)

    def let_go(self, guild: GuildId) -> None:
        """Has nothing of a server's settings at hand any more, since they were removed."""
        self._known.pop(guild, None)

    async def list_channels(
        self, guild: GuildId, *, listed: Collection[int] = (), delisted: Collection[int] = ()
    ) -> None:
        """See `Guilds`."""
        async with self._in_turn:
            await self._database.run(lambda c: _list(c, guild, listed, delisted))
            known = self.server(guild)
            channels = known.channels.difference(delisted).union(listed)
            self._known[guild] = replace(known, channels=channels)

    async def choose(self, guild: GuildId, **chosen: Unpack[GuildChoices]) -> None:
        """See `Guilds`."""
        async with self._in_turn:
            await self._database.run(lambda c: keep_choices(c, servers, guild, chosen))
            self._known[guild] = replace(self.server(guild), **chosen)


def load(connection: Connection) -> dict[GuildId, GuildSettings]:
    """The settings of all servers that have chosen any."""
    channels: defaultdict[GuildId, set[int]] = defaultdict(set)
    for row in connection.execute(select(server_channels)):
        channels[GuildId(row.server)].add(row.channel)
    return {
        GuildId(row.id): GuildSettings(
            channels=frozenset(channels[GuildId(row.id)]),
            games=USUAL_GAMES if row.games is None else row.games,
            language=row.language,
            board=BoardLook.EMOJI if row.board is None else BoardLook(row.board),
        )
        for row in connection.execute(select(servers))
    }


def _list(
    connection: Connection, guild: GuildId, listed: Collection[int], delisted: Collection[int]
) -> None:
    connection.execute(insert(servers).values(id=guild).on_conflict_do_nothing())
    own = server_channels.c.server == guild
    touched = server_channels.c.channel.in_([*listed, *delisted])
    connection.execute(delete(server_channels).where(own & touched))
    if listed:
        rows = [{"server": guild, "channel": channel} for channel in listed]
        connection.execute(insert(server_channels).on_conflict_do_nothing(), rows)
