"""Rows on their way into a database, written when many have come."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Connection, bindparam, insert, update

from bot.storage.export import Counts
from bot.storage.export.games import Rows
from bot.storage.schema import blocks, moves, people, seats, server_channels, servers, sessions
from bot.storage.table_rows import Values

TOGETHER: Final = 10_000
"""How many rows are written at a time."""

_PEOPLE, _BLOCKS = insert(people), insert(blocks)
_SERVERS, _CHANNELS = insert(servers), insert(server_channels)
_SESSIONS, _SEATS = insert(sessions), insert(seats)
_MOVES = insert(moves).values(played_at=bindparam("played_at", type_=BigInteger))
_REMATCHES = (
    update(sessions).where(sessions.c.id == bindparam("of")).values(rematch=bindparam("by"))
)
_IN_ORDER: Final = (
    *(_PEOPLE, _BLOCKS, _SERVERS, _CHANNELS),
    *(_SESSIONS, _SEATS, _MOVES, _REMATCHES),
)


class Batches:
    """Takes rows, what they refer to before or together with them."""

    def __init__(self, connection: Connection) -> None:
        self.counts = Counts()
        self._connection = connection
        self._rows = {statement: list[Values]() for statement in _IN_ORDER}
        self._many = 0

    def add_person(self, choices: list[Values], blocked: list[Values]) -> None:
        """Takes a person's choices."""
        self._rows[_PEOPLE] += choices
        self._rows[_BLOCKS] += blocked
        self._took(1 + len(blocked), Counts(people=1))

    def add_server(self, row: Values, channels: list[Values]) -> None:
        """Takes a server's settings."""
        self._rows[_SERVERS].append(row)
        self._rows[_CHANNELS] += channels
        self._took(1 + len(channels), Counts(servers=1))

    def add_game(self, rows: Rows, follows: int | None) -> None:
        """Takes a table, and the number of the one whose rematch it is."""
        self._rows[_SESSIONS].append({**rows.session, "rematch": None})
        self._rows[_SEATS] += rows.seats
        self._rows[_MOVES] += rows.moves
        if follows is not None:
            self._rows[_REMATCHES].append({"of": follows, "by": rows.session["id"]})
        self._took(len(rows.moves), Counts(sessions=1, moves=len(rows.moves)))

    def write(self) -> None:
        """Writes what has come."""
        for statement, rows in self._rows.items():
            if rows:
                self._connection.execute(statement, rows)
                rows.clear()
        self._many = 0

    def _took(self, rows: int, more: Counts) -> None:
        self.counts += more
        self._many += rows
        if self._many >= TOGETHER:
            self.write()
