"""The memory of a process that thinks, after games under ever more sets of house rules.

    python -m tests.benchmarks.search_memory [--moves N]

An expert plays Ludo against itself, so many moves under each of ten sets of rules, and then under
the first again. What is kept for rules is bounded, so memory has to level off. Times are of the
processor.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from bot.games.catalogue import CATALOGUE
from bot.table.seats import Level
from engine.game import CHANCE, Options
from engine.search.agent import UNLIMITED

HOUSES: tuple[Mapping[str, Any], ...] = (
    {},
    {"blocks": "off"},
    {"blocks": "walls"},
    {"third_six": "allowed"},
    {"third_six": "token back"},
    {"extra_capture": "no"},
    {"extra_home": "no"},
    {"stars_safe": "no"},
    {"leave_on": "1 or 6"},
    {"home": "overshooting"},
)


def main() -> None:
    """Plays, and prints a row for each set of rules."""
    parser = argparse.ArgumentParser(description="Memory of a process that thinks.")
    parser.add_argument("--moves", type=int, default=400, help="under each set of rules")
    moves = parser.parse_args().moves
    print(f"{'rules':<28} {'moves':>6} {'median ms':>10} {'memory MB':>10}")
    print(f"{'none yet':<28} {0:>6} {'':>10} {memory():>10.0f}")
    for house in (*HOUSES, HOUSES[0]):
        spent = played(house, moves)
        name = " ".join(f"{key}={value}" for key, value in house.items()) or "classic"
        print(f"{name:<28} {moves:>6} {1e3 * median(spent):>10.1f} {memory():>10.0f}", flush=True)


def played(house: Options, moves: int) -> list[float]:
    """The seconds of the processor that each of so many choices took."""
    entry, rng = CATALOGUE["ludo"], Random(1)
    spent: list[float] = []
    options = entry.game.settled(dict(house))
    agent = entry.levels[Level.EXPERT].agent(rng)
    position = entry.game.start(2, options)
    while len(spent) < moves:
        possible = position.moves()
        if not possible:
            position = entry.game.start(2, options)
        elif position.turn == CHANCE:
            position = position.play(rng.choices(possible, position.odds())[0])
        elif len(possible) == 1:
            position = position.play(possible[0])
        else:
            begun = time.process_time()
            position = position.play(agent.think(position, UNLIMITED).move)
            spent.append(time.process_time() - begun)
    return spent


def memory() -> float:
    """The memory that this process has now, in MB."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1e3 if found else float("nan")


if __name__ == "__main__":
    main()
