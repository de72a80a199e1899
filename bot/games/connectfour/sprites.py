"""The tiles of connect four: holes, discs and the numbers of columns, as emoji and on pictures.

Each side has a sign on its discs besides a colour, red a diamond and yellow a ring. The last disc
lies on a tile of the colour that marks the last move in every game, those of a four on a green one
with a ring around them. Lengths of painters are 1/96 of a tile's side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Final

from bot.cache import Memo
from bot.message.canvas import (
    A_PALETTE,
    MARK,
    SIDE,
    Canvas,
    Collage,
    Paint,
    Painter,
    Point,
    emoji,
    in_one_palette,
    point,
    tile,
)
from bot.message.text import Sprite
from engine.games.connectfour import SIZES

MIDDLE: Final = SIDE / 2
STANDING: Final = 38
"""The radius of a disc."""

BOARD: Final = "#3457c8"
DARK: Final = "#14204d"
LIGHT: Final = "#ffffff"
GREEN: Final = "#1a7f45"
DISCS_PAINTS: Final = ("#d62f36", "#ffcf33")
"""The colours of the discs, by seat."""
SIGN_PAINTS: Final = (LIGHT, DARK)
MOST_COLUMNS: Final = 9

HOLE: Final = Sprite("hole", "⚫")
DISCS: Final = (Sprite("red_disc", "🔴"), Sprite("yellow_disc", "🟡"))
LAST: Final = (Sprite("red_last", "🟥"), Sprite("yellow_last", "🟨"))
WON: Final = (Sprite("red_won", "🟥"), Sprite("yellow_won", "🟨"))
"""By seat."""
NUMBERS: Final = tuple(
    Sprite(f"column_{number}", f"{number}\N{VARIATION SELECTOR-16}\N{COMBINING ENCLOSING KEYCAP}")
    for number in range(1, MOST_COLUMNS + 1)
)


def disc(seat: int, canvas: Canvas, at: Point, side: float) -> None:
    """A disc with its side's sign, on any ground."""
    unit, centre = side / SIDE, point(at, side, MIDDLE, MIDDLE)
    canvas.circle(centre, STANDING * unit, DISCS_PAINTS[seat])
    if seat:
        canvas.ring(centre, 17 * unit, SIGN_PAINTS[seat], width=11 * unit)
    else:
        reach = 26
        corners = ((0, -reach), (reach, 0), (0, reach), (-reach, 0))
        points = [point(at, side, MIDDLE + x, MIDDLE + y) for x, y in corners]
        canvas.polygon(points, SIGN_PAINTS[seat])


def _ground(paint: Paint, canvas: Canvas, at: Point, side: float) -> None:
    canvas.rectangle(at, point(at, side, SIDE, SIDE), paint)


def _hole(canvas: Canvas, at: Point, side: float) -> None:
    canvas.circle(point(at, side, MIDDLE, MIDDLE), STANDING * side / SIDE, DARK)


def _edged(canvas: Canvas, at: Point, side: float) -> None:
    canvas.circle(point(at, side, MIDDLE, MIDDLE), 44 * side / SIDE, DARK)


def _lit(canvas: Canvas, at: Point, side: float) -> None:
    canvas.circle(point(at, side, MIDDLE, MIDDLE), 46 * side / SIDE, LIGHT)


def _number(number: int, canvas: Canvas, at: Point, side: float) -> None:
    middle = point(at, side, MIDDLE, MIDDLE)
    canvas.write(middle, str(number), LIGHT, size=64 * side / SIDE)


_on_board: Final = partial(_ground, BOARD)
PAINTERS: Final[Mapping[str, tuple[Painter, ...]]] = {
    HOLE.name: (_on_board, _hole),
    **{DISCS[of].name: (_on_board, partial(disc, of)) for of in (0, 1)},
    **{LAST[of].name: (partial(_ground, MARK), _edged, partial(disc, of)) for of in (0, 1)},
    **{WON[of].name: (partial(_ground, GREEN), _lit, partial(disc, of)) for of in (0, 1)},
    **{each.name: (_on_board, partial(_number, n)) for n, each in enumerate(NUMBERS, 1)},
}
"""The painters of each tile, one over the other, by its name."""

SPRITES: Final[Mapping[str, Callable[[], bytes]]] = {
    name: partial(emoji, *painters) for name, painters in PAINTERS.items()
}
"""The function that paints each tile as an emoji, by name."""


WIDE: Final = 630
"""The width, in pixels: more than twice that of a phone's message."""
BOARD_WIDE: Final = 525
"""The width of the board at most, which leaves room for its buttons on a phone."""
NUMBER_HIGH: Final = 0.6
"""The part of a tile that a column's number is high."""
FEWEST_COLUMNS: Final = 7
PALETTE: Final = 64
NOTHING: Final = ""


def picture(rows: Sequence[Sequence[Sprite]]) -> bytes:
    """A board of tiles below the numbers of its columns, as PNG."""
    side = BOARD_WIDE // len(rows[0])
    tiles = _tiles(side)
    cut = round(side * (1 - NUMBER_HIGH) / 2)
    drawn = tiles[NOTHING].stretched((WIDE, side * len(rows) - 2 * cut))
    for down, row in enumerate(rows):
        for across, sprite in enumerate(row):
            top = down * side - cut * (1 if down == 0 else 2)
            drawn.put(tiles[sprite.name], (across * side, top))
    return drawn.png()


@lru_cache(maxsize=len(SIZES))
def _tiles(side: int) -> Mapping[str, Collage]:
    """All tiles of a side by name, in one palette; NOTHING is transparent."""
    painted = {name: tile(side, *painters) for name, painters in PAINTERS.items()}
    return in_one_palette({NOTHING: Collage.blank((side, side)), **painted}, PALETTE)


A_SET: Final = (1 + len(PAINTERS)) * ((BOARD_WIDE // FEWEST_COLUMNS) ** 2 + A_PALETTE)
CACHES: Final = (Memo("connectfour_tiles", _tiles, each=A_SET),)
