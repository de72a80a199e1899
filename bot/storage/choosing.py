"""Rows of those who have chosen something: made with the first choice, changed with the next."""

from __future__ import annotations

from sqlalchemy import Connection, Table, insert, select, update


def choose(connection: Connection, table: Table, number: int, **values: str | int | None) -> None:
    """Sets columns in the row of somebody's `id`, which is made if there is none."""
    own = table.c.id == number
    if connection.execute(select(table.c.id).where(own)).first() is None:
        connection.execute(insert(table), {"id": number, **values})
    elif values:
        connection.execute(update(table).where(own).values(**values))
