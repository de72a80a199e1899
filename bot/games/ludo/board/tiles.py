"""The board's fields and its tiles by name, with any tokens on them.

Emoji and picture have the same fields: the cross of `engine.games.ludo.board`, 13 wide and 17 high.
The yards are the four fields of 5 x 7 beside the arms; the middle is the square of three fields
where the arms cross, and a field more above and below.

Screen readers read the names out, so they are words: `path` is a square of the ring, `red` the
floor of the red yard, `red_place` an empty place there, `red_green` the border between two
triangles. Tokens have their colour, their numbers, and where they stand: `red_2_safe`,
`yellow_1_and_4_path`, in a text `red_2` alone. Tokens of several colours have no numbers:
`red_blue_safe`. `green_left_path` is the square that a green token has left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from bot.games.ludo.board.spots import COLOURS, AtHome, Group, InLane, InYard, OnRing, Spot
from bot.message.canvas import Point
from bot.message.text import Sprite
from engine.games.ludo.board import CORNERS, FIELDS, Field
from engine.games.ludo.board import LANES as LANE_FIELDS
from engine.games.ludo.table import LudoTable

YARD_SIZE: Final = (7, 5)
"""Rows and columns."""
YARDS: Final[Sequence[Field]] = ((0, 8), (10, 8), (10, 0), (0, 0))
"""The upper left field of each corner's yard."""
FLOORS: Final = tuple(
    tuple((top + row, left + column) for row in range(2, 5) for column in range(1, 4))
    for top, left in YARDS
)
"""The three rows of three fields in the middle of each yard."""
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
            return LANE_FIELDS[corner][step - 1]
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


class Ground(StrEnum):
    """The ground under a token, as its tile's name ends."""

    WHITE = "path"
    SAFE = "safe"
    OWN = "home"
    """The token's own start, lane, or home."""
    PLACE = "yard"
    MARKED = "moved"
    """The end of the last move of its seat."""


SQUARE: Final = Sprite("path", "⬜")
STAR: Final = Sprite("star", "⭐")
HOUSE: Final = Sprite("home", "🏠")
MIXED: Final = "🟣"
"""Stands for tokens of several colours until the sprites are uploaded."""
LEFT_BEHIND: Final = "🟧"
NOTHING: Final = "⬛"
DIE: Final = "🎲"

STARTS: Final = tuple(Sprite(f"{colour.key}_start", colour.square) for colour in COLOURS)
LANES: Final = tuple(Sprite(f"{colour.key}_lane", colour.square) for colour in COLOURS)
FLOOR_TILES: Final = tuple(Sprite(colour.key, colour.square) for colour in COLOURS)
PLACES: Final = tuple(Sprite(f"{colour.key}_place", "⬜") for colour in COLOURS)
"""By corner."""

FILLED: Final = tuple(Sprite(f"{colour.key}_home", colour.square) for colour in COLOURS)
"""The fields around home, and the squares of a lane that no token stops on."""

TRIANGLE_TILES: Final = {
    field: FILLED[meeting[0]]
    if len(meeting) == 1
    else Sprite("_".join(COLOURS[corner].key for corner in meeting), NOTHING)
    for field, meeting in TRIANGLES
}


def token_tile(groups: Sequence[Group], ground: Ground | None = None) -> Sprite:
    """The tile of all tokens on one field; without a ground, of one token alone."""
    keys = [COLOURS[group.corner].key for group in groups]
    where = () if ground is None else (ground,)
    if len(groups) > 1:
        return Sprite("_".join((*keys, *where)), MIXED)
    *before, last = map(str, groups[0].numbers)
    numbers = ("_".join(before), "and", last) if before else (last,)
    return Sprite("_".join((*keys, *numbers, *where)), COLOURS[groups[0].corner].token)


def trace_tile(corner: int, ground: Ground) -> Sprite:
    """The tile of a field that a token of this corner has left."""
    return Sprite(f"{COLOURS[corner].key}_left_{ground}", LEFT_BEHIND)


def ground_of(table: LudoTable, where: Spot, corner: int) -> Ground:
    """The ground under a corner's token on a spot."""
    match where:
        case OnRing(square) if square == 13 * corner:
            return Ground.OWN
        case OnRing(square):
            return Ground.SAFE if square in table.safe else Ground.WHITE
        case InYard():
            return Ground.PLACE
        case InLane() | AtHome():
            return Ground.OWN


def shared_ground(table: LudoTable, where: Spot, groups: Sequence[Group]) -> Ground:
    """The ground under all tokens on a spot."""
    if len(groups) == 1:
        return ground_of(table, where, groups[0].corner)
    safe = isinstance(where, OnRing) and where.square in table.safe
    return Ground.SAFE if safe else Ground.WHITE


def die_face(pips: int) -> Sprite:
    """The face of a die in a text."""
    return Sprite(f"die_{pips}", f"{pips}\ufe0f\u20e3")


def lying_die(pips: int) -> Sprite:
    """The same face on the board, with a fallback as wide as any other emoji."""
    return Sprite(die_face(pips).name, DIE)


def every_stack() -> Iterator[tuple[Group, ...]]:
    """Every set of tokens that a tile can show; of several colours, without numbers."""
    for corner in range(CORNERS):
        for subset in range(1, 16):
            yield (Group(corner, tuple(n + 1 for n in range(4) if subset >> n & 1)),)
    for subset in range(1, 16):
        corners = [corner for corner in range(CORNERS) if subset >> corner & 1]
        if len(corners) > 1:
            yield tuple(Group(corner, (1,)) for corner in corners)


def grounds(groups: Sequence[Group]) -> Iterator[Ground]:
    """The grounds on which such a set of tokens can stand."""
    yield from (Ground.WHITE, Ground.SAFE, Ground.MARKED)
    if len(groups) == 1:
        yield Ground.OWN
    if len(groups) == 1 and len(groups[0].numbers) == 1:
        yield Ground.PLACE
