"""Marks of columns that hold ids of Discord: what each names, and what becomes of it.

Every column of large numbers (`BigInteger`) has a mark. Forgetting a person, removing a guild and
the file of a person's data follow the marks, so that a new column is forgotten with the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Column, Table

from bot.storage.schema.base import metadata

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
