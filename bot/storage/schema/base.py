"""The metadata of all SQL tables, and how they and their indexes are defined."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, ForeignKey, Index, MetaData, Table, TypeDecorator
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
