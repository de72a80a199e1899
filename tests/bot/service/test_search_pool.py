"""Processes that think: they answer, they are replaced, and they go when the bot goes."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random, getrandbits

import pytest
from pebble import ProcessPool
from pebble.pool.base_pool import Task
from pebble.pool.process import PoolManager

from bot.games.catalogue import CATALOGUE
from bot.service import search_pool, search_processes
from bot.service.search_pool import SearchPool
from bot.service.search_processes import SearchProcesses
from bot.table.seats import Level
from bot.table.session import Phase, Session
from engine.game import Move
from engine.games.tictactoe import GAME
from tests.bot.kit import ANN, new_game
from tests.bot.service.lost_searches import die, die_if, fail, hoard_once, never_end, never_end_if


def against(level: Level, *moves: int) -> Session:
    """A game on 3x3, `moves` played, where the computer with X is to move."""
    session = new_game("tictactoe", level, ANN)
    for ply, move in enumerate(map(Move, moves)):
        if session.turn == 0:
            session = session.answer(move, ply=ply)
        else:
            session = session.play(ANN, move, ply=ply)
    return session


@pytest.fixture
def workers() -> SearchProcesses:
    return SearchProcesses(1)


@pytest.fixture
def pool(workers: SearchProcesses) -> Iterator[SearchPool]:
    pool = SearchPool(workers, Random(getrandbits(64)))
    yield pool
    pool.close()


async def process(workers: SearchProcesses) -> int:
    """The one that is asked next."""
    return await workers.answer(os.getpid, (), 30)


async def test_a_search_in_a_process_finds_the_winning_move(pool: SearchPool) -> None:
    assert await pool.move(against(Level.PERFECT, 0, 3, 1, 4)) == 2


@pytest.mark.parametrize("level", CATALOGUE["tictactoe"].levels)
def test_what_takes_less_than_a_millisecond_is_thought_without_a_process(
    pool: SearchPool, level: Level
) -> None:
    session = against(level, 0, 3)
    assert pool.quick(session) in session.position.moves()


@pytest.mark.parametrize("level", [Level.HARD, Level.PERFECT])
def test_levels_that_search_a_large_board_do_not_answer_at_once(
    pool: SearchPool, level: Level
) -> None:
    large = replace(against(level), options=GAME.settled({"size": 4}), phase=Phase.LOBBY).start()
    assert pool.quick(large) is None


async def test_a_process_that_dies_is_replaced_and_its_game_goes_on(
    pool: SearchPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = against(Level.PERFECT, 0, 3, 1, 4)
    with monkeypatch.context() as patched:
        patched.setattr(search_pool, "think", die)
        assert await pool.move(session) in session.position.moves()
    assert await pool.move(session) == 2


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
async def test_what_a_process_was_asked_that_was_ended_another_answers(
    pool: SearchPool,
    workers: SearchProcesses,
    monkeypatch: pytest.MonkeyPatch,
    sent: signal.Signals,
) -> None:
    """The kernel ends a process with SIGKILL when the machine is out of memory."""
    first = await process(workers)
    monkeypatch.setattr(search_pool, "think", partial(die_if, first, sent))
    assert await pool.move(against(Level.PERFECT, 0, 3, 1, 4)) == 2


async def test_a_search_that_runs_out_of_memory_is_asked_for_again(
    pool: SearchPool,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(search_pool, "think", partial(hoard_once, tmp_path / "hoarded"))
    assert await pool.move(against(Level.PERFECT, 0, 3, 1, 4)) == 2
    assert (tmp_path / "hoarded").exists()
    assert "given up" not in caplog.text


async def test_what_a_pool_was_asked_that_broke_another_answers(
    pool: SearchPool, workers: SearchProcesses, caplog: pytest.LogCaptureFixture
) -> None:
    idle = await process(workers)
    os.kill(idle, signal.SIGKILL)
    assert await pool.move(against(Level.PERFECT, 0, 3, 1, 4)) == 2
    assert "given up" not in caplog.text


async def test_what_a_pool_is_asked_as_it_breaks_another_answers_at_once(
    pool: SearchPool, workers: SearchProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pebble gives up what it knows of, and hears of one more search after that."""
    idle, given_up = await process(workers), threading.Event()
    give_up, take = PoolManager.handle_broken_pool, PoolManager.schedule

    def noted(self: PoolManager, error: BrokenProcessPool) -> None:
        give_up(self, error)
        given_up.set()

    def late(self: PoolManager, task: Task) -> None:
        if not given_up.is_set():
            os.kill(idle, signal.SIGKILL)
            given_up.wait()
        take(self, task)

    monkeypatch.setattr(PoolManager, "handle_broken_pool", noted)
    monkeypatch.setattr(PoolManager, "schedule", late)
    monkeypatch.setattr(search_processes, "STARTING_SECONDS", 3_600.0)
    assert await pool.move(against(Level.PERFECT, 0, 3, 1, 4)) == 2


async def test_what_a_process_was_asked_that_has_stopped_another_answers(
    pool: SearchPool, workers: SearchProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_pool = search_processes._pool

    def patiently(count: int, niceness: int) -> ProcessPool:
        monkeypatch.setattr(search_processes, "STARTING_SECONDS", 60.0)
        return begin_pool(count, niceness)

    monkeypatch.setattr(search_processes, "_pool", patiently)
    os.kill(await process(workers), signal.SIGSTOP)
    monkeypatch.setattr(search_processes, "STARTING_SECONDS", -5.5)
    assert await pool.move(against(Level.PERFECT, 0, 3, 1, 4)) == 2


async def test_a_search_is_not_late_because_the_clock_of_the_machine_was_set(
    pool: SearchPool, workers: SearchProcesses, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first, begun = await process(workers), tmp_path / "begun"
    clock = time.time

    def jumping() -> float:
        """The clock, set to the next day a second after the search began."""
        set_on = begun.exists() and clock() > begun.stat().st_mtime + 1
        return clock() + 86_400 * set_on

    monkeypatch.setattr(search_pool, "GRACE_SECONDS", 60)  # the next has to start on a busy machine
    monkeypatch.setattr(search_pool, "think", partial(never_end_if, first, begun))
    monkeypatch.setattr(time, "time", jumping)
    assert await pool.move(against(Level.PERFECT, 0, 3, 1, 4)) == 2


async def test_no_move_is_made_up_for_a_search_that_is_lost_while_parlour_ends(
    pool: SearchPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_pool, "think", die)
    pool.end()
    with pytest.raises(asyncio.CancelledError):
        await pool.move(against(Level.PERFECT, 0, 3, 1, 4))


async def test_a_pool_that_has_broken_is_replaced(
    pool: SearchPool, workers: SearchProcesses
) -> None:
    workers._pool.stop()
    workers._pool.join()
    assert await pool.move(against(Level.PERFECT, 0, 3, 1, 4)) == 2


async def test_a_search_that_the_end_cuts_short_makes_up_no_move(
    pool: SearchPool, caplog: pytest.LogCaptureFixture
) -> None:
    pool.close()
    with pytest.raises(asyncio.CancelledError):
        await pool.move(against(Level.PERFECT, 0, 3, 1, 4))
    assert not caplog.records


async def test_a_search_that_overruns_is_ended_and_its_game_goes_on(
    pool: SearchPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = against(Level.PERFECT, 0, 3, 1, 4)
    with monkeypatch.context() as patched:
        patched.setattr(search_pool, "think", never_end)
        patched.setattr(search_pool, "GRACE_SECONDS", -0.5)
        assert await pool.move(session) in session.position.moves()
    assert await pool.move(session) == 2


@pytest.mark.logs_errors
async def test_a_search_that_fails_is_logged_and_its_game_goes_on(
    pool: SearchPool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    session = against(Level.PERFECT, 0, 3, 1, 4)
    monkeypatch.setattr(search_pool, "think", fail)
    assert await pool.move(session) in session.position.moves()
    assert "search failed" in caplog.text


async def test_a_process_that_ends_by_itself_does_not_complain_of_being_ended(
    workers: SearchProcesses,
) -> None:
    assert await workers.answer(signal.getsignal, (signal.SIGTERM,), 30) is signal.SIG_DFL
    workers.close()


def test_a_process_that_is_still_starting_ends_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    ended: list[BaseProcess] = []

    def end_by_itself(process: BaseProcess) -> None:
        process.join()  # it starts after all, and finds that its pool is gone
        ended.append(process)

    monkeypatch.setattr(BaseProcess, "terminate", end_by_itself)
    SearchProcesses(1).close()
    assert ended
    assert not capfd.readouterr().err


PARENT = """
import asyncio, os, signal
from bot.service.search_processes import SearchProcesses
async def main():
    print(await SearchProcesses(1).answer(os.getpid, (), 30), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
if __name__ == "__main__":
    asyncio.run(main())
"""


def test_the_processes_end_with_a_bot_that_was_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert int(parent.stdout.readline()) != parent.pid
        # The worker holds the other end of this pipe: its end is reached only when it is gone.
        assert parent.stdout.read() == b""
