"""Rows read into values one by one, so that an unreadable row does not hold up the others.

A row may belong to a game or a level that this version lacks, or hold a value no version wrote.
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
"""The most unreadable rows that are remembered for each SQL table."""

UNFIT: Final = (
    *(ValueError, TypeError, LookupError, ArithmeticError, AttributeError),
    AssertionError,
)
"""The errors that reading an unexpected value can raise."""


@contextmanager
def readable(table: Table, *key: Any) -> Iterator[None]:  # noqa: ANN401 - of any column
    """Turn errors of reading a row with this key, or rows that belong to it, into `Unreadable`.

    Raises:
        Unreadable: The block raised one of `UNFIT`, other than that there is no row.
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
        """The values that `read` makes of a query's rows, one for each row of `table`.

        All are read at once; if that fails, each by its key, and unreadable ones are skipped.
        """
        try:
            with self.connection.execute(query, given) as result:  # closed even after an error
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
    """The rows found unreadable: each is logged once, and left out of queries for due work."""

    def __init__(self) -> None:
        self._known: defaultdict[str, dict[tuple[Any, ...], None]] = defaultdict(dict)

    def note(self, error: Unreadable) -> None:
        """Remember a row and log it, unless it is known already."""
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
        """Forget a row, which can be read now."""
        self._known[table.name].pop(key, None)

    def none_of(self, key: Column[int]) -> ColumnElement[bool]:
        """The condition that a row is not known as unreadable; `key` is its only key column."""
        known = [number for (number,) in self._known[key.table.name]]
        return key.not_in(known) if known else true()

    def numbers(self, table: Table) -> tuple[int, ...]:
        """The keys of a table's unreadable rows; its key must be one column."""
        return tuple(number for (number,) in self._known[table.name])
