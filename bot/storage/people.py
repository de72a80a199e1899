"""Choices of people. Of several processes each tells the others of its changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Self

from sqlalchemy import Connection, RowMapping, delete, select
from sqlalchemy.dialects.postgresql import insert

from bot.storage.choices import ChoiceStore
from bot.storage.database import Database
from bot.storage.dialect import notify
from bot.storage.reading import Reader
from bot.storage.schema.choice_tables import blocks, people
from bot.table.seats import PersonId


class Form(StrEnum):
    """The form in which a person is shown boards."""

    MESSAGE = "message"
    WORDS = "words"
    IMAGE = "image"


class Reminding(StrEnum):
    """The way a person is reminded of their games."""

    ON = "on"
    OFF = "off"
    DIRECT = "direct"


@dataclass(frozen=True, slots=True)
class Choices:
    """A person's choices.

    `form` is that of boards and `language` is Discord's name of theirs; None stands for no choice.
    Without `challenges` nobody can challenge or invite them. With `streaks` they are told before a
    streak of puzzles breaks. A `blocked` person can neither challenge them nor sit down at a table
    where they are.
    """

    form: Form | None = None
    language: str | None = None
    challenges: bool = True
    reminders: Reminding = Reminding.ON
    streaks: bool = False
    blocked: frozenset[PersonId] = frozenset()


NOTHING: Final = Choices()

CHANGED, FORGOTTEN = "changed", "forgotten"
"""News of people that processes tell each other."""


class People(ChoiceStore[PersonId, Choices]):
    """The choices of all people."""

    def __init__(
        self, database: Database, known: dict[PersonId, Choices], *, shared: bool = False
    ) -> None:
        super().__init__(database, people, known, NOTHING)
        self._shared = shared

    @classmethod
    async def loaded(cls, database: Database, *, shared: bool = False) -> Self:
        """The people of a database, which are `shared` with other processes or not."""
        return cls(database, await database.read(_load), shared=shared)

    async def block(
        self, person: PersonId, *others: PersonId, unblocked: Collection[PersonId] = ()
    ) -> None:
        """Keep other people away from a person, and let those `unblocked` near again."""

        def change(known: Choices) -> Choices:
            blocked = known.blocked.difference(unblocked).union(others)
            return replace(known, blocked=blocked)

        await self._change(person, lambda c: _block(c, person, others, unblocked), change)

    async def refresh(self, people: Collection[PersonId]) -> None:
        """Read the choices of some people again, if other processes may have changed them."""
        if self._shared:
            await self.reload(people)

    async def reload(self, people: Collection[PersonId] | None = None) -> None:
        """Read the choices of some people again, or of all."""
        async with self._changing:
            known = await self._database.read(lambda reader: _load(reader, people))
            for person in [*self._known] if people is None else people:
                self._known.pop(person, None)
            self._known.update(known)

    def drop(self, person: PersonId) -> None:
        """Drop a person from memory, and from the blocks of others."""
        super().drop(person)
        for other, known in [*self._known.items()]:
            if person in known.blocked:
                self._known[other] = replace(known, blocked=known.blocked - {person})

    async def _change(
        self,
        number: PersonId,
        save: Callable[[Connection], object],
        change: Callable[[Choices], Choices],
    ) -> None:
        def told(connection: Connection) -> None:
            save(connection)
            tell(connection, CHANGED, number)

        await super()._change(number, told, change)


def _load(reader: Reader, which: Collection[PersonId] | None = None) -> dict[PersonId, Choices]:
    blocking, choosing = select(blocks), select(people)
    if which is not None:
        blocking = blocking.where(blocks.c.person.in_(which))
        choosing = choosing.where(people.c.id.in_(which))
    blocked: defaultdict[PersonId, set[PersonId]] = defaultdict(set)
    for row in reader.connection.execute(blocking):
        blocked[PersonId(row.person)].add(PersonId(row.blocked))
    known = dict(reader.rows(people, choosing, _choices))
    for each, others in blocked.items():
        known[each] = replace(known.get(each, NOTHING), blocked=frozenset(others))
    return known


def _choices(row: RowMapping) -> tuple[PersonId, Choices]:
    return PersonId(row["id"]), Choices(
        form=None if row["form"] is None else Form(row["form"]),
        language=row["language"],
        challenges=row["challenges"],
        reminders=Reminding(row["reminders"]),
        streaks=row["streaks"],
    )


def _block(
    connection: Connection,
    person: PersonId,
    others: Collection[PersonId],
    unblocked: Collection[PersonId],
) -> None:
    own = (blocks.c.person == person) & blocks.c.blocked.in_(unblocked)
    connection.execute(delete(blocks).where(own))
    for other in others:
        pair = insert(blocks).values(person=person, blocked=other)
        connection.execute(pair.on_conflict_do_nothing())


def tell(connection: Connection, what: str, person: PersonId) -> None:
    """Tell other processes of a person's choices, or that the person is forgotten."""
    notify(connection, f"{what} {person}")
