"""A store on a real database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.storage.database import Database
from bot.storage.opening import opened
from bot.storage.tables import Tables
from tests.bot.clock import ManualClock
from tests.bot.databases import NewDatabase, file_of
from tests.bot.storage.everything import FEW, filled


@pytest.fixture
def file(address: str) -> Path:
    """The file of an SQLite database, which keeps the test off PostgreSQL."""
    return file_of(address)


@pytest.fixture(scope="session")
def everything(new_database: NewDatabase) -> str:
    """A database with something of everything, and few games; it is only read and copied."""
    address = new_database()
    filled(address, FEW)
    return address


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """Where a file of SQLite can be made."""
    return tmp_path / "parlour.db"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def database(address: str) -> AsyncIterator[Database]:
    async with opened(address) as database:
        yield database


@pytest.fixture
def store(database: Database, clock: ManualClock) -> Tables:
    return Tables(database, clock)
