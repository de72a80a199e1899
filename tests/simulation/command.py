"""`python -m tests.simulation --seeds 1-100 --days 2`: simulations, a line each.

Each seed is a process of its own, forked from one that has imported everything. What breaks is
followed by the last happenings of its first; the same seed and options repeat it.
"""

from __future__ import annotations

import argparse
import gc
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from multiprocessing import get_context
from time import perf_counter
from typing import Final

from tests.simulation.planted import PLANTED
from tests.simulation.run import Outcome, simulate
from tests.simulation.world import KINDS_OF_FAULTS, Plan

NO_FAULTS: Final = "none"
SHORTEST: Final = 0.5
"""Days of which there are no fewer."""

FIRST: Final = Plan(14, days=SHORTEST, busy=25.0, faults=frozenset(), processes=1)
"""A life before all others, so that statements are compiled and tables loaded once.

It has news, puzzles, boards as pictures and a sign-up, and more statements than most of its length.
"""


def run(given: Sequence[str]) -> int:
    """Run what a command line asks for; return 1 if something broke."""
    asked = _parser().parse_args(given)
    plan = Plan(
        0,
        days=asked.days,
        people=asked.people,
        faults=_faults(asked.faults),
        every=asked.every,
        busy=asked.busy,
        processes=asked.processes,
    )
    first, _, last = asked.seeds.partition("-")
    plans = [replace(plan, seed=seed) for seed in range(int(first), int(last or first) + 1)]
    if asked.until is not None or asked.aloud:
        outcome = simulate(
            plans[0], planted=asked.plant, aloud=asked.aloud, until=asked.until, stop=breakpoint
        )
        print(outcome.line())
        return outcome.broken is not None
    if asked.planted:
        return _table(plans, asked.jobs)
    if asked.shrink:
        return _shrunk(plans[0], asked.plant)
    return _each(plans, asked)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    usual = Plan(0)
    parser.add_argument("--seeds", default="1-20", help="one, or from one to another: 7, 1-100")
    parser.add_argument("--days", type=float, default=usual.days)
    parser.add_argument("--people", type=int, default=usual.people)
    parser.add_argument(
        "--faults",
        default=",".join(sorted(KINDS_OF_FAULTS)),
        help=f"of these kinds alone, or {NO_FAULTS} (default: %(default)s)",
    )
    parser.add_argument("--every", type=float, default=usual.every, help="seconds between acts")
    parser.add_argument("--busy", type=float, default=usual.busy, help="seconds of each spell")
    parser.add_argument(
        "--processes", type=int, default=0, help="of the bot, a shard each (the seed chooses)"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--plant", choices=sorted(PLANTED), help="plant a fault")
    parser.add_argument(
        "--planted", action="store_true", help="the first seed that finds each planted fault"
    )
    parser.add_argument("--first", action="store_true", help="stop at the first that breaks")
    parser.add_argument("--until", type=float, help="stop with a debugger at this virtual time")
    parser.add_argument("--shrink", action="store_true", help="find fewer people and faults")
    parser.add_argument("--aloud", action="store_true", help="print all happenings")
    return parser


def _faults(named: str) -> frozenset[str]:
    chosen = frozenset(each for each in named.split(",") if each not in {"", NO_FAULTS})
    if unknown := chosen - KINDS_OF_FAULTS:
        raise SystemExit(f"There are no faults of the kind {', '.join(sorted(unknown))}.")
    return chosen


def _each(plans: Sequence[Plan], asked: argparse.Namespace) -> int:
    begun, virtual, cores = perf_counter(), 0.0, 0.0
    broken: list[Outcome] = []
    for outcome in _outcomes(plans, asked.plant, asked.jobs):
        print(outcome.line(), flush=True)
        virtual, cores = virtual + outcome.awake, cores + outcome.real
        if outcome.broken is not None:
            broken.append(outcome)
            if len(broken) == 1:
                print("\n".join(outcome.last), flush=True)
            if asked.first:
                break
    print(
        f"{len(broken)} of {len(plans)} broke; {perf_counter() - begun:.0f} s, {cores:.0f} s of a"
        f" core, {virtual / max(cores, 0.001):.0f} virtual seconds awake in one of a core"
    )
    return bool(broken)


def _table(plans: Sequence[Plan], jobs: int) -> int:
    """Print a line for each planted fault; return 1 if one is not found."""
    missed = 0
    for plant in PLANTED:
        begun, cores = perf_counter(), 0.0
        for outcome in _outcomes(plans, plant, jobs):
            cores += outcome.real
            if outcome.broken is not None:
                found = f"seed {outcome.plan.seed:<4} {outcome.broken[:110]}"
                break
        else:
            found, missed = f"not found by {len(plans)} seeds", missed + 1
        took = f"{perf_counter() - begun:4.0f} s, {cores:4.0f} of a core"
        print(f"{plant:24} {took}: {found}", flush=True)
    return bool(missed)


def _outcomes(plans: Sequence[Plan], plant: str | None, jobs: int) -> Iterator[Outcome]:
    simulate(FIRST)
    gc.collect()
    gc.freeze()
    with get_context("fork").Pool(jobs, maxtasksperchild=1) as pool:
        yield from pool.imap(partial(simulate, planted=plant), plans)


def _shrunk(plan: Plan, plant: str | None) -> int:
    """Print the smallest plan that still breaks."""
    [found] = _outcomes([plan], plant, 1)
    print(found.line(), flush=True)
    if found.broken is None:
        return 0
    shrinking = True
    while shrinking:
        shrinking = False
        for again in _outcomes([*_smaller(found.plan)], plant, 1):
            if again.broken is not None:
                print(again.line(), flush=True)
                found, shrinking = again, True
                break
    print("\n".join(found.last))
    kinds = ",".join(sorted(found.plan.faults)) or NO_FAULTS
    print(
        f"--seeds {found.plan.seed} --days {found.plan.days} --people {found.plan.people}"
        f" --faults {kinds} --busy {found.plan.busy} --every {found.plan.every}"
        f" --processes {found.plan.processes}"
    )
    return 1


def _smaller(plan: Plan) -> Iterator[Plan]:
    if plan.days > SHORTEST:
        yield replace(plan, days=max(SHORTEST, plan.days / 2))
    fewer = (replace(plan, faults=plan.faults - {each}) for each in sorted(plan.faults))
    quieter = (replace(plan, people=people) for people in range(2, plan.people))
    yield from chain(fewer, quieter)
