"""The store of what people and guilds have chosen, all of it in memory.

It is read once, at the start, so that an answer in a person's language costs no query. That is
little: there is no row without a choice. Every change passes here, so the memory agrees with the
database.
"""

from __future__ import annotations

from asyncio import Lock
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, Table, update
from sqlalchemy.dialects.postgresql import insert

from bot.storage.database import Database

N = TypeVar("N", bound=int)
C = TypeVar("C")


class ChoiceStore(Generic[N, C]):
    """The choices in the rows of a `table` by their ids, kept in memory and in the database.

    `usual` are those of an id without a row.
    """

    def __init__(self, database: Database, table: Table, known: dict[N, C], usual: C) -> None:
        self._database = database
        self._table = table
        self._known = known
        self._usual = usual
        self._changing = Lock()  # what is in memory is changed in the order of what is stored

    def of(self, number: N) -> C:
        """The choices of an id, as far as this process has heard."""
        return self._known.get(number, self._usual)

    async def choose(self, number: N, **chosen: Any) -> None:  # noqa: ANN401 - of any field
        """Save choices by their names."""

        def keep(connection: Connection) -> None:
            connection.execute(insert(self._table).values(id=number).on_conflict_do_nothing())
            own = self._table.c.id == number
            connection.execute(update(self._table).where(own).values(**chosen))

        await self._change(number, keep, lambda known: replace(known, **chosen))  # type: ignore[type-var]

    def drop(self, number: N) -> None:
        """Drop the choices of an id from memory."""
        self._known.pop(number, None)

    async def _change(
        self, number: N, save: Callable[[Connection], object], change: Callable[[C], C]
    ) -> None:
        """Save a change of the choices of an id, and know it from then on."""
        async with self._changing:
            await self._database.run(save)
            self._known[number] = change(self.of(number))
