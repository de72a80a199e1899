"""The rows of the engine's table that are about Ludo.

`python tests/benchmarks/engine.py ludo` plays 200 games for each win rate, with intervals to match;
`python -m tests.benchmarks.ludo 5000` plays as many as the aims ask for, which takes an hour.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial, reduce
from random import Random

from engine.arena import Match, Score, wilson
from engine.game import CHANCE, Move
from engine.games.ludo import GAME
from engine.games.ludo.agents import expert
from engine.workers import played
from tests.benchmarks.others import ludopy
from tests.benchmarks.rows import Bench, Row, best_of

GAMES = 200
RANDOM_GAMES = 100
SEARCHED_GAMES = 40

LOAD_A_RACE = """
import time
from engine.games.ludo.evaluation.race import race
from engine.games.ludo import GAME
from engine.games.ludo.rules import rules
began = time.perf_counter()
for preset in GAME.presets.values():
    began = time.perf_counter()
    race(rules(GAME.settled(preset)))
    print(time.perf_counter() - began)
"""

WIN_RATES = (
    ("`random`", "at least 95 %", 2, "random"),
    ("three `random` (chance 25 %)", "at least 80 %", 4, "random"),
    ("`rules`", "at least 72 %", 2, "rules"),
    ("`expectiminimax:2:report`", "at least 60 %", 2, "expectiminimax:2:report"),
    ("itself at depth 1", "at least 56 %", 2, "expectiminimax:1"),
)


def random_play() -> Iterator[Row]:
    """Classic games of any moves on the generic contract, beside LUDOpy's."""
    rates = {seats: plies_a_second(seats) for seats in (2, 4)}
    theirs = ludopy()
    others = f"LUDOpy {theirs:,.0f} plies/s with 4 seats" if theirs else "LUDOpy not installed"
    yield Row(
        "Ludo, random play on the generic contract",
        "at least 100,000 plies/s",
        ", ".join(f"{rate:,.0f} plies/s with {seats} seats" for seats, rate in rates.items()),
        others,
    )


def plies_a_second(seats: int) -> float:
    """Count the plies a second, rolls included, in games of random moves."""

    def once() -> float:
        choice, plies = Random(1).choice, 0
        began = time.perf_counter()
        for _ in range(RANDOM_GAMES):
            state = GAME.start(seats, {})
            while moves := state.moves():
                state = state.play(choice(moves))
                plies += 1
        return (time.perf_counter() - began) / plies

    return 1 / best_of(5, once)


def race_tables() -> Iterator[Row]:
    """Time the first use of each preset's race table, in a process of its own."""
    ran = subprocess.run([sys.executable, "-c", LOAD_A_RACE], capture_output=True, check=True)
    times = dict(zip(GAME.presets, map(float, ran.stdout.split()), strict=True))
    yield Row(
        "Ludo, race table at first use",
        "whichever starts faster",
        ", ".join(f"{preset} {1e3 * took:.0f} ms" for preset, took in times.items()),
        "solving classic anew 6-9 s",
    )


def thinking() -> Iterator[Row]:
    """Time the expert's moves, where there is a choice, in games against itself.

    By the processor's clock: the one on the wall also counts what a busy machine does besides.
    """
    rng, took = Random(1), list[float]()
    agent = expert(rng)
    for _ in range(SEARCHED_GAMES):
        state = GAME.start(2, {})
        while moves := state.moves():
            if state.turn == CHANCE or len(moves) == 1:
                state = state.play(Move(rng.choice(moves)))
                continue
            began = time.thread_time()
            move = agent.think(state).move
            took.append(time.thread_time() - began)
            state = state.play(move)
    took.sort()
    middle, most = took[len(took) // 2], took[len(took) * 95 // 100]
    yield Row(
        "`expert`, 2 seats",
        "median at most 100 ms, 95 % under 200 ms",
        f"median {1e3 * middle:.1f} ms, 95 % under {1e3 * most:.1f} ms, {len(took):,} choices",
    )


def win_rate(games: int, against: str, aim: str, seats: int, rival: str) -> Iterator[Row]:
    """Count the expert's wins, seats alternated."""
    match = Match("ludo", ("expert", rival), seats=seats)
    reports = played(match, games, time.perf_counter, cores=os.cpu_count() or 1)
    total = reduce(Score.joined, reports)
    low, high = wilson(total.won, total.games)
    yield Row(
        f"… against {against}, {seats} seats",
        aim,
        f"{total.won / total.games:.1%} [{low:.1%}, {high:.1%}] of {games:,} games",
    )


def rows(games: int) -> list[Bench]:
    """All rows, with so many games for each win rate."""
    return [
        random_play,
        race_tables,
        thinking,
        *(partial(win_rate, games, *row) for row in WIN_RATES),
    ]


ROWS: list[Bench] = rows(GAMES)


if __name__ == "__main__":
    for bench in rows(int(sys.argv[1])):
        for row in bench():
            print(row, flush=True)
