"""Raw requests to a sandbox."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.sandbox import Sandbox
from tests.bot.sandbox.raw import Raw, raw


@pytest.fixture
async def api(sandbox: Sandbox) -> AsyncIterator[Raw]:
    """Requests to the sandbox."""
    async with raw(sandbox) as api:
        yield api


@pytest.fixture
async def timed_api(timed_sandbox: Sandbox) -> AsyncIterator[Raw]:
    """Requests to the sandbox whose time stands still."""
    async with raw(timed_sandbox) as api:
        yield api
