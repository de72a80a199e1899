"""Rows read into values, each apart: one that this version cannot read holds up no other.

A row may be of a game or a level that this version lacks, or hold a value that no version wrote.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from sqlalchemy import Column, ColumnElement, Connection, RowMapping, Select, Table, true

from bot.storage.errors import UnknownTable, UnknownTournament, Unreadable
from bot.storage.values import Values

log = logging.getLogger(__name__)

T = TypeVar("T")

REMEMBERED: Final = 1_000
"""The most unreadable rows of a table that are remembered."""

UNFIT: Final = (
    *(ValueError, TypeError, LookupError, ArithmeticError, AttributeError),
    AssertionError,
)
"""The errors of reading a value that is not of the kind expected."""


@contextmanager
def readable(table: Table, *key: Any) -> Iterator[None]:  # noqa: ANN401 - of any column
    """Read the row of a table with a key, and the rows that belong to it.

    Raises:
        Unreadable: This version cannot read one of them.
    """
    try:
        yield
    except (UnknownTable, UnknownTournament):  # there is no row
        raise
    except UNFIT as error:
        raise Unreadable(table.name, key) from error


class Reader:
    """Reads rows on a connection, and collects the unreadable ones."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.unreadable: list[Unreadable] = []

    def rows(
        self,
        table: Table,
        query: Select[Any],
        read: Callable[[RowMapping], T],
        given: Values | None = None,
    ) -> list[T]:
        """The values of a query's rows, of which each is one of a table; unreadable ones are left.

        They are read at once, and each by its key only if that fails.
        """
        try:
            with self.connection.execute(query, given) as result:  # none stays open for an error
                return [read(row) for row in result.mappings()]
        except UNFIT:
            return [*self._apart(table, query, read, given)]

    def _apart(
        self,
        table: Table,
        query: Select[Any],
        read: Callable[[RowMapping], T],
        given: Values | None,
    ) -> Iterator[T]:
        names = [*table.primary_key]
        for key in self.connection.execute(query.with_only_columns(*names), given).all():
            this = (column == value for column, value in zip(names, key, strict=True))
            one = query.where(*this).limit(None).offset(None)
            try:
                with readable(table, *key), self.connection.execute(one, given) as result:
                    yield read(result.mappings().one())
            except Unreadable as error:
                self.unreadable.append(error)


class UnreadableRows:
    """The rows that could not be read, each logged once and left out of what is due."""

    def __init__(self) -> None:
        self._known: defaultdict[str, dict[tuple[Any, ...], None]] = defaultdict(dict)

    def note(self, error: Unreadable) -> None:
        """Log a row, unless that is done."""
        known = self._known[error.table]
        if error.key not in known:
            if len(known) == REMEMBERED:
                del known[next(iter(known))]
            known[error.key] = None
            log.error(
                "row left alone, since this version cannot read it; parlour check names such rows "
                "table=%s key=%s error=%r",
                error.table,
                ",".join(map(str, error.key)),
                error.__cause__,
            )

    def drop(self, table: Table, *key: Any) -> None:  # noqa: ANN401 - of any column
        """Forget a row that can be read by now."""
        self._known[table.name].pop(key, None)

    def none_of(self, key: Column[int]) -> ColumnElement[bool]:
        """The condition that a row, by its key of one column, is none of those of its table."""
        known = [number for (number,) in self._known[key.table.name]]
        return key.not_in(known) if known else true()

    def numbers(self, table: Table) -> tuple[int, ...]:
        """The keys of those of a table whose key is one column."""
        return tuple(number for (number,) in self._known[table.name])
