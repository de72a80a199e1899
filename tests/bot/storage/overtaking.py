"""Results of a database that are handed over late, after those of later work."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from bot.storage.database import Database

T = TypeVar("T")

PATIENCE = 0.2
"""Seconds for which the later work may wait for the earlier before that is released."""


async def overtaken(
    database: Database, asked: Coroutine[Any, Any, T], by: Coroutine[Any, Any, object]
) -> T:
    """The result of `asked`: its first work is committed before `by` begins, but told after it."""
    committed, release = asyncio.Event(), asyncio.Event()
    with pytest.MonkeyPatch.context() as patched:
        run = database.run

        async def late(*work: Any, **how: Any) -> Any:
            patched.undo()
            try:
                return await run(*work, **how)
            finally:
                committed.set()
                await release.wait()

        patched.setattr(database, "run", late)
        earlier = asyncio.create_task(asked)
        await committed.wait()
    later = asyncio.create_task(by)
    await asyncio.wait([later], timeout=PATIENCE)
    release.set()
    result, _ = await asyncio.gather(earlier, later)
    return result
