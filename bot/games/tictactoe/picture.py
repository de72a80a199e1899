"""The board of tic-tac-toe as a picture, made of the tiles that are emoji elsewhere.

A frame is around the last mark and around those of a winning line, which are green.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from bot.cache import Memo
from bot.games.tictactoe.sprites import EMPTY_PAINT, PLATES, WON_PLATE, frame, mark, plate
from bot.message.canvas import A_PIXEL, Canvas, Collage, Paint
from engine.game import Move
from engine.games.tictactoe import MARKS, SIZES, TicTacToePosition, winning_line

SIZE: Final = 600
GROUND: Final = "#3a3d44"


def picture(position: TicTacToePosition, last: Move | None) -> bytes:
    """The board as PNG."""
    drawn = Canvas(SIZE, SIZE, GROUND).collage()
    side, line = SIZE // position.size, winning_line(position)
    for cell in map(Move, range(position.size**2)):
        paint, sign = EMPTY_PAINT, position.mark(cell)
        if sign:
            paint = WON_PLATE if cell in line else PLATES[MARKS.index(sign)]
        row, column = divmod(cell, position.size)
        tile = _tile(side, paint, sign, framed=cell == last or cell in line)
        drawn.put(tile, (column * side, row * side))
    return drawn.png()


@lru_cache(maxsize=64)
def _tile(side: int, paint: Paint, sign: str, *, framed: bool) -> Collage:
    canvas = Canvas(side, side)
    plate(paint, canvas, (0, 0), side)
    if sign:
        mark(MARKS.index(sign), 22, canvas, (0, 0), side)
    if framed:
        frame(canvas, (0, 0), side)
    return canvas.collage()


CACHES: Final = (Memo("tictactoe_tiles", _tile, each=A_PIXEL * (SIZE // min(SIZES)) ** 2),)
