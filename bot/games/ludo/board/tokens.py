"""Painted tokens: each colour has a shape of its own, and every token its number.

So they are told apart without seeing colours. Circle, square, triangle and diamond are named for
what they are; the paints keep apart for those who see no difference between red and green.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.games.ludo.board.spots import Group
from bot.message.canvas import Canvas, Paint, Point

INK: Final = "#1c1c1e"
PAPER: Final = "#ffffff"
MARK: Final = "#f4900c"
"""The last move: the orange of 🟧."""


@dataclass(frozen=True, slots=True)
class Look:
    """A colour's shape and its paints.

    `paint` is that of its tokens, `field` that of its squares and of its yard's edge, which common
    emoji draw, `tint` that of its yard's floor. `radius` is the distance of the corners and `sinks`
    that of the middle of its number, both in radii of the circle that it looks as large as. Without
    corners it is that circle.
    """

    angles: tuple[int, ...]
    radius: float
    sinks: float
    paint: Paint
    field: Paint
    tint: Paint
    number: Paint


LOOKS: Final = (
    Look((), 1.0, 0.0, "#c4161c", "#dd2e44", "#f9d5da", PAPER),
    Look((45, 135, 225, 315), 1.22, 0.0, "#11a579", "#78b159", "#dcedd2", INK),
    Look((-90, 30, 150), 1.22, 0.17, "#ffd028", "#fdcb58", "#fff1cc", INK),
    Look((0, 90, 180, 270), 1.1, 0.0, "#1d57c4", "#55acee", "#d3e9fb", PAPER),
)
"""By corner."""

ROUNDING: Final = 0.14
RIM: Final = 0.09
CROWDED: Final = 1.08
"""Enlarges a shape that holds several numbers."""
SIZES: Final = (0.0, 1.1, 1.25, 1.0, 1.0)
"""Sizes of the digits, by how many there are."""


def paint_token(canvas: Canvas, group: Group, centre: Point, radius: float) -> None:
    """One shape with the numbers of all tokens of a group."""
    x, y = centre
    look, numbers = LOOKS[group.corner], [str(number) for number in group.numbers]
    size = radius * SIZES[len(numbers)]
    paint_shape(canvas, group.corner, centre, radius * (1.0 if len(numbers) == 1 else CROWDED))
    if len(numbers) == 1:
        canvas.write((x, y + look.sinks * radius), numbers[0], look.number, size=size)
        return
    lines: Sequence[str] = ["".join(numbers)]
    if len(numbers) > 2:
        lines = ["".join(numbers[:-2]), "".join(numbers[-2:])]
    for line, written in enumerate(lines):
        down = (line - (len(lines) - 1) / 2) * size * 0.86 + look.sinks * radius * 0.5
        canvas.write((x, y + down), written, PAPER, size=size, outline=INK)


def paint_shape(
    canvas: Canvas, corner: int, centre: Point, radius: float, inside: Paint | None = None
) -> None:
    """A token without numbers: `inside` or its paint, with a white rim and a dark edge."""
    look = LOOKS[corner]
    for reach, paint in ((1.0, INK), (1.0 - RIM, PAPER), (1.0 - 2 * RIM, inside or look.paint)):
        _shape(canvas, look, centre, radius * reach, paint)


def _shape(canvas: Canvas, look: Look, centre: Point, radius: float, paint: Paint) -> None:
    if not look.angles:
        canvas.circle(centre, radius, paint)
        return
    x, y = centre
    rounding = radius * ROUNDING
    reach = radius * look.radius - rounding
    turns = [math.radians(angle) for angle in look.angles]
    y += look.sinks * radius
    corners = [(x + reach * math.cos(turn), y + reach * math.sin(turn)) for turn in turns]
    canvas.polygon(corners, paint, rounding=rounding)
