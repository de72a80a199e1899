"""The winning chance that the level hard gives away in a game of Ludo, by a deeper search.

`python -m tests.benchmarks.given_away --preset quick --seats 4 --depth 4 --games 100`: one seat
plays by the deeper search, all others by `expectiminimax:1`, which is hard. At each choice of that
seat it is added up how much worse the move of hard is, as the deeper search judges it. The sum is
what a player that looks so far ahead can gain on hard, but for what both do not see.
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from random import Random
from statistics import fmean, stdev

from engine import roster
from engine.game import CHANCE, Options
from engine.review.reviewer import Lookahead, correction
from engine.search.agent import UNLIMITED
from engine.terminal.console import add_table, options


def given_away(seats: int, chosen: Options, depth: int, number: int) -> float:
    """The chance that hard gives away in one game, in a seat by turns."""
    game = roster.game("ludo")
    entrant = roster.entrant(game, "expectiminimax:1")
    hard = entrant.agent(Random(number))
    judge = Lookahead(entrant, correction(game, seats, chosen), lambda *_: (), depth)
    rng, seat, lost = Random(f"given away/{number}"), number % seats, 0.0
    state = game.start(seats, chosen)
    while moves := state.moves():
        if state.turn == CHANCE or len(moves) == 1:
            state = state.play(rng.choice(moves))
            continue
        move = hard.think(state).move
        if state.turn == seat:
            chances = {c.move: c.chances[seat] for c in judge.choices(state, UNLIMITED)}
            best = max(chances, key=lambda each: chances[each])
            lost += chances[best] - chances[move]
            move = best
        state = state.play(move)
    return lost


def main() -> None:
    """Print the mean of all games, in points, with its interval of 95 %."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_table(parser, thinking=False)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--cores", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    chosen = options(roster.game("ludo"), asked)
    one = partial(given_away, asked.seats or 2, chosen, asked.depth)
    with ProcessPoolExecutor(asked.cores) as pool:
        points = [100 * lost for lost in pool.map(one, range(asked.games))]
    wide = 1.96 * stdev(points) / sqrt(len(points))
    print(f"{fmean(points):.2f} ± {wide:.2f} points a game, {len(points)} games")


if __name__ == "__main__":
    main()
