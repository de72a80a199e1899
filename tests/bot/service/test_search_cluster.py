"""Searches at a Dask cluster: workers answer, workers die, a scheduler goes and comes back."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random, getrandbits

import pytest

from bot.service import search_cluster, search_pool
from bot.service.search_cluster import SearchCluster
from bot.service.search_pool import SearchPool
from bot.table.seats import Level
from engine.workers import NoCluster
from tests.bot.dask_cluster import DaskCluster
from tests.bot.process import kill
from tests.bot.service.lost_searches import die, die_once, wait_in
from tests.bot.service.test_search_pool import against

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None, reason="the extra `cluster` is not installed"
)


@pytest.fixture
async def cluster(tmp_path: Path) -> AsyncIterator[DaskCluster]:
    async with AsyncExitStack() as stack:
        yield DaskCluster(tmp_path, stack)


@pytest.fixture
async def processes(cluster: DaskCluster) -> Sequence[Process]:
    """The scheduler and a worker."""
    return await cluster.begin(1)


@pytest.fixture
async def pool(
    cluster: DaskCluster,
    processes: object,  # noqa: ARG001
) -> AsyncIterator[SearchPool]:
    pool = SearchPool(await SearchCluster.at(cluster.address), Random(getrandbits(64)))
    yield pool
    pool.close()


async def test_a_search_at_a_cluster_finds_the_winning_move(pool: SearchPool) -> None:
    assert await pool.move(against(Level.PERFECT, 0, 3, 1, 4)) == 2


async def test_what_a_worker_was_asked_that_is_killed_in_mid_search_another_answers(
    cluster: DaskCluster,
    pool: SearchPool,
    processes: Sequence[Process],
    *,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    workers = {processes[1].pid, (await cluster.add_worker()).pid}
    monkeypatch.setattr(search_pool, "think", partial(die_once, tmp_path / "died"))
    assert await pool.move(against(Level.PERFECT, 0, 3, 1, 4)) == 2
    assert int((tmp_path / "died").read_text()) in workers
    assert "given up" not in caplog.text


async def test_searches_go_on_when_a_scheduler_is_back_that_was_killed(
    cluster: DaskCluster,
    processes: Sequence[Process],
    pool: SearchPool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await kill(processes[0])
    searches = [asyncio.create_task(pool.move(against(Level.PERFECT, 0, 3, 1, 4))) for _ in "ab"]
    await cluster.begin(1)
    assert await asyncio.gather(*searches) == [2, 2]
    assert "given up" not in caplog.text


async def test_a_game_goes_on_without_a_scheduler_and_searches_again_with_one(
    cluster: DaskCluster,
    processes: Sequence[Process],
    pool: SearchPool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = against(Level.PERFECT, 0, 3, 1, 4)
    await kill(processes[0])
    with monkeypatch.context() as patched:
        patched.setattr(search_cluster, "STARTING_SECONDS", -5.5)
        assert await pool.move(session) in session.position.moves()
    await cluster.begin(1)
    assert await pool.move(session) == 2


async def test_a_question_that_kills_every_worker_is_given_up_and_its_game_goes_on(
    cluster: DaskCluster, pool: SearchPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = against(Level.PERFECT, 0, 3, 1, 4)
    with monkeypatch.context() as patched:
        patched.setattr(search_cluster, "STARTING_SECONDS", -1.0)
        patched.setattr(search_pool, "think", die)
        assert await pool.move(session) in session.position.moves()
    await cluster.add_worker()
    assert await pool.move(session) == 2


async def test_no_move_is_made_up_for_a_search_that_is_lost_while_parlour_ends(
    processes: Sequence[Process],
    pool: SearchPool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search_cluster, "STARTING_SECONDS", -5.5)
    await kill(processes[0])
    pool.end()
    with pytest.raises(asyncio.CancelledError):
        await pool.move(against(Level.PERFECT, 0, 3, 1, 4))


async def test_a_search_that_the_end_cuts_short_makes_up_no_move(
    pool: SearchPool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begun, end = tmp_path / "begun", tmp_path / "end"
    os.mkfifo(begun)
    os.mkfifo(end)
    monkeypatch.setattr(search_pool, "think", partial(wait_in, begun, end))
    search = asyncio.create_task(pool.move(against(Level.PERFECT, 0, 3, 1, 4)))
    await asyncio.to_thread(begun.read_text)
    pool.close()
    with pytest.raises(asyncio.CancelledError):
        await search


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("127.0.0.1:8786", "a scheduler's address is tcp://HOST:PORT"),
        ("tcp://127.0.0.1:8786", r"pip install -e '\.\[cluster\]'"),
    ],
)
async def test_a_cluster_that_cannot_be_used_is_refused_with_a_sentence(
    address: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)  # as if it were not installed
    with pytest.raises(NoCluster, match=sentence):
        await SearchCluster.at(address)


async def test_a_scheduler_without_workers_is_refused(cluster: DaskCluster) -> None:
    await cluster.begin(0)
    with pytest.raises(NoCluster, match="has no workers"):
        await SearchCluster.at(cluster.address)


async def test_workers_of_another_version_are_refused(
    cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    await cluster.begin(1)
    monkeypatch.setattr(search_cluster, "version", lambda _: "0.0.1")
    with pytest.raises(NoCluster, match=r"has another Parlour than 0\.0\.1"):
        await SearchCluster.at(cluster.address)
