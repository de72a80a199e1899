"""The bot with Python's account of its memory, which is written down at each SIGUSR1.

`soak --trace` starts it with the file to write to. Tracing takes 60 to 80 % more memory and half of
the bot's speed, so that only differences count.
"""

from __future__ import annotations

import gc
import signal
import sys
import tracemalloc
from pathlib import Path
from typing import Final

from bot.__main__ import main

FRAMES: Final = 2
"""The calls that are known of each piece of memory: the one that took it, and its caller."""


def trace(to: Path) -> None:
    """Begin, and at each signal write what is in use: to the file `to1` first, then `to2`."""
    written = 0

    def write(*_: object) -> None:
        nonlocal written
        written += 1
        gc.collect()
        tracemalloc.take_snapshot().dump(f"{to}{written}")

    tracemalloc.start(FRAMES)
    signal.signal(signal.SIGUSR1, write)


def growth(before: Path, after: Path, most: int = 25) -> list[str]:
    """The lines of code by which more is in use than before, those of the most bytes first."""
    own = [tracemalloc.Filter(inclusive=False, filename_pattern=tracemalloc.__file__)]
    first, second = (
        tracemalloc.Snapshot.load(str(each)).filter_traces(own) for each in (before, after)
    )
    grown = second.compare_to(first, "lineno")
    total = sum(each.size_diff for each in grown)
    lines = [
        f"{each.size_diff / 1e3:8.0f} KB, {each.count_diff:+6} objects: "
        f"{'/'.join(Path(each.traceback[0].filename).parts[-3:])}:{each.traceback[0].lineno}"
        for each in sorted(grown, key=lambda each: -each.size_diff)[:most]
    ]
    return [f"{total / 1e3:8.0f} KB in all", *lines]


if __name__ == "__main__":
    trace(Path(sys.argv.pop(1)))
    sys.exit(main())
