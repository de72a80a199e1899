"""Figures on the board: stars, arrows, the pips of a die."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from bot.games.ludo.board.layout import Point

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


def arrow(centre: Point, ahead: tuple[int, int], reach: float) -> list[Point]:
    """A triangle around `centre` that points one step right and down."""
    (x, y), right, down = centre, ahead[0] * reach, ahead[1] * reach
    back_x, back_y = x - right * 0.7, y - down * 0.7
    return [(x + right, y + down), (back_x - down, back_y + right), (back_x + down, back_y - right)]


def pips(centre: Point, die: int, apart: float) -> list[Point]:
    """Where the pips of a die are."""
    x, y = centre
    return [(x + right * apart, y + down * apart) for right, down in PIPS[die]]
