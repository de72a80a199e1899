"""Everything that is stored, opened together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.service.ports import Clock
from bot.storage.database import Database, opened
from bot.storage.guild_settings import SqlGuilds
from bot.storage.people import SqlPeople
from bot.storage.privacy.guilds import SqlGuildData
from bot.storage.privacy.store import SqlPersonalData
from bot.storage.records.queries import SqlRecords
from bot.storage.tables import SqlStore


@dataclass(frozen=True, slots=True)
class Stores:
    """The stores of one database, each named for what it keeps."""

    database: Database
    tables: SqlStore
    people: SqlPeople
    guilds: SqlGuilds
    records: SqlRecords
    personal_data: SqlPersonalData
    guild_data: SqlGuildData


@asynccontextmanager
async def stores(address: str, clock: Clock) -> AsyncIterator[Stores]:
    """The stores of the database at a URL.

    Raises:
        StorageError: It cannot be used.
    """
    async with opened(address) as database:
        tables = SqlStore(database, clock)
        people, guilds = await SqlPeople.loaded(database), await SqlGuilds.loaded(database)
        yield Stores(
            database=database,
            tables=tables,
            people=people,
            guilds=guilds,
            records=SqlRecords(database),
            personal_data=SqlPersonalData(database, tables, people),
            guild_data=SqlGuildData(database, tables, guilds),
        )
