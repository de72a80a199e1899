"""People's choices, in SQL.

All of them are read once, at the start, so that an answer in somebody's language costs no query.
That is little: whoever has chosen nothing has no row. This process alone writes them, so what is in
memory is what is stored.
"""

from __future__ import annotations

from asyncio import Lock
from collections import defaultdict
from dataclasses import replace
from typing import Any, Final, Self

from sqlalchemy import Connection, Table, delete, select, update
from sqlalchemy.dialects.postgresql import insert

from bot.service.people import Choices, Form, Reminding
from bot.storage.database import Database
from bot.storage.schema import blocks, people
from bot.table.seats import PersonId

NOTHING: Final = Choices()


class SqlPeople:
    """A `bot.service.ports.People` on a database."""

    def __init__(self, database: Database, known: dict[PersonId, Choices]) -> None:
        self._database = database
        self._known = known
        self._in_turn = Lock()  # what is in memory is changed in the order of what is stored

    @classmethod
    async def loaded(cls, database: Database) -> Self:
        """The people of a database."""
        return cls(database, await database.run(_load))

    def choices(self, person: PersonId) -> Choices:
        """See `People`."""
        return self._known.get(person, NOTHING)

    async def choose_form(self, person: PersonId, form: Form) -> None:
        """See `People`."""
        await self._choose(person, form=form)

    async def choose_language(self, person: PersonId, language: str | None) -> None:
        """See `People`."""
        await self._choose(person, language=language)

    async def take_challenges(self, person: PersonId, *, wanted: bool) -> None:
        """See `People`."""
        await self._choose(person, challenges=wanted)

    async def choose_reminders(self, person: PersonId, reminders: Reminding) -> None:
        """See `People`."""
        await self._choose(person, reminders=reminders)

    async def block(self, person: PersonId, other: PersonId) -> None:
        """See `People`."""
        async with self._in_turn:
            await self._database.run(lambda c: _block(c, person, other))
            known = self.choices(person)
            self._known[person] = replace(known, blocked=known.blocked | {other})

    async def unblock(self, person: PersonId, other: PersonId) -> None:
        """See `People`."""
        async with self._in_turn:
            await self._database.run(lambda c: _unblock(c, person, other))
            known = self.choices(person)
            self._known[person] = replace(known, blocked=known.blocked - {other})

    async def _choose(self, person: PersonId, **values: Any) -> None:  # noqa: ANN401 - as stored
        async with self._in_turn:
            await self._database.run(lambda c: choose(c, people, person, **values))
            self._known[person] = replace(self.choices(person), **values)

    def let_go_of(self, person: PersonId) -> None:
        """Keeps no choice in memory of a person, nor of others about them."""
        self._known.pop(person, None)
        for other, known in [*self._known.items()]:
            if person in known.blocked:
                self._known[other] = replace(known, blocked=known.blocked - {person})


def _load(connection: Connection) -> dict[PersonId, Choices]:
    blocked: defaultdict[PersonId, set[PersonId]] = defaultdict(set)
    for row in connection.execute(select(blocks)):
        blocked[PersonId(row.person)].add(PersonId(row.blocked))
    known = {
        PersonId(row.id): Choices(
            form=None if row.form is None else Form(row.form),
            language=row.language,
            challenges=row.challenges,
            reminders=Reminding(row.reminders),
        )
        for row in connection.execute(select(people))
    }
    for person, others in blocked.items():
        known[person] = replace(known.get(person, NOTHING), blocked=frozenset(others))
    return known


def _block(connection: Connection, person: PersonId, other: PersonId) -> None:
    pair = insert(blocks).values(person=person, blocked=other)
    connection.execute(pair.on_conflict_do_nothing())


def _unblock(connection: Connection, person: PersonId, other: PersonId) -> None:
    pair = (blocks.c.person == person) & (blocks.c.blocked == other)
    connection.execute(delete(blocks).where(pair))


def choose(connection: Connection, table: Table, number: int, **values: str | int | None) -> None:
    """Sets columns in the row of somebody's `id`, which is made if there is none."""
    connection.execute(insert(table).values(id=number).on_conflict_do_nothing())
    if values:
        connection.execute(update(table).where(table.c.id == number).values(**values))
