"""People's choices, in SQL.

All of them are read once, at the start, so that an answer in a person's language costs no query.
That is little: who has chosen nothing has no row. Every change passes here, so what is in
memory is what is stored. Of several processes each tells the others whose choices it has changed.
"""

from __future__ import annotations

from asyncio import Lock
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Self, TypedDict, Unpack

from sqlalchemy import Connection, Table, delete, select, update
from sqlalchemy.dialects.postgresql import insert

from bot.storage.database import Database
from bot.storage.dialect import dialect_of
from bot.storage.schema import blocks, people
from bot.table.seats import PersonId


class Form(StrEnum):
    """How a person wants to be shown a board."""

    MESSAGE = "message"
    WORDS = "words"
    IMAGE = "image"


class Reminding(StrEnum):
    """How a person wants to be reminded of their games."""

    ON = "on"
    OFF = "off"
    DIRECT = "direct"


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person has chosen.

    `form` is how they want to be shown boards and `language` is Discord's name of theirs, both None
    if they have not said so. Without `challenges` nobody can challenge or invite them. Who is
    `blocked` can neither do that nor sit down at a table where they are. `reminders` come to the
    board's channel, by direct message, or not at all.
    """

    form: Form | None = None
    language: str | None = None
    challenges: bool = True
    reminders: Reminding = Reminding.ON
    blocked: frozenset[PersonId] = frozenset()


class Chosen(TypedDict, total=False):
    """Those of `Choices` that a person makes anew."""

    form: Form
    language: str | None
    challenges: bool
    reminders: Reminding


NOTHING: Final = Choices()

CHANGED, FORGOTTEN = "changed", "forgotten"
"""What processes tell each other of people."""


class People:
    """The choices of all people, kept in memory and in the database."""

    def __init__(
        self, database: Database, known: dict[PersonId, Choices], *, alone: bool = True
    ) -> None:
        self._database = database
        self._alone = alone
        self._known = known
        self._in_turn = Lock()  # what is in memory is changed in the order of what is stored

    @classmethod
    async def loaded(cls, database: Database, *, alone: bool = True) -> Self:
        """The people of a database, which this process changes `alone` or with others."""
        return cls(database, await database.run(_load), alone=alone)

    def choices(self, person: PersonId) -> Choices:
        """A person's choices, as far as this process has heard."""
        return self._known.get(person, NOTHING)

    async def choose(self, person: PersonId, **chosen: Unpack[Chosen]) -> None:
        """Save what a person has chosen."""
        async with self._in_turn:
            await self._database.run(lambda c: _choose(c, person, chosen))
            self._known[person] = replace(self.choices(person), **chosen)

    async def block(self, person: PersonId, other: PersonId) -> None:
        """Keep another person away from a person."""
        async with self._in_turn:
            await self._database.run(lambda c: _block(c, person, other))
            known = self.choices(person)
            self._known[person] = replace(known, blocked=known.blocked | {other})

    async def unblock(self, person: PersonId, other: PersonId) -> None:
        """Let a blocked person near a person again."""
        async with self._in_turn:
            await self._database.run(lambda c: _unblock(c, person, other))
            known = self.choices(person)
            self._known[person] = replace(known, blocked=known.blocked - {other})

    async def refresh(self, people: Collection[PersonId]) -> None:
        """Read the choices of some people again, if other processes may have changed them."""
        if not self._alone:
            await self.reload(people)

    async def reload(self, people: Collection[PersonId] | None = None) -> None:
        """Read the choices of some people again, or of all."""
        async with self._in_turn:
            known = await self._database.run(lambda c: _load(c, people))
            for person in [*self._known] if people is None else people:
                self._known.pop(person, None)
            self._known.update(known)

    def drop(self, person: PersonId) -> None:
        """Drop a person from memory, and from the blocks of others."""
        self._known.pop(person, None)
        for other, known in [*self._known.items()]:
            if person in known.blocked:
                self._known[other] = replace(known, blocked=known.blocked - {person})


def _load(
    connection: Connection, which: Collection[PersonId] | None = None
) -> dict[PersonId, Choices]:
    """Everybody's choices, or some people's."""
    blocking, choosing = select(blocks), select(people)
    if which is not None:
        blocking = blocking.where(blocks.c.person.in_(which))
        choosing = choosing.where(people.c.id.in_(which))
    blocked: defaultdict[PersonId, set[PersonId]] = defaultdict(set)
    for row in connection.execute(blocking):
        blocked[PersonId(row.person)].add(PersonId(row.blocked))
    known = {
        PersonId(row.id): Choices(
            form=None if row.form is None else Form(row.form),
            language=row.language,
            challenges=row.challenges,
            reminders=Reminding(row.reminders),
        )
        for row in connection.execute(choosing)
    }
    for each, others in blocked.items():
        known[each] = replace(known.get(each, NOTHING), blocked=frozenset(others))
    return known


def _block(connection: Connection, person: PersonId, other: PersonId) -> None:
    pair = insert(blocks).values(person=person, blocked=other)
    connection.execute(pair.on_conflict_do_nothing())
    tell(connection, CHANGED, person)


def _unblock(connection: Connection, person: PersonId, other: PersonId) -> None:
    pair = (blocks.c.person == person) & (blocks.c.blocked == other)
    connection.execute(delete(blocks).where(pair))
    tell(connection, CHANGED, person)


def tell(connection: Connection, what: str, person: PersonId) -> None:
    """Tells other processes what has become of a person's choices, or of the person."""
    dialect_of(connection).tell(connection, f"{what} {person}")


def _choose(connection: Connection, person: PersonId, chosen: Chosen) -> None:
    keep_choices(connection, people, person, chosen)
    tell(connection, CHANGED, person)


def keep_choices(
    connection: Connection, table: Table, number: int, chosen: Mapping[str, object]
) -> None:
    """Sets columns in the row of an `id`, which is made if there is none."""
    connection.execute(insert(table).values(id=number).on_conflict_do_nothing())
    connection.execute(update(table).where(table.c.id == number).values(**chosen))
