"""All stores of a database, opened together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from sqlalchemy import Connection

from bot.clock import Backoff, Clock
from bot.storage.choices import FORGOTTEN, Guilds, People
from bot.storage.database import Database, NewDatabase
from bot.storage.errors import Unavailable
from bot.storage.messages import Messages, Reminders
from bot.storage.news import NewsStore
from bot.storage.opening import opened
from bot.storage.privacy.guilds import GuildData
from bot.storage.privacy.store import PersonalDataStore
from bot.storage.processes import PAUSE, AbsenceStore, Notes, Processes
from bot.storage.records.queries import Records
from bot.storage.shards import WHOLE, Share
from bot.storage.tables import Tables
from bot.storage.tournaments import TournamentStore
from bot.table.seats import PersonId

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Stores:
    """The stores of one database, each named for its content."""

    database: Database
    tables: Tables
    messages: Messages
    reminders: Reminders
    notes: Notes
    news: NewsStore
    people: People
    guilds: Guilds
    records: Records
    tournaments: TournamentStore
    absences: AbsenceStore
    personal_data: PersonalDataStore
    guild_data: GuildData
    share: Share
    turn: Callable[[int], Awaitable[None]] | None
    """Waits for the turn of a shard to identify itself; None if no other process is there."""


@asynccontextmanager
async def stores(
    address: str,
    clock: Clock,
    share: Share = WHOLE,
    timed: Callable[[float], None] = lambda _: None,
    *,
    new_database: NewDatabase = Database,
    allow: Callable[[Connection], None] = lambda _: None,
) -> AsyncIterator[Stores]:
    """Open the database at a URL, and all stores of it, for a process with this share.

    `timed` and `allow` are as in `opened`.

    Raises:
        StorageError: It cannot be used.
    """
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(
            opened(address, share, timed, new_database=new_database, allow=allow)
        )
        tables = Tables(database, clock, share)
        people, guilds = (
            await People.loaded(database, shared=not share.whole),
            await Guilds.loaded(database),
        )
        others = None if share.whole else Processes(address)
        if others is not None:
            stack.push_async_callback(others.close)
            for work in (_follow(others, tables, people), tables.claims.renew()):
                await stack.enter_async_context(_meanwhile(work))
        yield Stores(
            database=database,
            tables=tables,
            messages=Messages(tables),
            reminders=Reminders(tables),
            notes=Notes(database),
            news=NewsStore(database),
            people=people,
            guilds=guilds,
            records=Records(database),
            tournaments=TournamentStore(tables, share),
            absences=AbsenceStore(database, share),
            personal_data=PersonalDataStore(database, tables, people),
            guild_data=GuildData(database, tables, guilds),
            share=share,
            turn=None if others is None else others.take_turn,
        )


@asynccontextmanager
async def _meanwhile(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _follow(others: Processes, tables: Tables, people: People) -> None:
    """Keep memory up to date with the news of other processes, until cancelled."""
    backoff = Backoff(PAUSE)
    async for news in others.news():
        what, _, person = (news or "").partition(" ")
        concerned = PersonId(int(person)) if person.isdecimal() else None
        if what == FORGOTTEN and concerned is not None:
            tables.cache.drop_person(concerned)
            async with people.changing:
                people.drop(concerned)
        while True:
            try:
                await people.reload(None if concerned is None else [concerned])
                break
            except Exception as error:  # noqa: BLE001 - whatever it is, it is tried again
                if not isinstance(error, Unavailable):
                    log.warning("changes of other processes not read error=%r", error)
                concerned = None  # more news may have been missed: reload all
                await asyncio.sleep(backoff.uneven_pause())
