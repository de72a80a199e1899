"""Every stored id says what it names, and what becomes of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import BigInteger, Column, Connection, Table, false, or_, select, text, update

from bot.storage.choices import People
from bot.storage.opening import opened
from bot.storage.privacy.read import written
from bot.storage.privacy.store import PersonalDataStore
from bot.storage.schema.base import Fate, IdKind, Mark, mark_of, marked, metadata
from bot.storage.tables import Tables
from bot.storage.values import EPOCH
from bot.table.seats import PersonId
from tests.bot.clock import ManualClock
from tests.bot.databases import NewDatabase, raw
from tests.bot.storage.everything import ANN, BEN, CLEO

ANOTHER = PersonId(104)
"""Somebody whom no row names."""
TOLD = [(column, mark) for column, mark in marked(IdKind.PERSON) if mark.told is not None]
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


async def file_of(address: str, person: PersonId) -> dict[str, Any]:
    """The file of a person's data."""
    async with opened(address) as database:
        tables, people = Tables(database, ManualClock()), await People.loaded(database)
        data = await PersonalDataStore(database, tables, people).personal_data(person)
        file = written(data, EPOCH, {}, most=1 << 20)
        assert file is not None
        told: dict[str, Any] = json.loads(file.content)
        return told


@pytest.mark.parametrize(("column", "mark"), TOLD, ids=[str(column) for column, _ in TOLD])
async def test_a_persons_file_has_each_row_that_a_mark_says_it_has(
    everything: str, new_database: NewDatabase, column: Column[Any], mark: Mark
) -> None:
    """Once the column names somebody else, that part of the file says less."""
    with raw(everything) as connection:
        named = {*connection.execute(select(column)).scalars()} & {ANN, BEN, CLEO}
    person = min(map(PersonId, named))
    before = await file_of(everything, person)
    address = new_database(everything)
    with raw(address) as connection:
        connection.execute(
            update(column.table).where(column == person).values({column.name: ANOTHER})
        )
    assert (await file_of(address, person))[mark.told or ""] != before[mark.told or ""]


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
