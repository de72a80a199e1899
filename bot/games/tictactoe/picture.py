"""The board of tic-tac-toe as a picture, made of the tiles that are emoji elsewhere.

A frame is around the last mark and around those of a winning line, which are green.
"""

from __future__ import annotations

from typing import Final

from bot.games.tictactoe.sprites import EMPTY_PAINT, PLATES, WON_PLATE, frame, mark, plate
from bot.message.canvas import Canvas
from engine.game import Move
from engine.games.tictactoe import TicTacToePosition, winning_line

SIZE: Final = 600
GROUND: Final = "#3a3d44"


def picture(position: TicTacToePosition, last: Move | None) -> bytes:
    """The board as PNG."""
    canvas = Canvas(SIZE, SIZE, GROUND)
    side, line = SIZE / position.size, winning_line(position)
    for cell in range(position.size**2):
        row, column = divmod(cell, position.size)
        at = (column * side, row * side)
        if sign := position.mark(Move(cell)):
            of = "XO".index(sign)
            plate(WON_PLATE if cell in line else PLATES[of], canvas, at, side)
            mark(of, 22, canvas, at, side)
        else:
            plate(EMPTY_PAINT, canvas, at, side)
        if cell == last or cell in line:
            frame(canvas, at, side)
    return canvas.png()
