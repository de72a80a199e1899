"""Raw requests to a sandbox, and a window on its page."""

from __future__ import annotations

import socket
import sys
from collections.abc import AsyncIterator, Iterator

import pytest
from selenium.webdriver import Chrome

from bot.sandbox.web.server import HOST
from tests.bot.conftest import Opening
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


@pytest.fixture(scope="session")
def port_of_stages() -> Iterator[int]:
    """One port for all stages, since a browser keeps the page's files by their address."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind((HOST, 0))
        # On Linux a port that is held so is given to nobody but who asks for it.
        yield held.getsockname()[1] if sys.platform == "linux" else 0


@pytest.fixture
async def stage(
    browser: Chrome, port_of_stages: int, open_sandbox: Opening, manual_clock: ManualClock
) -> AsyncIterator[Stage]:
    """A bot that shows everything, and Ann before the page."""
    sandbox = await open_sandbox(port=port_of_stages, clock=manual_clock)
    async with connected(bot := Showcase(), sandbox):
        window = Window(browser, sandbox.url)
        await window.forget()
        await window.resize(1200, 800)
        await window.open()
        yield Stage(sandbox, manual_clock, bot, window)
        await window.close()
