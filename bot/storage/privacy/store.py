"""The data of a person: found, read, and given up."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Final

from sqlalchemy import select

from bot.storage.database import Database
from bot.storage.people import People
from bot.storage.privacy import read
from bot.storage.privacy.erase import copies_left, forget, no_copies_left, seated
from bot.storage.privacy.personal_data_file import Json, PersonalData
from bot.storage.records.puzzles import answers
from bot.storage.schema.game_tables import interactions
from bot.storage.sqlite_file import ANYTHING
from bot.storage.tables import Tables
from bot.table.seats import PersonId
from bot.table.session import SessionId

BATCH: Final = 50
"""The most games read at a time; other work has its turn in between."""


class PersonalDataStore:
    """The data of people, in the database and in memory."""

    def __init__(self, database: Database, tables: Tables, people: People) -> None:
        self._database = database
        self._tables = tables
        self._people = people
        self._traces: set[bytes] = set()

    async def knows(self, person: PersonId) -> bool:
        """Whether anything is stored about a person."""
        return await self._database.run(lambda c: read.knows(c, person))

    async def personal_data(self, person: PersonId) -> PersonalData:
        """Everything that is stored about a person."""
        numbers = await self._database.run(
            lambda c: sorted(c.execute(read.tables_of(person)).scalars())
        )
        games: list[Json] = []
        for start in range(0, len(numbers), BATCH):
            chunk = numbers[start : start + BATCH]
            games += await self._database.run(partial(read.games, person=person, numbers=chunk))
        return PersonalData(
            person,
            self._people.of(person),
            await self._database.run(lambda c: read.statistics(c, person)),
            games,
            await self._database.read(lambda reader: answers(reader, person)),
            await self._database.run(lambda c: read.rows(c, person)),
            await self._database.run(lambda c: read.of_tournaments(c, person)),
        )

    async def seated(self, person: PersonId) -> Sequence[SessionId]:
        """The tables that wait or run where a person has a seat, or one is kept for them."""
        own = seated(person, self._database.unreadable)
        rows = await self._database.run(lambda c: c.execute(own).scalars().all())
        return [SessionId(row) for row in rows]

    async def forget(self, person: PersonId, former: PersonId) -> None:
        """Put a former player in the person's place where others need one, and delete the rest.

        Raises:
            StillSeated: The person has not left all tables.
        """
        if await self.copies_left() and not self._traces:
            self._traces.add(ANYTHING)  # of those whom an earlier process has forgotten
        unreadable = self._database.unreadable
        await self._database.run(lambda c: forget(c, person, former, unreadable), erasing=())
        self._traces.update(_traces(person))
        self._tables.cache.drop_person(person)
        self._people.drop(person)

    async def copies_left(self) -> bool:
        """Whether copies of deleted rows may be left in unused parts of a file."""
        return await self._database.run(copies_left)

    async def quiet(self, since: datetime) -> bool:
        """Whether no table has changed since a time."""
        pressed = select(interactions.c.id).where(interactions.c.at >= since).limit(1)
        return await self._database.run(lambda c: c.execute(pressed).first() is None)

    async def erase(self) -> None:
        """Remove the copies of deleted rows; other work may have to wait for it."""
        traces, self._traces = self._traces or {ANYTHING}, set()
        await self._database.run(copies_left, erasing=traces)
        if not self._traces:
            await self._database.run(no_copies_left)


def _traces(person: PersonId) -> tuple[bytes, ...]:
    """An id as it may lie on a disk: as a number of the database, and as text."""
    return person.to_bytes(8, "big"), str(person).encode()
