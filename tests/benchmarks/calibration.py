"""Whether the winning chances of a review are honest: predicted, against what happened.

`python -m tests.benchmarks.calibration --games 5000` lets Ludo's `expectiminimax:1` play against
itself; another game (`--game`) has other `--players`, of whom each seat has one by lot. Of the
choices in every game one in eight (`--one-in`) is judged as a review judges it, closely; for each
tenth of the chances predicted it counts how often they came true, a draw as half. Proven ones are
left out. Of two sides only the one to move is counted, as the other's chance is the rest; of three
and four seats (`--seats 4`) each. With `--opening 8` a game begins with up to eight random plies,
which are not judged. House rules are asked for as in the terminal, `-o teams=yes`; where all places
are played for, choices after the first of them are left out.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from operator import itemgetter
from random import Random
from typing import NamedTuple

from engine import roster
from engine.game import CHANCE, Options
from engine.review.reviewer import judges
from engine.search.agent import UNLIMITED
from engine.terminal.console import add_table, options

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


class Asked(NamedTuple):
    """The table, the agents that play at it, and how many of their choices are judged."""

    game: str
    players: Sequence[str]
    options: Options
    seats: int
    one_in: int
    bins: int
    opening: int = 0


def predictions(asked: Asked, number: int) -> list[Bin]:
    """The bins of one game."""
    rng = Random(f"calibration/{number}")
    game, (_, _, options, seats, one_in, bins, opening) = roster.game(asked.game), asked
    two = len(set(game.sides(seats, options))) == 2
    judge = judges(game, seats, options)[-1]
    entrants = [roster.entrant(game, name) for name in asked.players]
    pick = rng.choice if len(entrants) > 1 else itemgetter(0)
    players = [pick(entrants).agent(rng) for _ in range(seats)]
    state = game.start(seats, options)
    for _ in range(rng.randint(0, opening) if opening else 0):
        state = state.play(rng.choice(state.moves())) if state.moves() else state
    told: list[tuple[int, float]] = []
    while (payoff := state.payoff()) is None:
        moves = state.moves()
        if state.turn == CHANCE or len(moves) == 1:
            state = state.play(rng.choice(moves))
            continue
        if rng.randrange(one_in) == 0 and (two or not state.placed):
            best = judge.choices(state, UNLIMITED)[0]
            counted = (state.turn,) if two else range(seats)
            told += [(seat, best.chances[seat]) for seat in counted if not best.proven]
        state = state.play(players[state.turn].think(state).move)
    found = [Bin()] * bins
    for seat, chance in told:
        part = min(bins - 1, int(chance * bins))
        won = float(payoff[seat] == 1) if any(payoff) else 0.5
        found[part] = found[part].joined(Bin(1, chance, won))
    return [each._replace(spread=(each.won - each.predicted) ** 2) for each in found]


def joined(some: list[Bin], more: list[Bin]) -> list[Bin]:
    """The bins of both together."""
    return [one.joined(other) for one, other in zip(some, more, strict=True)]


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
    parser.add_argument("--game", default="ludo", choices=roster.games())
    parser.add_argument("--players", nargs="+", default=["expectiminimax:1"])
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--one-in", type=int, default=8, help="of so many choices one is judged")
    parser.add_argument(
        "--opening", type=int, default=0, help="random plies at most, to begin with"
    )
    add_table(parser, thinking=False)
    parser.add_argument("--bins", type=int, default=BINS)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    rules = roster.game(arguments.game)
    seats, table = arguments.seats or min(rules.seats), options(rules, arguments)
    asked = Asked(
        *(rules.key, arguments.players, table, seats),
        *(arguments.one_in, arguments.bins, arguments.opening),
    )
    numbers = range(arguments.first, arguments.first + arguments.games)
    bins = [Bin()] * arguments.bins
    with ProcessPoolExecutor(arguments.cores) as pool:
        for found in pool.map(partial(predictions, asked), numbers, chunksize=10):
            bins = joined(bins, found)
    for line in lines(bins):
        print(line)


if __name__ == "__main__":
    main()
