"""`python -m tests.simulation --seeds 1-100 --days 2`: simulations, a line each.

Each seed is a process of its own, forked from this one, which has imported everything. The hash
seed of strings is fixed, so that a seed is the same in each run.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from multiprocessing import get_context
from typing import Final

HASHED: Final = "PYTHONHASHSEED"


def main() -> int:
    """Run what the command line asks for; return 1 if something broke."""
    if os.environ.get(HASHED) != "0":
        os.environ[HASHED] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tests.simulation", *sys.argv[1:]])  # noqa: S606
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", default="1-20", help="as 7 or 1-100")
    parser.add_argument("--days", type=float, default=2.0)
    parser.add_argument("--people", type=int, default=12)
    parser.add_argument("--faults", help="of these kinds alone, with commas; none for none")
    parser.add_argument("--busy", type=float, help="seconds of a spell in which people act")
    parser.add_argument("--every", type=float, help="seconds between two acts of a person")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--plant", help="a fault to plant: see planted.py")
    parser.add_argument("--until", type=float, help="a virtual time to stop at with a debugger")
    parser.add_argument("--shrink", action="store_true", help="find fewer people and faults")
    parser.add_argument("--aloud", action="store_true", help="print all happenings")
    parser.add_argument("--brief", action="store_true", help="print no last happenings")
    parser.add_argument("--first", action="store_true", help="stop at the first that breaks")
    given = parser.parse_args()

    from tests.simulation.run import Outcome, simulate  # noqa: PLC0415 - after the hash seed
    from tests.simulation.world import Plan  # noqa: PLC0415

    plan = Plan(0, days=given.days, people=given.people)
    if given.faults is not None:
        kinds = {each for each in given.faults.split(",") if each and each != "none"}
        plan = replace(plan, faults=frozenset(kinds))
    if given.busy is not None:
        plan = replace(plan, busy=given.busy)
    if given.every is not None:
        plan = replace(plan, every=given.every)
    plans = [replace(plan, seed=seed) for seed in _numbers(given.seeds)]

    if given.until is not None:
        outcome = simulate(plans[0], planted=given.plant, until=given.until, stop=breakpoint)
        print(outcome.line())
        return outcome.broken is not None
    if given.aloud:
        outcome = simulate(plans[0], planted=given.plant, aloud=True)
        print(outcome.line())
        return outcome.broken is not None
    if given.shrink:
        return _shrink(plans[0], given.plant)

    failed = 0
    for outcome in _outcomes(plans, given.plant, given.jobs):
        print(outcome.line(), flush=True)
        if outcome.broken is not None:
            failed += 1
            if failed == 1 and not given.brief:
                print("\n".join(outcome.last))
            if given.first:
                break
    return failed > 0


def _numbers(text: str) -> Sequence[int]:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def _outcomes(plans, plant, jobs) -> Iterator:  # type: ignore[no-untyped-def]
    from tests.bot.databases import template  # noqa: PLC0415
    from tests.simulation.machine import two_languages  # noqa: PLC0415

    template()
    [each["x"] if "x" in each else None for each in two_languages().values() if hasattr(each, "__contains__")]
    with get_context("fork").Pool(jobs, maxtasksperchild=1) as pool:
        yield from pool.imap(_One(plant), plans)


class _One:
    def __init__(self, plant: str | None) -> None:
        self.plant = plant

    def __call__(self, plan):  # type: ignore[no-untyped-def]
        from tests.simulation.run import simulate  # noqa: PLC0415

        return simulate(plan, planted=self.plant)


def _shrink(plan, plant) -> int:  # type: ignore[no-untyped-def]
    """Print the smallest plan that still breaks in the same way."""

    def breaks(smaller):  # type: ignore[no-untyped-def]
        [outcome] = _outcomes([smaller], plant, 1)
        print(outcome.line(), flush=True)
        return outcome if outcome.broken is not None else None

    found = breaks(plan)
    if found is None:
        print("It does not break.")
        return 0
    shrinking = True
    while shrinking:
        shrinking = False
        candidates = [replace(plan, faults=plan.faults - {each}) for each in sorted(plan.faults)]
        candidates += [replace(plan, people=fewer) for fewer in range(2, plan.people)]
        if plan.days > 0.5:
            candidates.append(replace(plan, days=plan.days / 2))
        for smaller in candidates:
            if (again := breaks(smaller)) is not None:
                plan, found, shrinking = smaller, again, True
                break
    print("\n".join(found.last))
    print(
        f"--seeds {plan.seed} --days {plan.days} --people {plan.people} "
        f"--faults {','.join(sorted(plan.faults)) or 'none'}\n{found.broken}"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
