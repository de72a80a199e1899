"""The emoji that tic-tac-toe brings along: its marks on buttons and in texts, and an empty cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from bot.message.canvas import Canvas, Paint
from bot.message.emoji import Sprite

SIDE: Final = 96
PAPER: Final = "#ffffff"
INK: Final = "#1c1c1e"
EMPTY_PAINT: Final = "#d3d7de"
PLATES: Final = ("#5865f2", "#c03537")
"""By side: the colours of the buttons that its marks stand on."""
WON_PLATE: Final = "#1a7f45"

MARKS: Final = (Sprite("ttx", "❌"), Sprite("tto", "⭕"))
LAST: Final = (Sprite("ttx_last", "❎"), Sprite("tto_last", "🔘"))
BLANK: Final = Sprite("tt_blank", "")
"""A free cell, as wide as one with a mark."""

EMBLEMS: Final = (Sprite("ttx_plate", "❌"), Sprite("tto_plate", "⭕"))
WON: Final = (Sprite("ttx_won", "❎"), Sprite("tto_won", "🟢"))
EMPTY: Final = Sprite("tt_empty", "⬜")


def _mark(canvas: Canvas, side: int, *, reach: float = 28) -> None:
    """A white mark with a dark edge, which every button lets see."""
    middle = SIDE / 2
    for paint, width in ((INK, 24.0), (PAPER, 17.0)):
        if side == 0:
            for down in (reach, -reach):
                ends = ((middle - reach, middle - down), (middle + reach, middle + down))
                canvas.line(ends, paint, width=width)
        else:
            canvas.ring((middle, middle), reach + 1, paint, width=width)


def _on_button(side: int, *, last: bool) -> bytes:
    """A mark on a button; the last one in a frame."""
    canvas = Canvas(SIDE, SIDE)
    _mark(canvas, side, reach=20 if last else 30)
    if last:
        for x in (4, SIDE - 4):
            canvas.line(((x, 26), (x, 4), (SIDE / 2 + (x - SIDE / 2) * 0.5, 4)), PAPER, width=8)
            bottom = SIDE - 4
            across = SIDE / 2 + (x - SIDE / 2) * 0.5
            canvas.line(((x, bottom - 22), (x, bottom), (across, bottom)), PAPER, width=8)
    return canvas.png()


def _plate(paint: Paint, side: int | None = None) -> bytes:
    """A mark as it looks on its button."""
    canvas = Canvas(SIDE, SIDE)
    canvas.rectangle((2, 2), (SIDE - 2, SIDE - 2), paint, radius=14)
    if side is not None:
        _mark(canvas, side, reach=22)
    return canvas.png()


def _blank() -> bytes:
    return Canvas(SIDE, SIDE).png()


SPRITES: Final[Mapping[str, Callable[[], bytes]]] = {
    BLANK.name: _blank,
    EMPTY.name: partial(_plate, EMPTY_PAINT),
    **{MARKS[side].name: partial(_on_button, side, last=False) for side in (0, 1)},
    **{LAST[side].name: partial(_on_button, side, last=True) for side in (0, 1)},
    **{EMBLEMS[side].name: partial(_plate, PLATES[side], side) for side in (0, 1)},
    **{WON[side].name: partial(_plate, WON_PLATE, side) for side in (0, 1)},
}
"""What paints each of them, by name."""
