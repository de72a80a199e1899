"""Packs the opening book of connect four: `python -m tests.benchmarks.connectfour_book LINES`.

Each of LINES has the key of a position as `engine/games/connectfour/book.py` makes it, the smaller
one of the position and its mirror image; the result for the seat to move; the column of a move that
keeps it. A compiled solver writes them, with the searches of `solver.py` and a table of one
gigabyte, in seven minutes. From the empty board, and from each first disc, it takes at every turn
of the expert a move that keeps the result (of lost positions one after which the fewest replies
win), and goes on after each reply, while 28 cells are left. Of later positions it keeps those of
which the expert's proof would visit more than 20,000, and goes on after these.
"""

from __future__ import annotations

import argparse
import zlib
from array import array
from pathlib import Path

from engine.games import connectfour

BOOK = Path(connectfour.__file__).parent / "data" / "book.z"


def packed(lines: str) -> bytes:
    """The book: the lines as numbers, all their lowest bytes first, then all the next ones."""
    rows = [map(int, line.split()) for line in lines.splitlines()]
    numbers = {key << 5 | result + 1 << 3 | column for key, result, column in rows}
    raw = b"".join(number.to_bytes(8, "little") for number in array("Q", sorted(numbers)))
    return zlib.compress(b"".join(raw[place::8] for place in range(8)), 9)


def main() -> None:
    """Writes the book."""
    parser = argparse.ArgumentParser(description="Pack the opening book of connect four.")
    parser.add_argument("lines", type=Path)
    BOOK.write_bytes(packed(parser.parse_args().lines.read_text(encoding="ascii")))
    print(f"{BOOK.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
