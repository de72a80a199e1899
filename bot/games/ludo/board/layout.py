"""Places on the board: the cross of `engine.games.ludo.board`, 13 wide and 17 high.

Emoji and picture have the same fields. The yards are the four fields of 5 x 7 beside the arms; the
middle is the square of three fields where the arms cross, and a field more above and below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.games.ludo.board.spots import AtHome, Group, InLane, InYard, OnRing, Spot
from bot.message.canvas import Point
from engine.games.ludo.board import FIELDS, LANES, Field

YARD_SIZE: Final = (7, 5)
"""Rows and columns."""
YARDS: Final[Sequence[Field]] = ((0, 8), (10, 8), (10, 0), (0, 0))
"""The upper left field of each corner's yard."""
FLOORS: Final = tuple(
    tuple((top + row, left + column) for row in range(2, 5) for column in range(1, 4))
    for top, left in YARDS
)
"""The fields inside the edge of each yard."""
NESTS: Final = tuple(
    tuple((top + row, left + column) for row in (2, 4) for column in (1, 3)) for top, left in YARDS
)
"""The places of the four tokens of each yard, the first at the upper left."""
DICE: Final = tuple((top + 3, left + 2) for top, left in YARDS)
"""The die's field while a corner has its turn."""

CENTRE: Final = (8, 6)
HOMES: Final[Sequence[Field]] = ((7, 6), (9, 7), (9, 6), (7, 5))
"""The fields of the tokens that have come home."""
TRIANGLES: Final[Sequence[tuple[Field, tuple[int, ...]]]] = (
    ((7, 6), (0,)), ((9, 6), (2,)),
    ((7, 5), (3, 0)), ((7, 7), (0, 1)), ((9, 7), (1, 2)), ((9, 5), (2, 3)),
)  # fmt: skip
"""The fields around the centre, each with the corners whose colours meet there, clockwise."""
LAST_STEPS: Final[Sequence[tuple[int, Field]]] = ((0, (6, 6)), (2, (10, 6)))
"""The field between a corner's home lane and home, which looks like the lane's last square."""

SHARED: Final[Sequence[tuple[float, Sequence[Point]]]] = (
    (1.0, ((0.0, 0.0),)),
    (0.62, ((-0.41, -0.41), (0.41, 0.41))),
    (0.54, ((-0.51, -0.5), (0.51, -0.5), (0.0, 0.5))),
    (0.53, ((-0.49, -0.49), (0.49, -0.49), (-0.49, 0.49), (0.49, 0.49))),
)
"""Sizes and places of one to four groups on a field, in radii of a group alone."""


def field_of(where: Spot) -> Field:
    """The field on which a spot is drawn."""
    match where:
        case OnRing(square):
            return FIELDS[square]
        case InLane(corner, step):
            return LANES[corner][step - 1]
        case InYard(corner, number):
            return NESTS[corner][number - 1]
        case AtHome(corner):
            return HOMES[corner]


def side_by_side(
    groups: Sequence[Group], middle: Point, radius: float
) -> Iterator[tuple[Group, Point, float]]:
    """Each group on a field with its middle and its radius."""
    size, offsets = SHARED[len(groups) - 1]
    x, y = middle
    for group, (right, down) in zip(groups, offsets, strict=True):
        yield group, (x + right * radius, y + down * radius), size * radius
