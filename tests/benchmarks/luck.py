"""Whether the luck of rolls is nothing on average, whoever plays.

`python -m tests.benchmarks.luck --preset quick --games 10000` lets the first of two agents play
against the other, who has all other seats, and adds up what a review calls the luck of the first in
each game, when every roll is looked at as closely as a review with time looks. The roll-off for who
begins is left out.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from operator import mul
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from engine import roster
from engine.game import CHANCE, Options
from engine.review.reviewer import judges
from engine.search.agent import UNLIMITED
from engine.terminal.console import add_table, options

GAME = "ludo"


class Asked(NamedTuple):
    """The table, and the two agents."""

    players: Sequence[str]
    options: Options
    seats: int


def luck(asked: Asked, number: int) -> float:
    """The luck of the first agent in one game, in winning chance; its seat goes round."""
    rng, game = Random(f"luck/{number}"), roster.game(GAME)
    seat, judge = number % asked.seats, judges(game, asked.seats, asked.options)[-1]
    first, second = (roster.entrant(game, name).agent(rng) for name in asked.players)
    state, found = game.start(asked.seats, asked.options), 0.0
    while moves := state.moves():
        if state.turn != CHANCE:
            player = first if state.turn == seat else second
            state = state.play(player.think(state).move)
            continue
        fell = rng.randrange(len(moves))
        if not state.opening:
            faces = [judge.chances(state.play(move), UNLIMITED)[seat] for move in moves]
            found += faces[fell] - sum(map(mul, state.odds(), faces))
        state = state.play(moves[fell])
    return found


def main() -> None:
    """Play the games, and print the mean."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", nargs=2, default=["expectiminimax:1", "rules"])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    add_table(parser, thinking=False)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    game = roster.game(GAME)
    table = options(game, arguments)
    asked = Asked(arguments.players, table, arguments.seats or min(game.seats))
    numbers = range(arguments.first, arguments.first + arguments.games)
    with ProcessPoolExecutor(arguments.cores) as pool:
        found = list(pool.map(partial(luck, asked), numbers, chunksize=10))
    mean, reach = 100 * fmean(found), 196 * stdev(found) / sqrt(len(found))
    print(f"{len(found):,} games: {mean:+.2f} ± {reach:.2f} points a game")


if __name__ == "__main__":
    main()
