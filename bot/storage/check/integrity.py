"""Checks of values and references, whatever they mean.

SQLite keeps a text where a number belongs, and rows whose game is gone, if anything but Parlour
writes them. After these checks a reader can rely on types.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Executable,
    Select,
    Table,
    and_,
    exists,
    not_,
    null,
    or_,
    select,
    type_coerce,
)
from sqlalchemy.types import NullType

from bot.storage.dialect import fits
from bot.storage.guild_settings import CHOSEN_FROM
from bot.storage.people import Form, Reminding
from bot.storage.schema.base import metadata
from bot.storage.schema.choice_tables import people, servers
from bot.storage.schema.game_tables import standing_reminders
from bot.storage.schema.record_tables import RECORDS
from bot.storage.values import UtcMoment
from bot.table.reminders import Occasion

_CLOSED: Final[Mapping[Column[Any], Collection[str | int]]] = {
    people.c.form: tuple(Form),
    people.c.reminders: tuple(Reminding),
    **{servers.c[name]: possible for name, possible in CHOSEN_FROM.items()},
    standing_reminders.c.occasion: tuple(Occasion),
}
"""The possible values of columns that have few."""

_LAST_MOMENT: Final = 253_402_300_799_999
"""The last millisecond of the year 9999, where calendars end."""


def impossible_values(connection: Connection) -> Iterator[str]:
    """Sentences about rows with a value that its column cannot have."""
    for table in metadata.sorted_tables:
        names = table.columns.keys()
        for row in connection.execute(_impossible(table, connection.dialect.name)):
            for name, value, right in zip(names, row, row[len(names) :], strict=False):
                if not right:
                    yield f"{named(table, row)}: {name} cannot be {value!r}."


@cache
def _impossible(table: Table, dialect: str) -> Executable:
    """The rows with a value that its column cannot have, and of each value whether it can be."""
    possible = [_possible(column, dialect) for column in table.columns]
    raw = [type_coerce(column, NullType()).label(column.name) for column in table.columns]
    return select(*raw, *possible).where(or_(*map(not_, possible)))


def lost_rows(connection: Connection) -> Iterator[str]:
    """Sentences about rows whose parent is gone; records are left out, which are all compared."""
    for own, lost in _lost().items():
        for number in connection.execute(lost).scalars():
            yield f"{_called(own.table)}: {own.name} {number} does not exist."


@cache
def _lost() -> Mapping[Column[Any], Select[Any]]:
    """The values of each reference that refer to nothing."""
    found = {}
    for table in (table for table in metadata.sorted_tables if table not in RECORDS):
        for key in table.foreign_keys:
            own, target = key.parent, key.column.table.alias()
            there = exists().where(target.c[key.column.name] == own)
            found[own] = select(own).distinct().where(own.is_not(None), ~there)
    return found


def named(table: Table, row: Sequence[Any]) -> str:
    """A row by its table and its primary key, whose columns are the first."""
    key = zip(table.primary_key, row, strict=False)
    return f"{_called(table)} ({', '.join(f'{column.name} {value}' for column, value in key)})"


def _called(table: Table) -> str:
    return table.name.replace("_", " ")


def _possible(column: Column[Any], dialect: str) -> ColumnElement[bool]:
    value: ColumnElement[Any] = type_coerce(column, NullType())
    fitting = fits(dialect, column, value)
    if isinstance(column.type, UtcMoment):
        fitting = and_(fitting, value.between(0, _LAST_MOMENT))
    if column in _CLOSED:
        fitting = and_(fitting, value.in_(_CLOSED[column]))
    return or_(value.is_(null()), fitting) if column.nullable else fitting
