"""The time of reviews and puzzles on one core: `python -m tests.benchmarks.review --games 20`.

By the processor's clock: the one on the wall also counts what a busy machine does besides.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import partial
from random import Random

from engine import CHANCE, Move, Options, review, roster

GAMES: tuple[tuple[str, int, Options, str], ...] = (
    ("ludo", 2, {}, "rules"),
    ("ludo", 4, {}, "rules"),
    ("ludo", 2, {"tokens": 2, "leave_on": "1 or 6"}, "rules"),
    ("connectfour", 2, {}, "alphabeta:4"),
    ("connectfour", 2, {"size": "9x7"}, "alphabeta:4"),
    ("tictactoe", 2, {"size": 3}, "rules-corner"),
    ("tictactoe", 2, {"size": 4}, "rules-corner"),
    ("tictactoe", 2, {"size": 5}, "rules-corner"),
)


def played(key: str, seats: int, options: Options, agent: str, seed: int) -> list[Move]:
    """The moves of a game of an agent against itself."""
    game, rng, moves = roster.game(key), Random(seed), list[Move]()
    player, state = roster.entrant(game, agent).agent(rng), game.start(seats, options)
    while state.moves():
        rolls = state.turn == CHANCE
        moves.append(rng.choice(state.moves()) if rolls else player.think(state).move)
        state = state.play(moves[-1])
    return moves


def took(act: Callable[[], object]) -> float:
    """Seconds of this process."""
    began = time.process_time()
    act()
    return time.process_time() - began


def rows(count: int) -> Iterator[tuple[str, list[float]]]:
    """Measure each thing; yield its name and the seconds of each try."""
    for key, seats, options, agent in GAMES:
        games = [played(key, seats, options, agent, seed) for seed in range(count)]
        words = ", ".join([f"{key}, {seats} seats", *(f"{k} {v}" for k, v in options.items())])
        ask = partial(review.review, key, seats, options)
        yield f"review of {words}", [took(partial(ask, moves)) for moves in games]
    days = [date(2026, 1, 1) + timedelta(number) for number in range(5 * count)]
    yield "puzzle of a day", [took(partial(review.puzzle, day)) for day in days]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    print("| what | times | median | slowest |\n| --- | ---: | ---: | ---: |")
    for what, seconds in rows(parser.parse_args().games):
        seconds.sort()
        median = seconds[len(seconds) // 2]
        print(f"| {what} | {len(seconds)} | {median:.2f} s | {seconds[-1]:.2f} s |", flush=True)


if __name__ == "__main__":
    main()
