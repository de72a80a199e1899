"""A real browser for tests of the sandbox's page: headless Chromium and its windows.

Selenium blocks, so every call of a window runs in a thread and the server under test goes on in
the event loop of the test. A window waits for what it is asked about; no test sleeps.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    StaleElementReferenceException,
    WebDriverException,
)
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE_S: Final = 60
FLAGS: Final = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--process-per-site",
)
AS_AT_FIRST: Final[dict[str, dict[str, Any]]] = {
    "Emulation.clearDeviceMetricsOverride": {},
    "Emulation.setEmulatedMedia": {"features": []},
    "Emulation.setUserAgentOverride": {"userAgent": "", "acceptLanguage": ""},
    "Emulation.setEmulatedVisionDeficiency": {"type": "none"},
}
"""Commands that undo everything a window can set."""

ENTER: Final = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}

_FIND: Final = """
    const [selector, text] = arguments;
    return [...document.querySelectorAll(selector)].find(
        (each) => each.checkVisibility({visibilityProperty: true}) && each.innerText.includes(text)
    ) ?? null;
"""

_LET_GO: Final = """
    dispatchEvent(new PageTransitionEvent("pagehide", {persisted: true}));
    document.documentElement.hidden = true;
"""
"""Ends a page as far as the sandbox and this machine notice; another address costs much more."""

_LOADS: Final = count(1)

T = TypeVar("T")


def _installed() -> str | None:
    """The browser, without its windows and menus where there is one: that takes a quarter less."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


def missing_browser() -> str:
    """Why there can be no browser here, or an empty string when there can."""
    if not _installed():
        return "chromium is not installed"
    return "" if shutil.which("chromedriver") else "chromedriver is not installed"


@contextmanager
def chromium(profile: Path) -> Iterator[Chrome]:
    """A running browser with its profile below the folder `profile`."""
    profile.mkdir(exist_ok=True)
    options = ChromeOptions()
    options.binary_location = str(_installed())
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # With its path given, Selenium looks for no driver and downloads none.
    service = Service(shutil.which("chromedriver"), env={**os.environ, "TMPDIR": str(profile)})
    driver = Chrome(options=options, service=service)
    try:
        yield driver
    finally:
        with suppress(WebDriverException):  # it may have crashed
            driver.execute_cdp_cmd("Browser.close", {})  # Debian starts it by a script
        driver.quit()


def fresh_tab(driver: Chrome) -> Chrome:
    """The browser, with one idle tab: one of those it has, since a new one takes a while."""
    _let_go(driver, driver.window_handles[0])
    for command, parameters in AS_AT_FIRST.items():
        driver.execute_cdp_cmd(command, parameters)
    console(driver)
    return driver


def _let_go(driver: Chrome, kept: str) -> None:
    """Ends what the browser shows, and closes all tabs but one."""
    for handle in {*driver.window_handles} - {kept}:
        driver.switch_to.window(handle)
        driver.close()
    driver.switch_to.window(kept)
    driver.execute_script(_LET_GO)


def console(driver: Chrome) -> list[dict[str, Any]]:
    """The browser's log since the last call."""
    log = driver.execute(Command.GET_LOG, {"type": "browser"})["value"]
    assert isinstance(log, list)
    return log


class Turn(asyncio.Lock):
    """The right to use a browser, and the tab that it is at."""

    handle = ""


class Window:
    """One tab of the browser, showing the sandbox's page."""

    def __init__(self, driver: Chrome, address: str, turn: Turn | None = None) -> None:
        self.driver = driver
        self.address = address
        self._turn = turn or Turn()
        self._turn.handle = self._handle = driver.current_window_handle

    async def open(self, *, person: str = "Ann", channel: str = "games") -> None:
        """Loads the page as this person, in this channel, and waits until it is shown."""
        await self._do(lambda: self.driver.get(self._page(person, channel)))
        await self.is_ready()

    async def become(self, person: str, channel: str = "games") -> None:
        """Goes to another person and to this channel by the address, within the loaded page."""
        address = f"as={person}&channel={channel}"
        await self.run("delete document.body.dataset.ready; location.hash = arguments[0]", address)
        await self.is_ready()

    async def visit(self, address: str) -> None:
        """Goes to a page of another kind."""
        await self._do(lambda: self.driver.get(address))

    async def reload(self) -> None:
        """Loads the page again."""
        await self._do(self.driver.refresh)
        await self.is_ready()

    async def leave(self) -> None:
        """Goes to another page, from which one can come back."""
        await self._do(lambda: self.driver.get("data:text/html,elsewhere"))

    async def back(self) -> None:
        """Comes back by the browser's button, and waits until the page is shown."""
        await self._do(self.driver.back)
        await self.is_ready()

    async def close(self) -> None:
        """Leaves this page and all beside it, so that nothing holds on to the sandbox any more."""
        await self._do(lambda: _let_go(self.driver, self._handle))

    async def forget(self) -> None:
        """Forgets what pages of this address have stored in the browser, but their files."""
        stored = {"origin": self.address, "storageTypes": "local_storage"}
        await self._command("Storage.clearDataForOrigin", stored)

    async def is_ready(self) -> None:
        """Waits until the world is shown."""
        await self.until("return document.body.dataset.ready === 'true'")

    async def beside(self, *, person: str, channel: str = "games") -> Window:
        """Another tab of the same browser, with the page as this person, in this channel."""

        def make() -> Window:
            page = {"url": self._page(person, channel)}
            tab = self.driver.execute_cdp_cmd("Target.createTarget", page)["targetId"]
            self.driver.switch_to.window(tab)
            return Window(self.driver, self.address, self._turn)

        other = await self._do(make)
        await other.is_ready()
        return other

    async def resize(self, width: int, height: int, scale: float = 1) -> None:
        """The page in a window of this size; a headless window alone can't be as small.

        A screenshot has `scale` pixels in the place of one.
        """
        size = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
        await self._command("Emulation.setDeviceMetricsOverride", size)

    async def prefer(self, scheme: Literal["light", "dark"]) -> None:
        """The page for a reader who prefers these colours."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        await self._command("Emulation.setEmulatedMedia", {"features": [feature]})

    async def read(self, languages: list[str]) -> None:
        """The pages that come next for a reader of these languages, or of the machine's."""
        reader = {"userAgent": "", "acceptLanguage": ",".join(languages)}
        await self._command("Emulation.setUserAgentOverride", reader)

    async def see(self, deficiency: str) -> None:
        """The page as it is seen with a deficiency of colour vision, or `none`."""
        await self._command("Emulation.setEmulatedVisionDeficiency", {"type": deficiency})

    async def sees(self, selector: str, text: str = "") -> WebElement:
        """The first visible element of `selector` that contains `text`, as soon as there is one."""
        what = f"an element {selector} with the text {text!r}"
        found = await self._wait(lambda: self._find(selector, text), what)
        assert found is not None
        return found

    async def misses(self, selector: str, text: str = "") -> None:
        """Waits until no such element is visible."""
        what = f"no element {selector} with the text {text!r}"
        await self._wait(lambda: self._find(selector, text) is None, what)

    async def click(self, selector: str, text: str = "") -> None:
        """Presses such an element as soon as there is one that can be pressed."""

        def attempt() -> bool:
            element = self._find(selector, text)
            if element is not None:
                element.click()
            return element is not None

        await self._wait(attempt, f"an element {selector} with the text {text!r} to press")

    async def type(self, selector: str, *keys: str) -> None:
        """Types into an element."""
        element = await self.sees(selector)
        await self._do(lambda: element.send_keys(*keys))

    async def enter(self, selector: str, line: str) -> None:
        """Puts a line into an empty element at once, as from the clipboard, and presses Enter.

        The line before is taken away only once it was sent.
        """
        element = await self.sees(selector)
        await self.until("return !arguments[0].value", element)

        def attempt() -> None:
            self.driver.execute_script("arguments[0].focus()", element)
            self.driver.execute_cdp_cmd("Input.insertText", {"text": line})
            for kind in ("keyDown", "keyUp"):
                self.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": kind, **ENTER})

        await self._do(attempt)

    async def key(self, *keys: str) -> None:
        """Types where the focus is."""
        await self._do(lambda: self.driver.switch_to.active_element.send_keys(*keys))

    async def run(self, script: str, *arguments: object) -> Any:
        """Run a script; return its result."""
        return await self._do(lambda: self.driver.execute_script(script, *arguments))

    async def until(self, script: str, *arguments: object) -> Any:
        """Wait until a script returns something true, and return it."""
        return await self._wait(lambda: self.driver.execute_script(script, *arguments), script)

    async def screenshot(self, path: Path) -> None:
        """Saves what is to be seen."""
        await self._do(lambda: self.driver.save_screenshot(path))

    async def complaints(self) -> list[str]:
        """The browser's complaints since the last call, each with its level."""
        entries = await self._do(lambda: console(self.driver))
        return [f"{entry['level']} {entry['message']}" for entry in entries]

    def _page(self, person: str, channel: str) -> str:
        # With a query used before, only what comes after # might be exchanged.
        return f"{self.address}/?{next(_LOADS)}#as={person}&channel={channel}"

    def _find(self, selector: str, text: str) -> WebElement | None:
        found = self.driver.execute_script(_FIND, selector, text)
        assert found is None or isinstance(found, WebElement)
        return found

    async def _command(self, name: str, parameters: dict[str, Any]) -> None:
        await self._do(lambda: self.driver.execute_cdp_cmd(name, parameters))

    async def _wait(self, condition: Callable[[], T], what: str) -> T:
        ignored = (
            StaleElementReferenceException,
            ElementClickInterceptedException,
            ElementNotInteractableException,
        )
        wait = WebDriverWait(self.driver, PATIENCE_S, 0.05, ignored_exceptions=ignored)
        return await self._do(lambda: wait.until(lambda _: condition(), f"waited for {what}"))

    async def _do(self, act: Callable[[], T]) -> T:
        def in_this_tab() -> T:
            if self._turn.handle != self._handle:
                self.driver.switch_to.window(self._handle)
                self._turn.handle = self._handle
            return act()

        async with self._turn:
            return await asyncio.to_thread(in_this_tab)
