"""The seed of each test, the browser that some share, and what is said at the end of a run."""

from __future__ import annotations

import gc
import importlib
import os
import random
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from selenium.webdriver import Chrome

from tests import samples
from tests.browser import chromium, fresh_tab, missing_browser
from tests.memory import roomy
from tests.samples import Sample

ROOT: Final = Path(__file__).parents[1]

WAITING: Final = 2
"""The workers beyond one a core: with two a run uses 86 % of two cores, with one 78 %."""

WRITTEN: Final = pytest.StashKey[set[str]]()
"""The messages that tests of `bot/ui` had written."""

COLLECTED: Final = pytest.StashKey[set[str]]()
"""The files of which tests were collected."""

UNWRITTEN: Final = pytest.StashKey[set[str]]()
"""The rooms of the bot of which no text was written, after a run of all tests of `bot/ui`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    samples.add_options(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # until all is imported that stays anyway
    # A run starts a hundred processes, which would each compile everything anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if folder := roomy():
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(folder))
    samples.choose_seed(config)
    if not config.getoption("numprocesses", None):  # else its workers run the tests
        samples.load_profile(exhaustive=config.option.exhaustive)


def pytest_report_header(config: pytest.Config) -> str:
    return samples.header(config)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    samples.of_cases(config, items)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Begins in each worker with other files, so that of new ones each compiles its part.

    They would compile all of them at the same time: half of what a first run collects for.
    """
    begun: dict[str, Any] = getattr(session.config, "workerinput", {})
    if not begun or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    files = sorted(Path(__file__).parent.rglob("test_*.py"))
    first = int(begun["workerid"].removeprefix("gw")) * len(files) // begun["workercount"]
    for file in (*files[first:], *files[:first]):
        with suppress(Exception, pytest.skip.Exception):  # the collection tells it
            importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Two more workers than cores, since tests often wait for another process."""
    return (yield) + (0 if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else WAITING)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> Random:
    """The test's own randomness, by the seed of the run."""
    return samples.source(request.node.nodeid)


@pytest.fixture(autouse=True)
def seeded(rng: Random) -> None:
    """What draws from `random` itself follows the seed too: pauses, people without an `rng`."""
    random.seed(rng.getrandbits(64))


@pytest.fixture
def exhaustive(pytestconfig: pytest.Config) -> bool:
    """Whether the run is to try everything."""
    return bool(pytestconfig.option.exhaustive)


@pytest.fixture
def sample(request: pytest.FixtureRequest) -> Sample:
    """Chooses among what a test tries in a loop; all of it in an exhaustive run."""
    return samples.of_loop(request.config, request.node.nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tells a worker the seed of the run."""
    node.workerinput["seed"] = node.config.option.seed


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Adds up what the workers' tests had written."""
    done: dict[str, list[str]] = getattr(node, "workeroutput", {})
    node.config.stash.setdefault(WRITTEN, set()).update(done.get("written", ()))
    node.config.stash.setdefault(COLLECTED, set()).update(done.get("collected", ()))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Notes the files of which tests were collected."""
    session.config.stash[COLLECTED] = {str(item.path) for item in session.items}
    gc.freeze()  # the collector need not look through what stays: that was a third of a test
    gc.set_threshold(10_000, 10, 50)  # a test leaves little behind, and memory is plenty
    gc.enable()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fails a run of all tests of `bot/ui` that had no text written of a screen or a game."""
    stash = session.config.stash
    written, collected = stash.get(WRITTEN, set()), stash.get(COLLECTED, set())
    output: dict[str, list[str]] | None = getattr(session.config, "workeroutput", None)
    if output is not None:
        output.update(written=[*written], collected=[*collected])
        return
    whole = collected.issuperset(map(str, Path(__file__).parent.glob("bot/ui/test_*.py")))
    if written and whole and session.exitstatus == pytest.ExitCode.OK:
        from tests.bot.ui.unwritten import unwritten  # noqa: PLC0415 - it imports the bot

        stash[UNWRITTEN] = unwritten(written)
        if stash[UNWRITTEN]:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Says once what no test looked at: rooms without a text, and Discord's description."""
    if rooms := config.stash.get(UNWRITTEN, None):
        terminalreporter.section("Rooms of the bot", red=True)
        terminalreporter.line(f"No test had a text written of {', '.join(sorted(rooms))}.")
    from tests.bot.openapi import DESCRIPTION  # noqa: PLC0415 - it imports the sandbox

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
    return fresh_tab(running_browser)
