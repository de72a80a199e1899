"""A sandbox for tests of the bot; all that goes over the wire is held against Discord's schemas."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from sqlalchemy import create_engine

from bot.sandbox import RealClock
from bot.storage import postgres_server as postgres_engines
from bot.storage import sqlite_file as sqlite_engines
from tests import samples
from tests.bot.databases import KINDS, Compiled, Files, NewDatabase
from tests.bot.openapi import DESCRIPTION, Conformance
from tests.bot.postgres import Server, missing_postgres, postgres
from tests.bot.process import give_emoji, lay_databases
from tests.bot.stand_in import ManualClock, Sandbox

Opening: TypeAlias = Callable[..., Awaitable[Sandbox]]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Runs what is marked on both databases, but for tests that are about SQLite's file."""
    if "new_database" in metafunc.fixturenames:
        marked = metafunc.definition.get_closest_marker("both_databases")
        alone = metafunc.definition.get_closest_marker("sqlite_alone")
        both = marked is not None and alone is None and "file" not in metafunc.fixturenames
        kinds = KINDS if both else KINDS[:1]
        metafunc.parametrize("new_database", kinds, indirect=True, scope="session")


@pytest.fixture(scope="session", autouse=True)
def statements_compiled_once() -> Iterator[None]:
    """A statement that the bot has sent in one test need not be compiled in the next."""
    with pytest.MonkeyPatch.context() as patched:
        for engines in (sqlite_engines, postgres_engines):
            options = {"compiled_cache": Compiled()}
            compiling_once = partial(create_engine, execution_options=options)
            patched.setattr(engines, "create_engine", compiling_once)
        yield


class Errors(logging.Handler):
    """The errors in the log, each as its line."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture(autouse=True)
def no_error_in_the_log(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test in which the bot logs an error fails, unless it is marked with `logs_errors`."""
    errors, log = Errors(), logging.getLogger("bot")
    log.addHandler(errors)
    yield
    log.removeHandler(errors)
    if request.node.get_closest_marker("logs_errors") is None:
        assert errors.lines == []


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """A PostgreSQL server for the whole run."""
    if reason := missing_postgres():
        pytest.skip(reason)
    with postgres() as server:
        yield server


@pytest.fixture(scope="session")
def new_database(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> NewDatabase:
    """Makes databases of a kind."""
    if request.param == "postgres":
        server: Server = request.getfixturevalue("postgres_server")
        return server
    return Files(tmp_path_factory.mktemp("databases"))


@pytest.fixture
def postgres_address(postgres_server: Server) -> Iterator[str]:
    """The URL of a PostgreSQL database of the test's own."""
    address = postgres_server()
    yield address
    postgres_server.drop(address)


@pytest.fixture
def address(new_database: NewDatabase) -> Iterator[str]:
    """The URL of a database of the test's own."""
    address = new_database()
    yield address
    new_database.drop(address)


@pytest.fixture
def sandbox_time() -> Callable[[], float]:
    """The time of sandboxes without a clock of their own, in seconds since 1970.

    It stands still, so that ids follow from what happens. A module whose claim is about the
    machine's time overrides it.
    """
    return samples.moment().timestamp


@pytest.fixture
async def open_sandbox(sandbox_time: Callable[[], float]) -> AsyncIterator[Opening]:
    """Makes sandboxes with the options of `Sandbox`, on free ports, until the end of the test."""
    async with AsyncExitStack() as stack:
        checked: list[Conformance] = []

        async def opening(**options: Any) -> Sandbox:
            sandbox = Sandbox(**{"clock": RealClock(sandbox_time), **options})
            if DESCRIPTION.exists():
                checked.append(Conformance())
                sandbox.observe(checked[-1])
            return await stack.enter_async_context(sandbox)

        yield opening
    assert [fault for conformance in checked for fault in conformance.faults] == []


@pytest.fixture
async def sandbox(open_sandbox: Opening) -> Sandbox:
    """A Discord on a free port."""
    return await open_sandbox()


@pytest.fixture
def folder(tmp_path: Path, sandbox: Sandbox) -> Path:
    """A folder as of a bot that was started there before, on the test's sandbox."""
    lay_databases(tmp_path)
    give_emoji(sandbox)
    return tmp_path


@pytest.fixture
def manual_clock() -> ManualClock:
    """The clock of `timed_sandbox`."""
    return ManualClock(samples.moment().timestamp())


@pytest.fixture
async def timed_sandbox(open_sandbox: Opening, manual_clock: ManualClock) -> Sandbox:
    """A Discord on a free port, where time stands still but for `manual_clock`."""
    return await open_sandbox(clock=manual_clock)
