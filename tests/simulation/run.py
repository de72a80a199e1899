"""One simulation, from its plan to its outcome."""

from __future__ import annotations

import asyncio
import gc
import logging
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final

from tests.bot.databases import template
from tests.memory import roomy
from tests.simulation.chronicle import Broken, Chronicle
from tests.simulation.loop import Pace, VirtualLoop
from tests.simulation.machine import quicken
from tests.simulation.planted import PLANTED
from tests.simulation.seeded import seeded
from tests.simulation.world import Plan, World

QUIETENED: Final = ("asyncio", "aiohttp")
"""Libraries whose warnings tell of faults that the simulation itself makes."""

FAULTS: Final = ("trouble", "gateway", "spoil", "weather", "kill", "clock", "discord")
"""The kinds of happenings that count as faults."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a simulation."""

    plan: Plan
    broken: str | None
    digest: str
    virtual: float
    awake: float
    """Virtual seconds in which the machine did not sleep."""
    real: float
    counts: dict[str, int]
    games: int
    over: int
    moves: int
    tournaments: int
    acts: int
    late: int
    starts: int
    last: tuple[str, ...]

    def line(self) -> str:
        """The outcome in a line."""
        faults = sum(self.counts.get(each, 0) for each in FAULTS)
        parts = (
            f"seed {self.plan.seed:<6}",
            f"games {self.games:<4} over {self.over:<4} moves {self.moves:<5}",
            f"tournaments {self.tournaments:<3} acts {self.acts:<5} late {self.late:<3}",
            f"faults {faults:<4} starts {self.starts:<3}",
            f"virtual {self.virtual:8.0f} s awake {self.awake:5.0f} s real {self.real:5.1f} s",
            self.digest,
            "ok" if self.broken is None else f"BROKEN {self.broken}",
        )
        return " ".join(parts)


def simulate(
    plan: Plan,
    *,
    planted: str | None = None,
    aloud: bool = False,
    until: float | None = None,
    stop: Callable[[], None] = lambda: None,
) -> Outcome:
    """Carry out a plan."""
    begun = process_time()
    rng = Random(plan.seed)
    loop = VirtualLoop(Pace(Random(rng.getrandbits(64))))
    chronicle = Chronicle(loop.time, aloud=aloud)
    chronicle.until, chronicle.stop = until, stop
    broken: str | None = None
    world: World | None = None
    counted = 0, 0, 0, 0
    quicken()
    gc.collect()
    gc.freeze()
    gc.disable()  # it would run at moments that no seed knows
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="simulation-", dir=roomy())))
        shutil.copy(template(), folder / "parlour.db")
        chronicle.folder = str(folder)
        if planted is not None:
            stack.enter_context(PLANTED[planted]())
        try:
            asyncio.set_event_loop(loop)
            world = World(plan, loop, folder, chronicle)
            root = logging.getLogger()
            for name in QUIETENED:
                logging.getLogger(name).setLevel(logging.ERROR)
            root.setLevel(logging.INFO)
            root.addHandler(world.errors)
            with seeded(loop, world.clock, Random(rng.getrandbits(64))):
                loop.run_until_complete(world.run())
        except Broken as error:
            broken = str(error)
        except Exception as error:
            if aloud:
                logging.getLogger(__name__).exception("the simulation failed")
            broken = f"the simulation itself: {error!r}"
        finally:
            if world is not None:
                logging.getLogger().removeHandler(world.errors)
                counted = world.holds.counted
                world.holds.close()
    assert world is not None, broken
    return Outcome(
        plan,
        broken,
        chronicle.digest,
        loop.time() - 1000,
        loop.time() - 1000 - world.asleep,
        process_time() - begun,
        dict(chronicle.counts),
        *counted,
        world.holds.acts,
        world.holds.late,
        sum(each.starts for each in world.machines),
        tuple(chronicle.last),
    )
