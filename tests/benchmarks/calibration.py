"""Whether the winning chances of a review are honest: predicted, against what happened.

`python -m tests.benchmarks.calibration --games 5000` plays the reviewer against itself and counts,
for each tenth of predicted chances, how often the seat to move has won.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from typing import NamedTuple

from engine.game import CHANCE
from engine.games.ludo import GAME
from engine.games.ludo.evaluation.trained import Trained
from engine.search.expectiminimax import Expectiminimax

BINS = 10


class Bin(NamedTuple):
    """The predictions in one tenth: how many, their sum, and how many of them came true."""

    positions: int = 0
    predicted: float = 0.0
    won: float = 0.0

    def joined(self, other: Bin) -> Bin:
        """Both together."""
        return Bin(
            self.positions + other.positions,
            self.predicted + other.predicted,
            self.won + other.won,
        )


def predictions(preset: str, depth: int, number: int) -> list[Bin]:
    """The bins of one game of the reviewer against itself."""
    rng = Random(f"calibration/{number}")
    agent = Expectiminimax(Trained(), rng, depth)
    state = GAME.start(2, GAME.presets[preset])
    told: list[tuple[int, float]] = []
    while (payoff := state.payoff()) is None:
        moves = state.moves()
        if state.turn == CHANCE or len(moves) == 1:
            state = state.play(rng.choice(moves))
            continue
        thought = agent.think(state)
        told.append((state.turn, (thought.values[thought.move] + 1) / 2))
        state = state.play(thought.move)
    found = [Bin()] * BINS
    for seat, chance in told:
        tenth = min(BINS - 1, int(chance * BINS))
        found[tenth] = found[tenth].joined(Bin(1, chance, (payoff[seat] + 1) / 2))
    return found


def lines(bins: list[Bin]) -> Iterator[str]:
    """The bins as a table."""
    yield "| predicted | positions | mean | won | off by |\n| --- | ---: | ---: | ---: | ---: |"
    for tenth, (count, predicted, won) in enumerate(bins):
        if count:
            mean, share = 100 * predicted / count, 100 * won / count
            span = f"{10 * tenth}-{10 * tenth + 10} %"
            yield f"| {span} | {count:,} | {mean:.1f} % | {share:.1f} % | {share - mean:+.1f} |"


def main() -> None:
    """Play the games, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--preset", default="classic", choices=list(GAME.presets))
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    game = partial(predictions, arguments.preset, arguments.depth)
    bins = [Bin()] * BINS
    with ProcessPoolExecutor(arguments.cores) as pool:
        for found in pool.map(game, range(arguments.games), chunksize=10):
            bins = [one.joined(other) for one, other in zip(bins, found, strict=True)]
    for line in lines(bins):
        print(line)


if __name__ == "__main__":
    main()
