"""Virtual seconds that the simulation takes a second of one core: a server with 50 running games.

Run from the repository: `python -m tests.benchmarks.simulation`
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import shutil
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final

from tests.bot.databases import template
from tests.memory import roomy
from tests.simulation.chronicle import Chronicle
from tests.simulation.command import FIRST
from tests.simulation.loop import Pace, VirtualLoop
from tests.simulation.run import simulate
from tests.simulation.seeded import seeded
from tests.simulation.world import Plan, World

RUNNING: Final = 50
EACH_GAME: Final = 150.0
"""Seconds between two moves of a person at one table, whom three games a day keep busy."""


async def busy(world: World, seconds: float) -> tuple[float, float, int]:
    """Virtual seconds, seconds of a core, and acts of people with 50 games running."""
    await world.sandbox.start()
    world.machine.start()
    await world._connected()
    await fill(world)
    people = [asyncio.create_task(each.live(), name=each.person.name) for each in world.dwellers]
    world.lively = True
    virtual, begun, acts = world.loop.time(), process_time(), world.holds.acts
    await asyncio.sleep(seconds)
    took = process_time() - begun
    world.lively = False
    for each in people:
        each.cancel()
    running = world.holds.row("SELECT count(*) FROM session WHERE phase = 'running'")[0]
    print(f"{running} games running at the end")
    return world.loop.time() - virtual, took, world.holds.acts - acts


async def fill(world: World) -> None:
    """Begin 50 games, of which each person plays four or five against the computer."""
    people = [each.person for each in world.dwellers]
    for number in range(RUNNING):
        person = people[number % len(people)]
        game = ("tictactoe", "connectfour", "ludo")[number % 3]
        given = {"computers": 1} if game == "ludo" else {}
        typed = await person.type(person.dm, game, pace="relaxed", **given)
        await typed.answered()
        await asyncio.sleep(1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    loop = VirtualLoop(Pace(Random(given.seed)))
    plan = Plan(given.seed, faults=frozenset(), every=EACH_GAME * 12 / RUNNING)
    simulate(FIRST)
    gc.freeze()
    gc.disable()
    with TemporaryDirectory(dir=roomy()) as folder:
        shutil.copy(template(), Path(folder) / "parlour.db")
        asyncio.set_event_loop(loop)
        world = World(plan, loop, Path(folder), Chronicle(loop.time))
        with seeded(loop, world.clock, Random(given.seed)):
            virtual, took, acts = loop.run_until_complete(busy(world, given.seconds))
    print(
        f"{virtual:.0f} virtual seconds with {acts} acts took {took:.2f} s of a core:"
        f" {virtual / took:.0f} in one"
    )


if __name__ == "__main__":
    main()
