"""The board of tic-tac-toe as a picture: the last mark on orange, a winning line framed."""

from __future__ import annotations

from typing import Final

from bot.message.canvas import Canvas, Paint, Point
from engine.game import Move
from engine.games.tictactoe import TicTacToePosition, winning_line

SIDE: Final = 600
GAP: Final = 4
"""Half of what is between two squares."""

GROUND: Final = "#3a3d44"
PAPER: Final = "#ffffff"
LAST: Final = "#fbd3a0"
WON: Final = "#bfe8c9"
INK: Final = "#1c1c1e"
PAINTS: Final = {"X": "#c4161c", "O": "#1d57c4"}


def picture(position: TicTacToePosition, last: Move | None) -> bytes:
    """The board as PNG."""
    canvas = Canvas(SIDE, SIDE, GROUND)
    unit, line = SIDE / position.size, winning_line(position)
    for cell in range(position.size**2):
        middle = middle_of(position, cell)
        if cell in line:
            _square(canvas, middle, unit / 2 - GAP, INK)
            _square(canvas, middle, 0.44 * unit - GAP, WON)
        else:
            _square(canvas, middle, unit / 2 - GAP, LAST if cell == last else PAPER)
        _mark(canvas, position.mark(Move(cell)), middle, unit)
    return canvas.png()


def middle_of(position: TicTacToePosition, cell: int) -> Point:
    """The middle of a cell."""
    row, column = divmod(cell, position.size)
    unit = SIDE / position.size
    return (column + 0.5) * unit, (row + 0.5) * unit


def _square(canvas: Canvas, middle: Point, reach: float, paint: Paint) -> None:
    x, y = middle
    canvas.rectangle((x - reach, y - reach), (x + reach, y + reach), paint, radius=reach / 6)


def _mark(canvas: Canvas, mark: str, middle: Point, unit: float) -> None:
    (x, y), reach, width = middle, 0.26 * unit, 0.12 * unit
    if mark == "X":
        for down in (reach, -reach):
            ends = ((x - reach, y - down), (x + reach, y + down))
            canvas.line(ends, PAINTS[mark], width=width)
    elif mark == "O":
        canvas.ring(middle, 0.29 * unit, PAINTS[mark], width=width)
