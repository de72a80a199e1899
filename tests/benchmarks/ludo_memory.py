"""The memory of a process that knows Ludo's positions, which has an end.

    python -m tests.benchmarks.ludo_memory

Games of four are played at random. Printed are the moves so far, how many arrangements of a seat's
tokens are kept (`blocks` in `engine/games/ludo/table.py`), and the memory of this process.
"""

from __future__ import annotations

import os
from random import Random
from typing import Final

from engine.games.ludo import GAME
from engine.games.ludo.table import blocks
from tests.benchmarks.processes import memory

MOVES: Final = 1 << 21


def main() -> None:
    """Plays, and prints the table as often as the moves have doubled."""
    rng, moves, shown = Random(1), 0, 1
    print("  moves     kept     MB")
    while moves < MOVES:
        position = GAME.start(4, GAME.settled({}))
        while possible := position.moves():
            position = position.play(rng.choice(possible))
            moves += 1
        if moves >= shown:
            kept = blocks.cache_info().currsize
            print(f"{moves:>7} {kept:>8} {memory(os.getpid()):>6.0f}", flush=True)
            shown = 2 * moves


if __name__ == "__main__":
    main()
