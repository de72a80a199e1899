"""The boards' pictures: milliseconds of a core to draw one, and its size.

python -m tests.benchmarks.pictures
"""

from __future__ import annotations

import time
from random import Random
from statistics import median

from bot.games.ludo.board.drawing import picture as ludo
from bot.games.tictactoe.sprites import picture as tictactoe
from engine.game import Move
from engine.games.ludo import GAME as LUDO
from engine.games.tictactoe import GAME as TICTACTOE

POSITIONS = 200


def main() -> None:
    """Prints a row a picture."""
    rng = Random(1)
    print("| picture | ms, median | ms, slowest | kB, median | kB, largest |")
    print("|---|--:|--:|--:|--:|")
    times, sizes = [], []
    position = LUDO.start(4, {})
    for _ in range(POSITIONS):
        for _ in range(rng.randint(1, 9)):
            if position.payoff() is not None:
                position = LUDO.start(4, {})
            position = position.play(rng.choice(position.moves()))
        began = time.thread_time()
        png = ludo(position)
        times.append(1000 * (time.thread_time() - began))
        sizes.append(len(png) / 1000)
    row("Ludo", times, sizes)
    times, sizes = [], []
    for _ in range(POSITIONS // 10):
        board, last = TICTACTOE.start(2, {"size": 5}), None
        for _ in range(rng.randint(0, 12)):
            last = Move(rng.choice(board.moves() or (0,)))
            board = board.play(last) if board.moves() else board
        began = time.thread_time()
        png = tictactoe(board, last)
        times.append(1000 * (time.thread_time() - began))
        sizes.append(len(png) / 1000)
    row("tic-tac-toe 5x5", times, sizes)


def row(name: str, times: list[float], sizes: list[float]) -> None:
    """Prints the figures of one kind of picture."""
    cells = (median(times), max(times), median(sizes), max(sizes))
    print(f"| {name} | " + " | ".join(f"{cell:.1f}" for cell in cells) + " |")


if __name__ == "__main__":
    main()
