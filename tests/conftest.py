"""The browser that tests of the sandbox's page share, and what a run could not look at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome

from tests.bot.openapi import DESCRIPTION
from tests.browser import chromium, console, missing_browser


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says once that nothing was held against Discord's description, if that is not there."""
    if not DESCRIPTION.exists():
        missing = f"Discord's OpenAPI description is not at {DESCRIPTION}"
        terminalreporter.section("Discord's description", yellow=True)
        terminalreporter.line(f"{missing}: nothing that was sent was held against it.")


@pytest.fixture(scope="session")
def running_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    if reason := missing_browser():
        pytest.skip(reason)
    with chromium(tmp_path_factory.mktemp("chromium")) as driver:
        yield driver


@pytest.fixture
def browser(running_browser: Chrome) -> Chrome:
    """A browser with one fresh tab."""
    old = running_browser.window_handles
    running_browser.switch_to.new_window("tab")
    fresh = running_browser.current_window_handle
    for handle in old:
        running_browser.switch_to.window(handle)
        running_browser.close()
    running_browser.switch_to.window(fresh)
    console(running_browser)
    return running_browser
