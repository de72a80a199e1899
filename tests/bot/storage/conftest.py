"""A store on a real database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.storage.database import Database
from bot.storage.opening import opened
from bot.storage.tables import Tables
from tests.bot.clock import ManualClock
from tests.bot.databases import file_of


@pytest.fixture
def file(address: str) -> Path:
    """The file of an SQLite database, which keeps the test off PostgreSQL."""
    return file_of(address)


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
