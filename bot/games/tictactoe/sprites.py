"""The tiles of tic-tac-toe: its marks as emoji on buttons and in texts, and on pictures.

Lengths of painters are 1/96 of a tile's side. On the picture a frame is around the last mark and
around those of a winning line, which are green.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import product
from typing import Final, NamedTuple

from bot.cache import Memo
from bot.message.canvas import (
    A_PALETTE,
    MARK,
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
from engine.game import Move
from engine.games.tictactoe import MARKS as SIGNS
from engine.games.tictactoe import SIZES, TicTacToePosition, winning_line

PAPER: Final = "#ffffff"
INK: Final = "#1c1c1e"
EMPTY_PAINT: Final = "#d3d7de"
FAINT: Final = "#9299a4"
"""The names of free cells: seen on light and dark buttons, and less than any mark."""
PLATES: Final = ("#5865f2", "#c03537")
"""By side: the colours of the buttons that its marks stand on."""
WON_PLATE: Final = "#1a7f45"

MARKS: Final = (Sprite("mark_x", "❌"), Sprite("mark_o", "⭕"))
LAST: Final = (Sprite("last_x", "❎"), Sprite("last_o", "🔘"))
FREE: Final = {
    name: Sprite(name, "")
    for name in (f"{column}{row}" for row in range(1, 6) for column in "abcde")
}
"""Free cells by their names, each as wide as one with a mark."""

EMBLEMS: Final = (Sprite("cross", "❌"), Sprite("nought", "⭕"))
NEWEST: Final = (Sprite("last_cross", "❎"), Sprite("last_nought", "🔘"))
WON: Final = (Sprite("won_x", "❎"), Sprite("won_o", "🟢"))
"""Marks on their plates, as drawings and texts have them: any, the last one, a winning line's."""
EMPTY: Final = Sprite("empty", "⬜")


def plate(paint: Paint, canvas: Canvas, at: Point, side: float) -> None:
    """A cell as wide as its button."""
    canvas.rectangle(point(at, side, 2, 2), point(at, side, 94, 94), paint, radius=side * 14 / 96)


def edged_plate(paint: Paint, canvas: Canvas, at: Point, side: float) -> None:
    """A cell with an orange edge, which is seen where it is small."""
    plate(MARK, canvas, at, side)
    low, high = point(at, side, 12, 12), point(at, side, 84, 84)
    canvas.rectangle(low, high, paint, radius=side * 6 / 96)


def frame(canvas: Canvas, at: Point, side: float) -> None:
    """The four corners around the last mark."""
    for x, across in ((4, 26), (92, 70)):
        for y, along in ((4, 26), (92, 70)):
            corner = ((x, along), (x, y), (across, y))
            points = [point(at, side, *end) for end in corner]
            canvas.line(points, PAPER, width=side * 8 / 96)


def mark(number: int, reach: float, canvas: Canvas, at: Point, side: float) -> None:
    """The white mark of a side, with a dark edge that shows on every button."""
    low, high = 48 - reach, 48 + reach
    for paint, width in ((INK, side * 24 / 96), (PAPER, side * 17 / 96)):
        if number == 0:
            for ends in (((low, low), (high, high)), ((low, high), (high, low))):
                canvas.line([point(at, side, *end) for end in ends], paint, width=width)
        else:
            radius = side * (reach + 1) / 96
            canvas.ring(point(at, side, 48, 48), radius, paint, width=width)


def name(of: str, canvas: Canvas, at: Point, side: float) -> None:
    """The name of a free cell."""
    canvas.write(point(at, side, 48, 48), of, FAINT, size=side * 52 / 96)


SPRITES: Final[Mapping[str, Callable[[], bytes]]] = {
    **{each: partial(emoji, partial(name, each)) for each in FREE},
    EMPTY.name: partial(emoji, partial(plate, EMPTY_PAINT)),
    **{MARKS[of].name: partial(emoji, partial(mark, of, 30)) for of in (0, 1)},
    **{LAST[of].name: partial(emoji, partial(mark, of, 20), frame) for of in (0, 1)},
    **{
        sprites[of].name: partial(emoji, partial(ground, paint), partial(mark, of, reach))
        for sprites, paints, ground, reach in (
            (EMBLEMS, PLATES, plate, 22),
            (NEWEST, PLATES, edged_plate, 20),
            (WON, (WON_PLATE, WON_PLATE), plate, 22),
        )
        for of, paint in enumerate(paints)
    },
}
"""The function that paints each emoji, by name."""


SIZE: Final = 600
GROUND: Final = "#3a3d44"
PALETTE: Final = 64


class Tile(NamedTuple):
    """A cell of the picture: its paint, the sign on it if any, and whether it has a frame."""

    paint: Paint
    sign: str = ""
    framed: bool = False


BETWEEN: Final = Tile(GROUND)
TILES: Final = (
    BETWEEN,
    Tile(EMPTY_PAINT),
    *(Tile(*each) for each in product((PLATES[0], WON_PLATE), SIGNS[0], (False, True))),
    *(Tile(*each) for each in product((PLATES[1], WON_PLATE), SIGNS[1], (False, True))),
)


def picture(position: TicTacToePosition, last: Move | None) -> bytes:
    """The board as PNG."""
    side, line = SIZE // position.size, winning_line(position)
    tiles = _tiles(side)
    drawn = tiles[BETWEEN].stretched((SIZE, SIZE))
    for cell in map(Move, range(position.size**2)):
        shown, sign = Tile(EMPTY_PAINT), position.mark(cell)
        if sign:
            paint = WON_PLATE if cell in line else PLATES[SIGNS.index(sign)]
            shown = Tile(paint, sign, framed=cell == last or cell in line)
        row, column = divmod(cell, position.size)
        drawn.put(tiles[shown], (column * side, row * side))
    return drawn.png()


@lru_cache(maxsize=len(SIZES))
def _tiles(side: int) -> Mapping[Tile, Collage]:
    """All tiles of a side, in one palette."""
    painted = {each: tile(side, *_painters(each)) for each in TILES}
    return in_one_palette(painted, PALETTE, GROUND)


def _painters(shown: Tile) -> Iterator[Painter]:
    if shown.paint != GROUND:
        yield partial(plate, shown.paint)
    if shown.sign:
        yield partial(mark, SIGNS.index(shown.sign), 22)
    if shown.framed:
        yield frame


CACHES: Final = (
    Memo("tictactoe_tiles", _tiles, each=len(TILES) * ((SIZE // min(SIZES)) ** 2 + A_PALETTE)),
)
