"""The Ludo board as a cross that is narrow enough for a phone: 11 fields wide, 19 high.

Rows are counted from 0 at the top, columns from 0 at the left. The vertical arms are eight fields
long, the horizontal ones four, so that the track has the 52 squares of any Ludo board. Ring square
0 is at (1, 6), the start of corner 0; from there the ring goes clockwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from engine.games.ludo.board import RING

Field: TypeAlias = tuple[int, int]
"""A row and a column."""

HEIGHT: Final = 19
WIDTH: Final = 11

TURNS: Final = (
    (1, 6), (7, 6), (8, 7), (8, 10), (10, 10), (10, 7), (11, 6), (18, 6), (18, 4),
    (11, 4), (10, 3), (10, 0), (8, 0), (8, 3), (7, 4), (0, 4), (0, 6),
)  # fmt: skip
"""The squares of the ring between which it goes straight or, from arm to arm, aslant."""

LANES: Final = (
    ((1, 5), (2, 5), (3, 5), (4, 5), (5, 5)),
    ((9, 9), (9, 8), (9, 7), (9, 6), (10, 6)),
    ((17, 5), (16, 5), (15, 5), (14, 5), (13, 5)),
    ((9, 1), (9, 2), (9, 3), (9, 4), (8, 4)),
)
"""The home lane of each corner, from its entry."""


def _straight(start: Field, end: Field) -> Iterator[Field]:
    """The fields after `start`, up to `end`."""
    row, column = start
    while (row, column) != end:
        row += (end[0] > row) - (end[0] < row)
        column += (end[1] > column) - (end[1] < column)
        yield row, column


def _ring() -> tuple[Field, ...]:
    fields = [TURNS[0]]
    for end in TURNS[1:]:
        fields += _straight(fields[-1], end)
    return tuple(fields)


FIELDS: Final = _ring()
"""Where each square of the ring is."""
assert len(FIELDS) == RING, "the turns go once round the ring"
