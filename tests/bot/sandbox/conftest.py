"""Raw requests to a sandbox, and a window on its page."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from selenium.webdriver import Chrome

from tests.bot.connection import connected
from tests.bot.sandbox.raw import Raw, raw
from tests.bot.sandbox.showcase import Showcase
from tests.bot.sandbox.stage import Stage
from tests.bot.stand_in import ManualClock, Sandbox
from tests.browser import Window


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


@pytest.fixture
async def stage(
    timed_sandbox: Sandbox, manual_clock: ManualClock, browser: Chrome
) -> AsyncIterator[Stage]:
    """A bot that shows everything, and Ann before the page."""
    async with connected(bot := Showcase(), timed_sandbox):
        window = Window(browser, timed_sandbox.url)
        await window.resize(1200, 800)
        await window.open()
        yield Stage(timed_sandbox, manual_clock, bot, window)
        await window.close()
