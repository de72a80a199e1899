"""Where tokens are on a picture of the usual square board: 15 x 15 fields, the ring around a cross.

Rows are counted from 0 at the top, columns from 0 at the left; places are in pixels from the upper
left corner. The quarters of the board are alike: each is the one before it, turned clockwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.games.ludo.board.spots import Group, Layout, standing
from engine.games.ludo import Position
from engine.games.ludo.board import CORNERS, RING

Point: TypeAlias = tuple[float, float]
Field: TypeAlias = tuple[float, float]
"""A row and a column, of which a half is between two."""

UNIT: Final = 60
SIDE: Final = 15 * UNIT
RADIUS: Final = 0.44 * UNIT

_QUARTER: Final = (
    (1, 8), (2, 8), (3, 8), (4, 8), (5, 8), (6, 9), (6, 10),
    (6, 11), (6, 12), (6, 13), (6, 14), (7, 14), (8, 14),
)  # fmt: skip
"""The first 13 squares of the ring, from the start of corner 0."""
_LANE: Final = ((1, 7), (2, 7), (3, 7), (4, 7), (5, 7))
_YARD: Final = (2.5, 11.5)
_HOME: Final = (6.05, 7.0)


def _turned(field: Field, quarters: int) -> Field:
    row, column = field
    for _ in range(quarters):
        row, column = column, 14 - row
    return row, column


FIELDS: Final = tuple(_turned(_QUARTER[square % 13], square // 13) for square in range(RING))
"""Where each square of the ring is."""

LANES: Final = tuple(tuple(_turned(field, c) for field in _LANE) for c in range(CORNERS))
YARDS: Final = tuple(_turned(_YARD, corner) for corner in range(CORNERS))
"""The middle of each yard."""
NESTS: Final = tuple(
    tuple((row + down, column + right) for down in (-0.95, 0.95) for right in (-0.95, 0.95))
    for row, column in YARDS
)
"""The places of the four tokens of each yard, the first at the upper left."""
HOMES: Final = tuple(_turned(_HOME, corner) for corner in range(CORNERS))

LAYOUT: Final[Layout[Field]] = Layout(FIELDS, LANES, NESTS, HOMES)

SHARED: Final[Sequence[tuple[float, Sequence[Point]]]] = (
    (1.0, ((0.0, 0.0),)),
    (0.62, ((-0.41, -0.41), (0.41, 0.41))),
    (0.54, ((-0.51, -0.5), (0.51, -0.5), (0.0, 0.5))),
    (0.53, ((-0.49, -0.49), (0.49, -0.49), (-0.49, 0.49), (0.49, 0.49))),
)
"""How one to four groups share a place: how large each is and where, in radii of one alone."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Tokens of one colour, drawn as one: their middle, and half of how wide they are."""

    group: Group
    centre: Point
    radius: float


def placements(position: Position) -> tuple[Placement, ...]:
    """Every token of a position, once."""
    placed: list[Placement] = []
    for where, groups in standing(position).items():
        placed += side_by_side(groups, middle_of(LAYOUT.field(where)), RADIUS)
    return tuple(placed)


def side_by_side(groups: Sequence[Group], middle: Point, radius: float) -> Iterable[Placement]:
    """The groups that share a place of so large a radius."""
    size, offsets = SHARED[len(groups) - 1]
    x, y = middle
    for group, (right, down) in zip(groups, offsets, strict=True):
        yield Placement(group, (x + right * radius, y + down * radius), size * radius)


def middle_of(field: Field) -> Point:
    """The middle of a field."""
    row, column = field
    return (column + 0.5) * UNIT, (row + 0.5) * UNIT
