"""The simulation itself: a seed repeats, what must hold does, and what is planted is found."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from contextlib import closing
from contextvars import Context
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final

from bot.sandbox.web.calls import Reply
from tests.simulation.chronicle import BROKEN, Chronicle
from tests.simulation.loop import Pace, Process, VirtualLoop
from tests.simulation.threads import LoopProcesses
from tests.simulation.troubles import Troubles, Weather

ROOT: Final = Path(__file__).parents[2]
SHORT: Final = "--days", "0.5", "--busy", "25"
DIGEST: Final = re.compile(r"real +[\d.]+ s ([0-9a-f]{16})")


def begun(*given: str) -> subprocess.Popen[str]:
    """A run of the command, with a hash seed of its own choice, under way."""
    others = {name: value for name, value in os.environ.items() if name != "PYTHONHASHSEED"}
    command = [sys.executable, "-m", "tests.simulation", *given]
    return subprocess.Popen(
        command, cwd=ROOT, env=others, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def test_twenty_short_lives_hold_and_one_of_them_goes_the_same_way_again() -> None:
    with begun("--seeds", "1-20", *SHORT) as lives, begun("--seeds", "10", *SHORT) as again:
        told, told_again = lives.communicate()[0], again.communicate()[0]
    assert lives.returncode == 0, told
    digests = DIGEST.findall(told)
    assert len({*digests}) == 20
    assert DIGEST.findall(told_again) == digests[9:10]


def test_a_killed_process_does_nothing_more_be_it_in_a_context_of_its_own() -> None:
    done: list[str] = []

    async def work() -> None:
        await asyncio.sleep(1)
        done.append("too late")

    async def begin() -> None:
        kept = [asyncio.create_task(work()), asyncio.create_task(work(), context=Context())]
        await asyncio.wait(kept)

    async def life() -> None:
        process = Process("bot")
        process.spawn(begin(), name="beginning")
        await asyncio.sleep(0.5)
        process.kill()
        await asyncio.sleep(1)

    with closing(VirtualLoop()) as loop:
        loop.run_until_complete(life())
    assert not done


def test_a_process_that_ends_goes_on_with_nothing_that_it_left_running() -> None:
    """Seed 656: a computer's answer went on, and a second process began to think about it."""
    done: list[str] = []
    processes = LoopProcesses(Pace(Random(1)))

    async def work() -> None:
        await processes.answer(done.append, ("too late",), 30)

    async def begin() -> None:
        kept.append(asyncio.create_task(work()))
        await asyncio.sleep(0)

    async def life() -> None:
        process = Process("bot")
        await process.spawn(process.run(begin()), name="beginning")
        await asyncio.sleep(60)

    kept: list[asyncio.Task[None]] = []
    with closing(VirtualLoop()) as loop:
        loop.run_until_complete(life())
    assert kept[0].cancelled()
    assert not done


def test_silent_connections_are_heard_of_again_in_their_order() -> None:
    """Seeds 400 and 1001: their order was that of a set, which follows from addresses."""
    heard: list[int] = []
    route, sent = SimpleNamespace(method="GET", path="/"), SimpleNamespace(body=None)
    call: Any = SimpleNamespace(route=route, path="/", sent=sent)

    async def ask(wire: Troubles, number: int) -> None:
        await wire.carry(call, lambda _: Reply(200, {}, {}))
        heard.append(number)

    async def life(loop: VirtualLoop) -> None:
        wire = Troubles(Random(1), Chronicle(loop.time), loop.time)
        wire.weather = Weather(silent=1.0)
        asked = [asyncio.create_task(ask(wire, number)) for number in range(40)]
        await asyncio.sleep(1)
        assert not heard
        wire.hear_again()
        await asyncio.wait(asked)

    with closing(VirtualLoop()) as loop:
        loop.run_until_complete(life(loop))
    assert heard == [*range(40)]


def test_a_failure_shows_what_happened_before_it_but_for_transactions() -> None:
    chronicle = Chronicle(lambda: 0.0)
    for kind, text in (
        ("act", "before"),
        ("disk", "commit pieces=1"),
        ("disk", "slow=2.0 full=False"),
        (BROKEN, "this"),
        ("act", "after"),
    ):
        chronicle.note(kind, text)
    assert [line.split()[-1] for line in chronicle.last] == ["before", "full=False", "this"]


def test_a_planted_fault_is_found() -> None:
    with begun("--seeds", "1-20", *SHORT, "--jobs", "1", "--first", "--plant", "no_repairs") as run:
        told = run.communicate()[0]
    assert "BROKEN" in told
