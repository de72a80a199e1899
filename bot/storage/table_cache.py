"""The tables that a process keeps in memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.table.table import Table

REMEMBERED: Final = 1024
"""The most tables kept in memory, so that a press need not replay its game."""

OVER: Final = 64
"""The most tables kept besides whose game is over: few of them are pressed again."""


class TableCache:
    """The tables used last; each is as good as its revision."""

    def __init__(self) -> None:
        self._going: OrderedDict[SessionId, Table] = OrderedDict()
        self._over: OrderedDict[SessionId, Table] = OrderedDict()

    def get(self, session: SessionId) -> Table | None:
        """The table in memory, if it is there."""
        return self._going.get(session) or self._over.get(session)

    def keep(self, table: Table) -> Table:
        """Put a table in memory, in place of an earlier state of it, and return it."""
        kept, other, most = self._going, self._over, REMEMBERED
        if table.session.ending is not None:
            kept, other, most = self._over, self._going, OVER
        other.pop(table.id, None)
        kept[table.id] = table
        kept.move_to_end(table.id)
        if len(kept) > most:
            kept.popitem(last=False)
        return table

    def change(self, session: SessionId, change: Callable[[Table], Table]) -> None:
        """Change a table if it is in memory."""
        known = self.get(session)
        if known is not None:
            self.keep(change(known))

    def drop(self, session: SessionId) -> None:
        """Drop a table from memory."""
        self._going.pop(session, None)
        self._over.pop(session, None)

    def drop_guild(self, guild: int) -> None:
        """Drop the tables of a guild from memory."""
        self._drop_where(lambda table: table.place.guild == guild)

    def drop_person(self, person: PersonId) -> None:
        """Drop the tables that name a person from memory."""
        self._drop_where(
            lambda table: (
                person in {table.session.host, table.notice} or table.session.concerns(person)
            )
        )

    def clear(self) -> None:
        """Drop all tables from memory."""
        self._going.clear()
        self._over.clear()

    def _drop_where(self, condition: Callable[[Table], bool]) -> None:
        for table in (*self._going.values(), *self._over.values()):
            if condition(table):
                self.drop(table.id)
