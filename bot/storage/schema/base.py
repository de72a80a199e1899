"""The metadata of all SQL tables, how they are defined, and the marks of their columns.

Every column of large numbers (`BigInteger`) has a mark: what its ids of Discord name, and what
becomes of them. Forgetting a person, removing a guild and the file of a person's data follow the
marks, so that a new column is forgotten with the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    MetaData,
    Table,
    TypeDecorator,
)
from sqlalchemy.schema import SchemaItem

metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def define(name: str, *parts: SchemaItem) -> Table:
    """Define an SQL table that is looked up by its primary key alone."""
    return Table(name, metadata, *parts, sqlite_with_rowid=False)


def of_session() -> Column[int]:
    """Define a column of the primary key that refers to a session."""
    return Column("session", ForeignKey("session.id", ondelete="CASCADE"), primary_key=True)


def index(
    name: str, condition: ColumnElement[bool], *columns: Column[Any], unique: bool = False
) -> None:
    """Define an index that has only the rows for which a condition holds."""
    full = f"ix_{columns[0].table.name}_{name}"
    Index(full, *columns, unique=unique, sqlite_where=condition, postgresql_where=condition)


@cache
def as_stored() -> MetaData:
    """The SQL tables with values as they are stored: numbers where moments are read."""
    found = MetaData()
    for table in metadata.sorted_tables:
        for column in table.to_metadata(found).columns:
            if isinstance(column.type, TypeDecorator):
                column.type = column.type.impl_instance
    return found


_MARK: Final = "mark"


class IdKind(StrEnum):
    """The kinds of things that an id names."""

    PERSON = "person"
    GUILD = "guild"
    CHANNEL = "channel"
    """A thread is a channel."""
    MESSAGE = "message"
    ROLE = "role"
    INTERACTION = "interaction"


class Fate(StrEnum):
    """What becomes of an id when its person is forgotten, or its guild is removed."""

    DELETED = "deleted"
    """The whole row is deleted."""
    FORMER = "former"
    """A former player takes the place of the person."""
    EMPTIED = "emptied"
    """The row stays without the id."""
    KEPT = "kept"
    """The id stays: it leads neither to a person nor to a guild once the others are gone."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What a column names, and what becomes of it.

    `along` are the columns of the row that are emptied at the same time. `told` is the part of a
    person's file that has the row, or None where `untold` says why the file leaves it out.
    """

    kind: IdKind
    fate: Fate
    along: tuple[str, ...] = ()
    told: str | None = None
    untold: str = ""


def person(
    fate: Fate, *, along: tuple[str, ...] = (), told: str | None = None, untold: str = ""
) -> dict[str, Mark]:
    """The `info` of a column that names a person, with its part of the file or why it has none."""
    assert (told is None) == bool(untold), "a person's file has the column, or a reason not to"
    return {_MARK: Mark(IdKind.PERSON, fate, along, told, untold)}


def guild(fate: Fate, *, along: tuple[str, ...] = ()) -> dict[str, Mark]:
    """The `info` of a column that names a guild, or with 0 all of them."""
    return {_MARK: Mark(IdKind.GUILD, fate, along)}


def kept(kind: IdKind) -> dict[str, Mark]:
    """The `info` of a column that names anything else."""
    return {_MARK: Mark(kind, Fate.KEPT)}


def id_key(name: str, mark: dict[str, Mark], *, index: bool = False) -> Column[int]:
    """Define a column of the primary key that holds ids of Discord, with the `info` of its mark."""
    return Column(
        name, BigInteger, primary_key=True, autoincrement=False, index=index or None, info=mark
    )


def of_server() -> Column[int]:
    """Define a column of the primary key that refers to a server, and goes with it."""
    cascade = ForeignKey("server.id", ondelete="CASCADE")
    return Column("server", cascade, primary_key=True, info=guild(Fate.DELETED))


CHANNEL, MESSAGE, ROLE, INTERACTION = map(
    kept, (IdKind.CHANNEL, IdKind.MESSAGE, IdKind.ROLE, IdKind.INTERACTION)
)


def mark_of(column: Column[Any]) -> Mark | None:
    """The mark of a column, if it has one."""
    return column.info.get(_MARK)


def marked(kind: IdKind, table: Table | None = None) -> Iterator[tuple[Column[Any], Mark]]:
    """The columns that name a person, or a guild, with their marks: of one table, or of all.

    A table comes before those that refer to it, and the first column of a key after the others,
    since their rows are found by it.
    """
    for each in metadata.sorted_tables if table is None else (table,):
        for column in reversed([*each.columns]):
            mark = mark_of(column)
            if mark is not None and mark.kind is kind:
                yield column, mark
