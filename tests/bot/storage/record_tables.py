"""The rows of the records, whole."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, select, update

from bot.storage.records.write import rebuild, record_missing
from bot.storage.schema.game_tables import sessions
from bot.storage.schema.record_tables import RECORDS


def dump(connection: Connection) -> dict[str, list[Any]]:
    """Every row of the records, by table, and the place at which each session finished."""
    numbers = select(sessions.c.id, sessions.c.finish).order_by(sessions.c.id)
    rows = {
        table.name: list(connection.execute(select(table).order_by(*table.primary_key)))
        for table in RECORDS
    }
    return {"finish": list(connection.execute(numbers)), **rows}


def wipe(connection: Connection) -> None:
    """Leaves nothing of the records."""
    for table in RECORDS:
        connection.execute(delete(table))
    connection.execute(update(sessions).values(finish=None))


def rebuilt(connection: Connection) -> dict[str, list[Any]]:
    """The records made anew from the games."""
    rebuild(connection)
    return dump(connection)


def entered_again(connection: Connection) -> dict[str, list[Any]]:
    """The records of games that are entered anew in the order of their ends."""
    wipe(connection)
    record_missing(connection)
    return dump(connection)
