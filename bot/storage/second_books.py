"""The records as the games give them, made in a database of their own and held against the stored.

That database is a file that goes with it, so that a million games need no more memory than one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from heapq import merge
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

from sqlalchemy import URL, Connection, RowMapping, Table, insert, select

from bot.storage.recording import rebuild
from bot.storage.rows import Row
from bot.storage.schema import RECORDS, metadata, seats, sessions
from bot.storage.sqlite import sqlite_engine

Tell: TypeAlias = Callable[[str], None]
"""Takes a sentence that says what is wrong."""

TOGETHER: Final = 1000
"""How many rows are read at a time."""

_STORED, _GIVEN = "stored", "given"
_Entry: TypeAlias = tuple[tuple[Any, ...], str, RowMapping]


class SecondBooks:
    """The records of the games that are added."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, games: Iterable[Row], occupants: Iterable[Row]) -> None:
        """Takes finished games by their rows of sessions and seats."""
        # A rematch may come later than the game that it follows, and the records do not need it.
        finished = [{**game, "rematch": None} for game in games if game["finish"] is not None]
        numbers = {game["id"] for game in finished}
        seated = [{**seat} for seat in occupants if seat["session"] in numbers]
        for table, rows in ((sessions, finished), (seats, seated)):
            if rows:
                self._connection.execute(insert(table), rows)

    def compare(self, stored: Connection, tell: Tell) -> int:
        """Makes the records, tells where the stored ones differ, and says how many these are."""
        rebuild(self._connection)
        return sum(self._compare(table, stored, tell) for table in RECORDS)

    def _compare(self, table: Table, stored: Connection, tell: Tell) -> int:
        rows = merge(
            _read(table, stored, _STORED),
            _read(table, self._connection, _GIVEN),
            key=itemgetter(0),
        )
        count = 0
        for key, entries in groupby(rows, itemgetter(0)):
            sides = {side: row for _, side, row in entries}
            count += _STORED in sides
            names = (column.name for column in table.primary_key)
            where = ", ".join(f"{name} {value}" for name, value in zip(names, key, strict=True))
            for fault in _faults(sides.get(_STORED), sides.get(_GIVEN)):
                tell(f"{table.name.replace('_', ' ')} ({where}): {fault}")
        return count


def _read(table: Table, connection: Connection, side: str) -> Iterator[_Entry]:
    names = [column.name for column in table.primary_key]
    query = select(table).order_by(*table.primary_key).execution_options(yield_per=TOGETHER)
    for row in connection.execute(query).mappings():
        yield tuple(row[name] for name in names), side, row


def _faults(stored: RowMapping | None, given: RowMapping | None) -> Iterator[str]:
    if given is None:
        yield "no game gives it."
    elif stored is None:
        yield "it is missing."
    else:
        for name in stored:
            if stored[name] != given[name]:
                yield f"{name} is {stored[name]}, but the games give {given[name]}."


@contextmanager
def second_books() -> Iterator[SecondBooks]:
    """Empty books, which are thrown away in the end."""
    with TemporaryDirectory(prefix="parlour-") as folder:
        engine = sqlite_engine(URL.create("sqlite", database=str(Path(folder) / "books.db")))
        try:
            with engine.begin() as connection:
                metadata.create_all(connection)
                yield SecondBooks(connection)
        finally:
            engine.dispose()
