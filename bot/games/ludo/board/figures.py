"""Figures on the board's picture: stars, arrows, the triangles of the middle, the pips of a die."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from bot.games.ludo.board.layout import SIDE, UNIT, Point

PIPS: Final[Sequence[Sequence[tuple[int, int]]]] = (
    (),
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
)
"""Where the pips of each face are, from its middle."""


def star(centre: Point, reach: float) -> list[Point]:
    """The ten corners of a star with five points."""
    x, y = centre
    corners = []
    for corner in range(10):
        turn, away = math.radians(36 * corner - 90), reach * (0.44 if corner % 2 else 1.0)
        corners.append((x + away * math.cos(turn), y + away * math.sin(turn)))
    return corners


def arrow(here: Point, ahead: Point, reach: float) -> list[Point]:
    """A triangle around `here` that points to the field `ahead`; `reach` in fields."""
    (x, y), (next_x, next_y) = here, ahead
    right, down = (next_x - x) * reach, (next_y - y) * reach
    back_x, back_y = x - right * 0.7, y - down * 0.7
    return [(x + right, y + down), (back_x - down, back_y + right), (back_x + down, back_y - right)]


def wedge(outwards: Point) -> list[Point]:
    """A quarter of the square of three fields in the middle of the board, on the given side."""
    middle, reach = SIDE / 2, 1.5 * UNIT
    right, down = (round((way - middle) / UNIT) * reach for way in outwards)
    tips = ((right + down, down + right), (right - down, down - right))
    return [(middle, middle), *((middle + across, middle + along) for across, along in tips)]


def pips(centre: Point, die: int, apart: float) -> list[Point]:
    """Where the pips of a die are; none of a die that has not been rolled."""
    x, y = centre
    return [(x + right * apart, y + down * apart) for right, down in PIPS[die]]
