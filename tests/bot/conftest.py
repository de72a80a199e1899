"""A sandbox for tests of the bot."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.sandbox import Sandbox


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    """A Discord on a free port."""
    async with Sandbox() as sandbox:
        yield sandbox
