"""Expected records: made from the games in a database of their own, and compared with the stored.

That database is a temporary file, so that a million games need no more memory than one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import isclose
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

import sqlalchemy
from sqlalchemy import URL, Connection, Table, insert, select

from bot.storage.check.integrity import named
from bot.storage.dialect import sorted_by
from bot.storage.records.write import rebuild
from bot.storage.schema.base import metadata
from bot.storage.schema.game_tables import seats, sessions
from bot.storage.schema.record_tables import RECORDS, results
from bot.storage.sqlite import sqlite_engine
from bot.storage.table_rows import Row
from bot.storage.values import Values

Tell: TypeAlias = Callable[[str], None]
"""Takes a sentence about a fault."""

TOGETHER: Final = 1000
"""The most rows read at a time."""

ROUNDING: Final = 1e-11
"""The relative difference of equal ratings: another machine's `exp` may round the last digits."""

_Row: TypeAlias = sqlalchemy.Row[Any]


class ExpectedRecords:
    """The records of the games that are added."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._games: list[Values] = []
        self._seats: list[Values] = []

    def add(self, game: Row, occupants: Iterable[Row]) -> None:
        """Add a finished game by its row and those of its seats."""
        # A rematch may come later than the game that it follows, and the records do not need it; a
        # claim is given as the time from now.
        self._games.append({**game, "rematch": None, "claimed_until": None})
        self._seats += ({**seat} for seat in occupants)
        if len(self._games) == TOGETHER:
            self._write()

    def make(self, passed: Callable[[int], None]) -> None:
        """Make the records of all games; `passed` is told how many are entered."""
        self._write()
        rebuild(self._connection, passed)

    def compare(self, stored: Connection, tell: Tell, *, without: Collection[str]) -> int:
        """Tell where stored records differ from the expected, and count the compared.

        Those of the kinds of games `without` are left out.
        """
        return sum(self._compare(table, stored, tell, without) for table in RECORDS)

    def _write(self) -> None:
        for table, rows in ((sessions, self._games), (seats, self._seats)):
            if rows:
                self._connection.execute(insert(table), rows)
                rows.clear()

    def _compare(
        self, table: Table, stored: Connection, tell: Tell, without: Collection[str]
    ) -> int:
        count = 0
        pairs = _paired(
            _read(table, stored, without),
            _read(table, self._connection, without),
            len(table.primary_key),
        )
        for row, given in pairs:
            count += row is not None
            if row != given:
                where = _where(table, row or given or ())
                for fault in _faults(row, given):
                    tell(f"{where}: {fault}")
        return count


def _where(table: Table, row: Sequence[Any]) -> str:
    if table is not results:
        return named(table, row)
    return f"{named(table, row)} of game {row[results.columns.keys().index('session')]}"


def _read(table: Table, connection: Connection, without: Collection[str]) -> Iterator[_Row]:
    order = (sorted_by(connection, column) for column in table.primary_key)
    query = select(table).where(table.c.game.not_in(without)).order_by(*order)
    return iter(connection.execute(query.execution_options(yield_per=TOGETHER)))


def _paired(
    stored: Iterator[_Row], given: Iterator[_Row], width: int
) -> Iterator[tuple[_Row | None, _Row | None]]:
    """The rows of both, those with the same key together; the key is the first `width` columns."""
    row, other = next(stored, None), next(given, None)
    while row is not None or other is not None:
        if other is None or (row is not None and row[:width] < other[:width]):
            yield row, None
            row = next(stored, None)
        elif row is None or other[:width] < row[:width]:
            yield None, other
            other = next(given, None)
        else:
            yield row, other
            row, other = next(stored, None), next(given, None)


def _faults(stored: _Row | None, given: _Row | None) -> Iterator[str]:
    if given is None:
        yield "no game gives it."
    elif stored is None:
        yield "it is missing."
    else:
        for name, there, due in zip(stored._fields, stored, given, strict=True):
            if not _agree(there, due):
                yield f"{name} is {there}, but the games give {due}."


def _agree(stored: object, given: object) -> bool:
    """Whether two values are equal, ratings within `ROUNDING`."""
    if isinstance(stored, float) and isinstance(given, float):
        return isclose(stored, given, rel_tol=ROUNDING, abs_tol=ROUNDING)
    return stored == given


@contextmanager
def expected_records() -> Iterator[ExpectedRecords]:
    """Empty records, in a database that is thrown away in the end."""
    with TemporaryDirectory(prefix="parlour-") as folder:
        engine = sqlite_engine(URL.create("sqlite", database=str(Path(folder) / "records.db")))
        try:
            with engine.connect() as connection:  # nothing of it is ever committed
                metadata.create_all(connection, checkfirst=False)
                yield ExpectedRecords(connection)
        finally:
            engine.dispose()
