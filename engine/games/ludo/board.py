"""The Ludo board: a ring of 52 squares, four starts, four stars, four home lanes.

Ring squares are numbered 0-51 clockwise. Corner `c` (0-3) enters the ring on its start square,
`13 * c`; a star lies eight squares after each start. A token's place is its progress, counted from
its own corner:

    0        in the yard
    1-51     on the ring, 1 being the start square; a token never passes its start again
    52-56    in its own home lane, 52 next to the ring (under the rule of slots: a slot, and home)
    57       home

It is drawn as a cross that fits a phone, 13 fields wide, 17 high. Rows are counted from 0 at the
top, columns from 0 at the left. The vertical arms are seven fields long, the horizontal ones five:
a cross has `4 * (a + b + 1)` squares on its ring, 52 of them here. Ring square 0 is at (1, 7), the
start of corner 0; from there the ring goes clockwise. The four fields of 5 x 7 beside the arms are
for the yards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NewType, TypeAlias

Square = NewType("Square", int)
"""A square of the ring, 0-51."""

RING: Final = 52
CORNERS: Final = 4
YARD: Final = 0
START: Final = 1
LAST_ON_RING: Final = 51
HOME: Final = 57

STARTS: Final = frozenset(Square(13 * corner) for corner in range(CORNERS))
STARS: Final = frozenset(Square(13 * corner + 8) for corner in range(CORNERS))


def corners(seats: int) -> tuple[int, ...]:
    """The corner of each seat: two players sit opposite each other, three leave the last free."""
    return (0, 2) if seats == 2 else tuple(range(seats))


def ring_square(corner: int, progress: int) -> Square | None:
    """The ring square of a token of `corner`; None in the yard, the lane and at home."""
    if START <= progress <= LAST_ON_RING:
        return Square((13 * corner + progress - 1) % RING)
    return None


def progress_on(corner: int, square: Square) -> int | None:
    """The progress of a token of `corner` on `square`; None on the one square it never visits."""
    progress = (square - 13 * corner) % RING + 1
    return progress if progress <= LAST_ON_RING else None


Field: TypeAlias = tuple[int, int]
"""A row and a column."""

HEIGHT: Final = 17
WIDTH: Final = 13

TURNS: Final = (
    (1, 7), (6, 7), (7, 8), (7, 12), (9, 12), (9, 8), (10, 7), (16, 7), (16, 5),
    (10, 5), (9, 4), (9, 0), (7, 0), (7, 4), (6, 5), (0, 5), (0, 7),
)  # fmt: skip
"""The squares of the ring between which it goes straight or, from arm to arm, aslant."""

LANES: Final = (
    ((1, 6), (2, 6), (3, 6), (4, 6), (5, 6)),
    ((8, 11), (8, 10), (8, 9), (8, 8), (8, 7)),
    ((15, 6), (14, 6), (13, 6), (12, 6), (11, 6)),
    ((8, 1), (8, 2), (8, 3), (8, 4), (8, 5)),
)
"""The home lane of each corner, from its entry."""


def _straight(start: Field, end: Field) -> Iterator[Field]:
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
"""The field of each square of the ring."""
assert len(FIELDS) == RING, "the turns go once round the ring"
