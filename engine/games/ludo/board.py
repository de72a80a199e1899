"""The Ludo board: a ring of 52 squares, four starts, four stars, four home lanes.

Ring squares are numbered 0-51 clockwise. Corner `c` (0-3) enters the ring on its start square,
`13 * c`; a star lies eight squares after each start. A token's place is its progress, counted from
its own corner:

    0        in the yard
    1-51     on the ring, 1 being the start square; a token never passes its start again
    52-56    in its own home lane, 52 next to the ring (under the rule of slots: a slot, and home)
    57       home
"""

from __future__ import annotations

from typing import Final, NewType

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
