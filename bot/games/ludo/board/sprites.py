"""Ludo's emoji: the board's tiles, the tokens on them, the faces of the die; and their painters.

A function with its first arguments bound, such as a colour or a corner, is a `Painter`, for emoji
and the picture alike. Each colour has a shape of its own and every token its number, so that they
are told apart without seeing colours; the paints differ for those who see no difference between
red and green.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.games.ludo.board import tiles
from bot.games.ludo.board.spots import COLOURS, Group
from bot.games.ludo.board.tiles import TRIANGLES, Ground, side_by_side
from bot.message.canvas import MARK, Canvas, Paint, Painter, Point, emoji
from engine.games.ludo.board import CORNERS, FIELDS

EDGE: Final = "#6d727c"
STAR: Final = "#6b6f78"
SAFE: Final = "#d3d7de"
"""The ground of squares on which nobody is captured."""
LINE: Final = 0.035
"""Width of a square's edge, in tiles."""
ROUND: Final = 0.11
"""The radius of a square's corners: that of the common emoji, in tiles."""
STANDING: Final = 0.43
"""The radius of a token, in tiles."""
CORNERS_OF_TILE: Final = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
PIPS: Final[Sequence[Sequence[tuple[int, int]]]] = (
    (),
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
)
"""The places of each face's pips, from its middle."""

INK: Final = "#1c1c1e"
PAPER: Final = "#ffffff"


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

DASHES: Final = 8
"""The dots around a field that a token has left."""
ROUNDING: Final = 0.14
RIM: Final = 0.09
CROWDED: Final = 1.08
"""Enlarges a shape that holds several numbers."""
SIZES: Final = (0.0, 1.1, 1.05, 0.9, 0.9)
"""Sizes of the digits, by how many there are."""


def square(
    paint: Paint, canvas: Canvas, at: Point, side: float, *, edge: Paint = EDGE, line: float = LINE
) -> None:
    """A square of the board."""
    (x, y), inset = at, line * side
    canvas.rectangle(at, (x + side, y + side), edge, radius=ROUND * side)
    inner = ((x + inset, y + inset), (x + side - inset, y + side - inset))
    canvas.rectangle(*inner, paint, radius=0.09 * side)


def star_square(canvas: Canvas, at: Point, side: float) -> None:
    """A square where nobody is captured."""
    square(SAFE, canvas, at, side)
    canvas.polygon(_star(_middle(at, side), 0.36 * side), STAR, rounding=0.03 * side)


def start_square(corner: int, canvas: Canvas, at: Point, side: float) -> None:
    """A start in its colour, with an arrow in the direction of play."""
    (row, column), (next_row, next_column) = FIELDS[13 * corner], FIELDS[13 * corner + 1]
    ahead = (next_column - column, next_row - row)
    square(LOOKS[corner].field, canvas, at, side)
    for reach, paint in ((0.36, INK), (0.27, PAPER)):
        canvas.polygon(_arrow(_middle(at, side), ahead, reach * side), paint)


def place(corner: int, canvas: Canvas, at: Point, side: float) -> None:
    """A token's place in its yard, which has the token's shape."""
    filled(LOOKS[corner].tint, canvas, at, side)
    paint_shape(canvas, corner, _middle(at, side), STANDING * side, PAPER)


def filled(paint: Paint, canvas: Canvas, at: Point, side: float) -> None:
    """A field without an edge."""
    canvas.rectangle(at, (at[0] + side, at[1] + side), paint)


def meeting(first: int, second: int, canvas: Canvas, at: Point, side: float) -> None:
    """The border between the triangles of two colours, given clockwise."""
    outer, inner = second, second + 2
    for corner, last in ((first, second + 3), (second, second + 1)):
        points = [_tip(at, side, tip) for tip in (outer, inner, last)]
        canvas.polygon(points, LOOKS[corner].field)
    ends = (_tip(at, side, outer), _tip(at, side, inner))
    canvas.line(ends, EDGE, width=LINE * side)


def centre(canvas: Canvas, at: Point, side: float) -> None:
    """The middle of the board, where all four triangles meet."""
    middle = _middle(at, side)
    for corner in range(CORNERS):
        tips = (_tip(at, side, corner), _tip(at, side, corner + 1), middle)
        canvas.polygon(tips, LOOKS[corner].field)
    for corner in (0, 1):
        ends = (_tip(at, side, corner), _tip(at, side, corner + 2))
        canvas.line(ends, EDGE, width=LINE * side)


def die(face: int, canvas: Canvas, at: Point, side: float) -> None:
    """A die with the pips rolled."""
    x, y = at
    for inset, paint in ((0.02, INK), (0.075, PAPER)):
        gap = inset * side
        corners = ((x + gap, y + gap), (x + side - gap, y + side - gap))
        canvas.rectangle(*corners, paint, radius=(0.24 - inset) * side)
    for pip in _pips(_middle(at, side), face, 0.26 * side):
        canvas.circle(pip, (0.15 if face == 1 else 0.105) * side, INK)


def ground(under: Ground, corner: int, canvas: Canvas, at: Point, side: float) -> None:
    """The ground under a token of a corner."""
    match under:
        case Ground.WHITE:
            square(PAPER, canvas, at, side)
        case Ground.SAFE:
            square(SAFE, canvas, at, side)
        case Ground.OWN:
            square(LOOKS[corner].field, canvas, at, side)
        case Ground.PLACE:
            place(corner, canvas, at, side)
        case Ground.MARKED:
            square(MARK, canvas, at, side, edge=INK, line=0.06)


def stack(
    groups: Sequence[Group],
    under: Ground | None,
    canvas: Canvas,
    at: Point,
    side: float,
    *,
    numbered: bool = False,
) -> None:
    """The tokens on one field; several colours have numbers only if `numbered`."""
    if under is not None:
        ground(under, groups[0].corner, canvas, at, side)
    for group, centre, radius in side_by_side(groups, _middle(at, side), STANDING * side):
        if len(groups) > 1 and not numbered:
            paint_shape(canvas, group.corner, centre, radius)
        else:
            paint_token(canvas, group, centre, radius)


def emblem(corner: int, canvas: Canvas, at: Point, side: float) -> None:
    """A token without a number."""
    paint_shape(canvas, corner, _middle(at, side), STANDING * side)


def trace(corner: int, under: Ground, canvas: Canvas, at: Point, side: float) -> None:
    """A field that a token of a corner has left: its ground with a dashed ring, and no token."""
    ground(under, corner, canvas, at, side)
    x, y = _middle(at, side)
    for dash in range(DASHES):
        turn = math.tau * dash / DASHES
        dot = x + 0.31 * side * math.cos(turn), y + 0.31 * side * math.sin(turn)
        for reach, paint in ((0.085, INK), (0.06, LOOKS[corner].paint)):
            canvas.circle(dot, reach * side, paint)


def _star(centre: Point, reach: float) -> list[Point]:
    x, y = centre
    corners = []
    for corner in range(10):
        turn, away = math.radians(36 * corner - 90), reach * (0.44 if corner % 2 else 1.0)
        corners.append((x + away * math.cos(turn), y + away * math.sin(turn)))
    return corners


def _arrow(centre: Point, ahead: tuple[int, int], reach: float) -> list[Point]:
    (x, y), right, down = centre, ahead[0] * reach, ahead[1] * reach
    back_x, back_y = x - right * 0.7, y - down * 0.7
    return [(x + right, y + down), (back_x - down, back_y + right), (back_x + down, back_y - right)]


def _pips(centre: Point, die: int, apart: float) -> list[Point]:
    x, y = centre
    return [(x + right * apart, y + down * apart) for right, down in PIPS[die]]


def _middle(at: Point, side: float) -> Point:
    return at[0] + side / 2, at[1] + side / 2


def _tip(at: Point, side: float, corner: int) -> Point:
    right, down = CORNERS_OF_TILE[corner % 4]
    return at[0] + right * side, at[1] + down * side


def paint_token(canvas: Canvas, group: Group, centre: Point, radius: float) -> None:
    """One shape with the numbers of all tokens of a group."""
    x, y = centre
    look, numbers = LOOKS[group.corner], [str(number) for number in group.numbers]
    size = radius * SIZES[len(numbers)]
    paint_shape(canvas, group.corner, centre, radius * (1.0 if len(numbers) == 1 else CROWDED))
    if len(numbers) == 1:
        canvas.write((x, y + look.sinks * radius), numbers[0], look.number, size=size)
        return
    lines = ["·".join(each) for each in (numbers[:-2], numbers[-2:]) if each]
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


def _bare() -> Iterator[tuple[str, Painter]]:
    yield tiles.SQUARE.name, partial(square, PAPER)
    yield tiles.STAR.name, star_square
    yield tiles.HOUSE.name, centre
    for corner, look in enumerate(LOOKS):
        yield tiles.STARTS[corner].name, partial(start_square, corner)
        yield tiles.LANES[corner].name, partial(square, look.field)
        yield tiles.FLOOR_TILES[corner].name, partial(filled, look.tint)
        yield tiles.PLACES[corner].name, partial(place, corner)
        yield tiles.FILLED[corner].name, partial(filled, look.field)
    for field, corners in TRIANGLES:
        if len(corners) > 1:
            first, second = corners
            yield tiles.TRIANGLE_TILES[field].name, partial(meeting, first, second)


def _tokens() -> Iterator[tuple[str, Painter]]:
    for groups in tiles.every_stack():
        for under in tiles.grounds(groups):
            yield tiles.token_tile(groups, under).name, partial(stack, groups, under)
    for corner in range(CORNERS):
        yield COLOURS[corner].emblem.name, partial(emblem, corner)
        for number in range(1, 5):
            alone = (Group(corner, (number,)),)
            yield tiles.token_tile(alone).name, partial(stack, alone, None)
        for under in (Ground.WHITE, Ground.SAFE, Ground.OWN, Ground.PLACE):
            yield tiles.trace_tile(corner, under).name, partial(trace, corner, under)


def _dice() -> Iterator[tuple[str, Painter]]:
    for face in range(1, 7):
        yield tiles.die_face(face).name, partial(die, face)


PAINTERS: Final[Mapping[str, Painter]] = dict([*_bare(), *_tokens(), *_dice()])
"""The painter of each tile, by the tile's name."""

SPRITES: Final[Mapping[str, Callable[[], bytes]]] = {
    name: partial(emoji, painter) for name, painter in PAINTERS.items()
}
"""The function that paints each tile as an emoji, by the tile's name."""
