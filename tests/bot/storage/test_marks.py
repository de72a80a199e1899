"""Every stored id says what it names, and what becomes of it."""

from __future__ import annotations

import pytest
from sqlalchemy import BigInteger, Table

from bot.storage.schema.base import Fate, IdKind, mark_of, marked, metadata

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
