"""People's choices, in SQL."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from bot.people import Form
from bot.seats import PersonId
from bot.storage.database import Database
from bot.storage.schema import people


class SqlPeople:
    """A `bot.people.People` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def form(self, person: PersonId) -> Form | None:
        """See `People`."""
        query = select(people.c.form).where(people.c.id == person)
        found = await self._database.run(lambda c: c.execute(query).scalar())
        return None if found is None else Form(found)

    async def choose_form(self, person: PersonId, form: Form) -> None:
        """See `People`."""
        await self._database.run(lambda c: _set(c, person, form=form))


def _set(connection: Connection, person: PersonId, **values: str) -> None:
    known = update(people).where(people.c.id == person).values(**values)
    if not connection.execute(known).rowcount:
        connection.execute(insert(people), {"id": person, **values})
