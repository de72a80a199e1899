"""Statements that the driver runs: they write what SQLAlchemy would, in every dialect."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Connection, bindparam, insert, select, text, update
from sqlalchemy.dialects.postgresql import insert as insert_new

from bot.storage.database import Database
from bot.storage.schema.choice_tables import notes
from bot.storage.schema.game_tables import sessions
from bot.storage.values import Prepared

pytestmark = pytest.mark.both_databases

NOW = datetime(2026, 5, 1, 12, 30, 15, 250_000, tzinfo=UTC)
ROW = {
    "game": "tictactoe",
    "host": 1,
    "phase": "lobby",
    "lost": False,
    "plies": 0,
    "revision": 1,
    "shown": 0,
    "unattended": True,
    "channel": 5,
    "state": {"session": {"options": {"size": 3, "line": 3}}},
    "moved_at": NOW,
    "due": None,
}
ADD, ADD_NOTE = Prepared(insert(sessions)), Prepared(insert_new(notes).on_conflict_do_nothing())


async def test_a_row_is_stored_as_its_columns_keep_it(database: Database) -> None:
    def work(connection: Connection) -> None:
        ADD.run(connection, {**ROW, "id": 7})
        connection.execute(insert(sessions), {**ROW, "id": 8})
        columns = [column for column in sessions.columns if column.name != "id"]
        ours, its = connection.execute(select(*columns).order_by(sessions.c.id)).all()
        assert ours == its
        assert ours.state == ROW["state"]
        assert ours.moved_at == NOW

    await database.run(work)


async def test_rows_of_other_columns_are_changed_by_the_same_statement(database: Database) -> None:
    change = Prepared(update(sessions).where(sessions.c.id == bindparam("of")))
    until = NOW + timedelta(days=1)

    def work(connection: Connection) -> None:
        ADD.run(connection, *({**ROW, "id": number} for number in (1, 2, 3)))
        assert change.run(connection, {"of": 2, "plies": 4}).rowcount == 1
        assert change.run(connection, {"of": 3, "due": until, "lost": True}).rowcount == 1
        assert change.run(connection, {"of": 4, "plies": 9}).rowcount == 0
        its = sessions.c
        found = connection.execute(select(its.id, its.plies, its.due, its.lost).order_by(its.id))
        assert [*found] == [(1, 0, None, False), (2, 4, None, False), (3, 0, until, True)]

    await database.run(work)


async def test_it_tells_whether_a_row_was_new(database: Database) -> None:
    def work(connection: Connection) -> list[int]:
        return [ADD_NOTE.run(connection, {"key": key, "value": ""}).rowcount for key in "aba"]

    assert await database.run(work) == [1, 1, 0]


async def test_a_value_may_stand_in_a_statement_twice(database: Database) -> None:
    twice = Prepared(text("UPDATE note SET value = value || :by || :by WHERE key = :key"))

    def work(connection: Connection) -> str | None:
        ADD_NOTE.run(connection, {"key": "a", "value": "x"}, {"key": "b", "value": "y"})
        twice.run(connection, {"key": "b", "by": "1"}, {"key": "b", "by": "2"})
        found = Prepared(select(notes.c.value).where(notes.c.key == bindparam("key")))
        value: str | None = found.run(connection, {"key": "b"}).scalar()
        return value

    assert await database.run(work) == "y1122"
