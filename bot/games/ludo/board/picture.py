"""The board as a picture: the same fields as in emoji, larger, with all numbers."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Final

from bot.cache import Memo
from bot.games.ludo.board.emoji_grid import bare_board, cells, stacks
from bot.games.ludo.board.layout import YARD_SIZE, YARDS
from bot.games.ludo.board.painting import INK, LOOKS, Painter, stack
from bot.games.ludo.board.spots import Group
from bot.games.ludo.board.sprites import PAINTERS
from bot.games.ludo.board.tiles import Ground
from bot.games.ludo.game_log import LastMove
from bot.message.canvas import A_PIXEL, Canvas, Collage
from bot.message.text import Sprite
from engine.games.ludo import LudoPosition
from engine.games.ludo.board import HEIGHT, WIDTH, Field
from engine.games.ludo.rules import Rules

UNIT: Final = 48
"""Pixels of a field's side."""
MARGIN: Final = 12
SIDES: Final = 66
"""The margin left and right, which makes the picture less high on a phone."""
SIZE: Final = (WIDTH * UNIT + 2 * SIDES, HEIGHT * UNIT + 2 * MARGIN)
COLOURS: Final = 128
GROUND: Final = "#3a3d44"


def picture(position: LudoPosition, last: tuple[LastMove, ...] = ()) -> bytes:
    """The board as PNG, with some moves marked and the die in the yard of its owner."""
    rules = position.table.rules
    drawn, bare = _background(rules).copy(), bare_board(rules)
    for field, cell in cells(position, last).items():
        if cell != bare[field] and isinstance(cell, Sprite):
            drawn.put(_tile(cell.name), _at(field))
    for field, groups, ground in stacks(position, last):
        if len(groups) > 1:  # emoji of several colours have no numbers
            drawn.put(_mixed_tile(groups, ground), _at(field))
    return drawn.png(colours=COLOURS)


@lru_cache(maxsize=4)
def _background(rules: Rules) -> Collage:
    canvas = Canvas(*SIZE, GROUND)
    height, width = YARD_SIZE
    for corner, yard in enumerate(YARDS):
        x, y = _at(yard)
        for inset, paint in ((0, INK), (2, LOOKS[corner].field)):
            canvas.rectangle(
                (x + inset, y + inset),
                (x + width * UNIT - inset, y + height * UNIT - inset),
                paint,
                radius=UNIT / 3,
            )
    for field, cell in bare_board(rules).items():
        if isinstance(cell, Sprite):
            PAINTERS[cell.name](canvas, _at(field), UNIT)
    return canvas.collage()


@lru_cache(maxsize=512)
def _tile(name: str) -> Collage:
    return _painted(PAINTERS[name])


@lru_cache(maxsize=512)
def _mixed_tile(groups: tuple[Group, ...], ground: Ground) -> Collage:
    return _painted(partial(stack, groups, ground, numbered=True))


def _painted(painter: Painter) -> Collage:
    canvas = Canvas(UNIT, UNIT)
    painter(canvas, (0, 0), UNIT)
    return canvas.collage()


def _at(field: Field) -> tuple[int, int]:
    row, column = field
    return SIDES + column * UNIT, MARGIN + row * UNIT


A_TILE: Final = A_PIXEL * UNIT**2 + 512
CACHES: Final = (
    Memo("ludo_grounds", _background, each=A_PIXEL * SIZE[0] * SIZE[1]),
    Memo("ludo_tiles", _tile, each=A_TILE),
    Memo("ludo_mixed_tiles", _mixed_tile, each=A_TILE),
)
