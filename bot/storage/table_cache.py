"""The tables that a process keeps in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bot.cache import KB, MB, Cache
from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.table.table import Table

GOING: Final = 8 * MB
"""The room for tables in memory, so that a press need not replay its game: some 1,200."""

OVER: Final = 512 * KB
"""The room for tables whose game is over: few of them are pressed again."""

WITHOUT_MOVES: Final = 6 * KB
A_MOVE: Final = 8
"""The bytes of a table: its seats, position and log, and a place in the list of its moves."""


def weight(table: Table) -> int:
    """The bytes of a table in memory."""
    return WITHOUT_MOVES + A_MOVE * len(table.session.moves)


class TableCache:
    """The tables used last; each is as good as its revision."""

    def __init__(self) -> None:
        self._going: Cache[SessionId, Table] = Cache("tables", GOING, weight)
        self._over: Cache[SessionId, Table] = Cache("tables_over", OVER, weight)
        self.parts = self._going, self._over

    def get(self, session: SessionId) -> Table | None:
        """The table in memory, if it is there."""
        return self._going.get(session) or self._over.get(session)

    def keep(self, table: Table) -> Table:
        """Put a table in memory, in place of an earlier state of it, and return it."""
        over = table.session.ending is not None
        kept, other = (self._over, self._going) if over else (self._going, self._over)
        other.drop(table.id)
        return kept.keep(table.id, table)

    def change(self, session: SessionId, change: Callable[[Table], Table]) -> None:
        """Change a table if it is in memory."""
        known = self.get(session)
        if known is not None:
            self.keep(change(known))

    def drop(self, session: SessionId) -> None:
        """Drop a table from memory."""
        for each in self.parts:
            each.drop(session)

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
        for each in self.parts:
            each.clear()

    def _drop_where(self, condition: Callable[[Table], bool]) -> None:
        for table in (*self._going.values(), *self._over.values()):
            if condition(table):
                self.drop(table.id)
