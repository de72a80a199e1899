"""The metadata of all SQL tables, how they are defined, and the marks of their columns.

Every `BigInteger` column holds Discord ids and has a mark: what the ids name, and what becomes of
them when a person is forgotten or a guild removed. The file of a person's data follows the marks
too, so that no column is missed.
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
    """Define an SQL table that SQLite stores by its primary key, without a rowid."""
    return Table(name, metadata, *parts, sqlite_with_rowid=False)


def of_session() -> Column[int]:
    """Define a column of the primary key that refers to a session."""
    return Column("session", ForeignKey("session.id", ondelete="CASCADE"), primary_key=True)


def index(
    name: str, condition: ColumnElement[bool], *columns: Column[Any], unique: bool = False
) -> None:
    """Define a partial index: of the rows that meet a condition."""
    full = f"ix_{columns[0].table.name}_{name}"
    Index(full, *columns, unique=unique, sqlite_where=condition, postgresql_where=condition)


@cache
def as_stored() -> MetaData:
    """The SQL tables with the stored types, such as numbers instead of moments."""
    found = MetaData()
    for table in metadata.sorted_tables:
        for column in table.to_metadata(found).columns:
            if isinstance(column.type, TypeDecorator):
                column.type = column.type.impl_instance
    return found


_MARK: Final = "mark"


class IdKind(StrEnum):
    """The kinds of things that a Discord id names."""

    PERSON = "person"
    GUILD = "guild"
    CHANNEL = "channel"
    """A channel or a thread."""
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
    """The id stays: without the other ids it leads to no person and no guild."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What the ids of a column name, and what becomes of them.

    `along` are the columns of the row that are emptied together with it. `told` is the part of a
    person's file that contains the row; if None, `untold` says why the file leaves it out.
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
    """The `info` of a column that names a guild; 0 stands for all guilds."""
    return {_MARK: Mark(IdKind.GUILD, fate, along)}


def kept(kind: IdKind) -> dict[str, Mark]:
    """The `info` of a column that names anything else."""
    return {_MARK: Mark(kind, Fate.KEPT)}


def id_key(name: str, mark: dict[str, Mark], *, index: bool = False) -> Column[int]:
    """Define a column of the primary key that holds Discord ids; `mark` is its `info`."""
    return Column(
        name, BigInteger, primary_key=True, autoincrement=False, index=index or None, info=mark
    )


def of_server() -> Column[int]:
    """Define a column of the primary key that refers to a server; its row is deleted with it."""
    cascade = ForeignKey("server.id", ondelete="CASCADE")
    return Column("server", cascade, primary_key=True, info=guild(Fate.DELETED))


CHANNEL, MESSAGE, ROLE, INTERACTION = map(
    kept, (IdKind.CHANNEL, IdKind.MESSAGE, IdKind.ROLE, IdKind.INTERACTION)
)


def mark_of(column: Column[Any]) -> Mark | None:
    """The mark of a column, if it has one."""
    return column.info.get(_MARK)


def marked(kind: IdKind, table: Table | None = None) -> Iterator[tuple[Column[Any], Mark]]:
    """The columns of one table, or of all, whose ids are of this kind, with their marks.

    A table comes before the tables that refer to it. The columns of a table come last to first,
    since its rows are found by the first column of the key.
    """
    for each in metadata.sorted_tables if table is None else (table,):
        for column in reversed([*each.columns]):
            mark = mark_of(column)
            if mark is not None and mark.kind is kind:
                yield column, mark
