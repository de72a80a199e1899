"""The opening book of connect four on seven columns and six rows.

It has every position in which it is the expert's turn, in a game that the expert plays from the
first disc against any opponent, as long as at least 28 cells are left, and of later ones those
whose proof takes long: the result, and a move that keeps it. Of a position and its mirror image it
has one. An entry is a number of 64 bits: Pascal Pons's key of the position, two bits of the result,
three of the column. `data/book.z` has them ascending, first all lowest bytes, then all the next.

A compiled solver made it (`tests/benchmarks/connectfour_book.py`); the tests prove samples of it
again with the solver of this package.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from bisect import bisect_left
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

from engine.game import Move
from engine.games.connectfour.position import ConnectFourPosition, discs

COLUMNS, ROWS = 7, 6
COLUMN: Final = (1 << ROWS + 1) - 1


class BookMove(NamedTuple):
    """A position's result for the seat to move: 1, 0 or -1; and a move that keeps it."""

    result: int
    move: Move


def known(position: ConnectFourPosition) -> BookMove | None:
    """The entry of a position, if the book has it."""
    if (position.columns, position.rows) != (COLUMNS, ROWS):
        return None
    own, other = discs(position)
    key = own + own + other
    image = mirrored(key)
    least = min(key, image)
    entries = book()
    place = bisect_left(entries, least << 5)
    if place == len(entries) or entries[place] >> 5 != least:
        return None
    result, column = (entries[place] >> 3 & 3) - 1, entries[place] & 7
    return BookMove(result, Move(column if key == least else COLUMNS - 1 - column))


@cache
def book() -> array[int]:
    """All entries, ascending."""
    packed = resources.files(__package__).joinpath("data", "book.z").read_bytes()
    planes = zlib.decompress(packed)
    count = len(planes) // 8
    raw = bytearray(len(planes))
    for place in range(8):
        raw[place::8] = planes[place * count : (place + 1) * count]
    entries = array("Q", bytes(raw))
    if sys.byteorder == "big":
        entries.byteswap()
    return entries


def mirrored(key: int) -> int:
    """The key of the mirror image."""
    image = 0
    for _ in range(COLUMNS):
        image = image << ROWS + 1 | key & COLUMN
        key >>= ROWS + 1
    return image
