"""Databases of games that were played once a module, and copied for each test that wants them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

from tests.bot.clock import ManualClock
from tests.bot.databases import NewDatabase


@pytest.fixture
def address(request: pytest.FixtureRequest, new_database: NewDatabase) -> Iterator[str]:
    """A database of the test's own, with the games of its module if it wants `played`."""
    games = "played" in request.fixturenames
    address = new_database(of=request.getfixturevalue("games")[0] if games else None)
    yield address
    new_database.drop(address)


@pytest.fixture
def clock(request: pytest.FixtureRequest) -> ManualClock:
    if "played" not in request.fixturenames:
        return ManualClock()
    ended: datetime = request.getfixturevalue("games")[1]
    return ManualClock(ended)
