"""Whether the winning chances of a review are honest: predicted, against what happened.

`python -m tests.benchmarks.calibration --games 5000` lets `expectiminimax:1` play against itself.
Of the choices in every game one in eight (`--one-in`) is judged as a review judges it,
`expectiminimax:3`; for each tenth of the chances predicted it counts how often they came true. Of
two sides only the one to move is counted, as the other's chance is the rest; of three and four
seats (`--seats 4`) each. House rules are asked for as in the terminal, `-o teams=yes`; where all
places are played for, choices after the first of them are left out.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from random import Random
from typing import NamedTuple

from engine.game import CHANCE, Options
from engine.games.ludo import GAME
from engine.games.ludo.evaluation.trained import Trained
from engine.review.reviewer import judges
from engine.search.budget import UNLIMITED
from engine.search.expectiminimax import Expectiminimax
from engine.terminal.choices import add_table, options

BINS = 10


class Bin(NamedTuple):
    """The predictions in one tenth: how many, their sum, and how many of them came true.

    `spread` sums the squares of by how much games were off: those of one game go together.
    """

    positions: int = 0
    predicted: float = 0.0
    won: float = 0.0
    spread: float = 0.0

    def joined(self, other: Bin) -> Bin:
        """Both together."""
        return Bin(
            self.positions + other.positions,
            self.predicted + other.predicted,
            self.won + other.won,
            self.spread + other.spread,
        )


def predictions(options: Options, seats: int, one_in: int, bins: int, number: int) -> list[Bin]:
    """The bins of one game."""
    rng = Random(f"calibration/{number}")
    two = len(set(GAME.sides(seats, options))) == 2
    judge, player = judges(GAME, seats, options)[-1], Expectiminimax(Trained(), rng, 1)
    state = GAME.start(seats, options)
    told: list[tuple[int, float]] = []
    while (payoff := state.payoff()) is None:
        moves = state.moves()
        if state.turn == CHANCE or len(moves) == 1:
            state = state.play(rng.choice(moves))
            continue
        if rng.randrange(one_in) == 0 and (two or not state.placed):
            chances = judge.choices(state, UNLIMITED)[0].chances
            counted = (state.turn,) if two else range(seats)
            told += [(seat, chances[seat]) for seat in counted]
        state = state.play(player.think(state).move)
    found = [Bin()] * bins
    for seat, chance in told:
        part = min(bins - 1, int(chance * bins))
        found[part] = found[part].joined(Bin(1, chance, float(payoff[seat] == 1)))
    return [each._replace(spread=(each.won - each.predicted) ** 2) for each in found]


def lines(bins: list[Bin]) -> Iterator[str]:
    """The bins as a table."""
    yield "| predicted | positions | mean | won | off by |\n| --- | ---: | ---: | ---: | ---: |"
    width = 100 // len(bins)
    reach = 0.0
    for part, (count, predicted, won, spread) in enumerate(bins):
        if count:
            mean, share = 100 * predicted / count, 100 * won / count
            span = f"{width * part}-{width * (part + 1)} %"
            yield f"| {span} | {count:,} | {mean:.1f} % | {share:.1f} % | {share - mean:+.1f} |"
            reach = max(reach, 196 * sqrt(spread) / count)
    yield f"95 % intervals, by games, are at most {reach:.1f} points either way."


def main() -> None:
    """Play the games, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--one-in", type=int, default=8, help="of so many choices one is judged")
    add_table(parser, thinking=False)
    parser.add_argument("--bins", type=int, default=BINS)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    seats = arguments.seats or min(GAME.seats)
    asked = options(GAME, arguments), seats, arguments.one_in, arguments.bins
    game = partial(predictions, *asked)
    numbers = range(arguments.first, arguments.first + arguments.games)
    bins = [Bin()] * arguments.bins
    with ProcessPoolExecutor(arguments.cores) as pool:
        for found in pool.map(game, numbers, chunksize=10):
            bins = [one.joined(other) for one, other in zip(bins, found, strict=True)]
    for line in lines(bins):
        print(line)


if __name__ == "__main__":
    main()
