"""A store on a real database file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.storage.database import Database, opened
from bot.storage.tables import SqlStore
from tests.bot.clock import ManualClock


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "parlour.db"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def database(file: Path) -> AsyncIterator[Database]:
    async with opened(f"sqlite:///{file}") as database:
        yield database


@pytest.fixture
def store(database: Database, clock: ManualClock) -> SqlStore:
    return SqlStore(database, clock)
