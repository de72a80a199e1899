"""Everything that is stored, opened together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from bot.service.guild_settings import WHOLE, Share
from bot.service.ports import Clock, Turn, Unavailable
from bot.storage.database import Database
from bot.storage.guild_settings import SqlGuilds
from bot.storage.opening import opened
from bot.storage.people import FORGOTTEN, SqlPeople
from bot.storage.privacy.guilds import SqlGuildData
from bot.storage.privacy.store import SqlPersonalData
from bot.storage.processes import PAUSE, Processes
from bot.storage.records.queries import SqlRecords
from bot.storage.tables import SqlStore
from bot.table.seats import PersonId


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
    share: Share
    turn: Turn | None
    """Lets a shard identify itself in turn with those of other processes, if there are any."""


@asynccontextmanager
async def stores(address: str, clock: Clock, share: Share = WHOLE) -> AsyncIterator[Stores]:
    """The stores of the database at a URL, for a process with a share of the work.

    Raises:
        StorageError: It cannot be used.
    """
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(opened(address, share))
        tables = SqlStore(database, clock, share)
        people, guilds = (
            await SqlPeople.loaded(database, alone=share.whole),
            await SqlGuilds.loaded(database),
        )
        others = None if share.whole else Processes(address)
        if others is not None:
            stack.push_async_callback(others.close)
            for work in (_follow(others, tables, people), tables.claims.renew()):
                await stack.enter_async_context(_meanwhile(work))
        yield Stores(
            database=database,
            tables=tables,
            people=people,
            guilds=guilds,
            records=SqlRecords(database),
            personal_data=SqlPersonalData(database, tables, people),
            guild_data=SqlGuildData(database, tables, guilds),
            share=share,
            turn=None if others is None else others.take_turn,
        )


@asynccontextmanager
async def _meanwhile(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Has work go on until the end."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _follow(others: Processes, tables: SqlStore, people: SqlPeople) -> None:
    """Keeps what is in memory in step with what other processes change."""
    async for news in others.news():
        what, _, person = (news or "").partition(" ")
        concerned = PersonId(int(person)) if person else None
        if what == FORGOTTEN and concerned is not None:
            tables.let_go_of(concerned)
            people.let_go_of(concerned)
        while True:
            try:
                await people.reload(None if concerned is None else [concerned])
                break
            except Unavailable:
                concerned = None  # more may be missed
                await asyncio.sleep(PAUSE)
