"""A sandbox for tests of the bot; all that goes over the wire is held against Discord's schemas."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any, TypeAlias

import pytest

from bot.sandbox import ManualClock, Sandbox
from tests.bot.openapi import DESCRIPTION, Conformance

Opening: TypeAlias = Callable[..., Awaitable[Sandbox]]


@pytest.fixture
async def open_sandbox() -> AsyncIterator[Opening]:
    """Makes sandboxes with the options of `Sandbox`, on free ports, until the end of the test."""
    async with AsyncExitStack() as stack:
        checked: list[Conformance] = []

        async def opening(**options: Any) -> Sandbox:
            sandbox = Sandbox(**options)
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
def manual_clock() -> ManualClock:
    """The clock of `timed_sandbox`."""
    return ManualClock()


@pytest.fixture
async def timed_sandbox(open_sandbox: Opening, manual_clock: ManualClock) -> Sandbox:
    """A Discord on a free port, where time stands still but for `manual_clock`."""
    return await open_sandbox(clock=manual_clock)
