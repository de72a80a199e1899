"""Every stored id says what it names, and what becomes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from sqlalchemy import BigInteger, Connection, Table, false, or_, select, text

from bot.storage.opening import opened
from bot.storage.schema.base import Fate, IdKind, mark_of, marked, metadata
from tests.bot.databases import raw
from tests.bot.storage.everything import ANN, BEN, CLEO

TABLES = pytest.mark.parametrize("table", metadata.sorted_tables, ids=lambda table: table.name)


@TABLES
def test_a_column_that_may_hold_an_id_is_marked_and_no_other_is(table: Table) -> None:
    wide = {column.name for column in table.columns if isinstance(column.type, BigInteger)}
    assert {column.name for column in table.columns if mark_of(column)} == wide, (
        "see bot/storage/schema/base.py"
    )


@TABLES
def test_an_id_of_a_person_or_a_guild_does_not_stay(table: Table) -> None:
    for kind in (IdKind.PERSON, IdKind.GUILD):
        for column, mark in marked(kind, table):
            assert mark.fate is not Fate.KEPT
            assert mark.fate is not Fate.EMPTIED or column.nullable
            assert mark.fate is not Fate.FORMER or kind is IdKind.PERSON
            assert {*mark.along} <= {*table.columns.keys()}


def naming(connection: Connection) -> Iterator[str]:
    """The tables with a row that names one of the people."""
    for table in metadata.sorted_tables:
        wide = [column for column in table.columns if isinstance(column.type, BigInteger)]
        theirs = or_(false(), *(column.in_([ANN, BEN, CLEO]) for column in wide))
        if connection.execute(select(table).where(theirs)).first() is not None:
            yield table.name


def test_erasing_on_a_server_vacuums_every_table_that_names_people(
    everything: str, postgres_address: str
) -> None:
    done = text("SELECT relname FROM pg_stat_user_tables WHERE last_vacuum IS NOT NULL")

    async def erase() -> set[str]:
        async with opened(postgres_address) as database:
            await database.run(lambda _: None, erasing={b"the bytes of a person"})
            return await database.run(lambda c: {*c.execute(done).scalars()})

    with raw(everything) as connection:
        named = {*naming(connection)}
    assert {"seat", "badge", "puzzle_answer", "tournament_entry"} <= named
    assert named <= asyncio.run(erase())
