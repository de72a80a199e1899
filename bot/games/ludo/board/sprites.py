"""Ludo's emoji: the board's tiles, the tokens on them, the faces of the die."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from bot.games.ludo.board import painting, tiles
from bot.games.ludo.board.colours import COLOURS
from bot.games.ludo.board.layout import TRIANGLES
from bot.games.ludo.board.painting import LOOKS, PAPER, Painter
from bot.games.ludo.board.spots import Group
from bot.games.ludo.board.tiles import Ground
from bot.message.canvas import Canvas
from engine.games.ludo.board import CORNERS

SIDE: Final = 96


def painted(painter: Painter) -> bytes:
    """One emoji, as PNG."""
    canvas = Canvas(SIDE, SIDE)
    painter(canvas, (0, 0), SIDE)
    return canvas.png()


def _bare() -> Iterator[tuple[str, Painter]]:
    yield tiles.SQUARE.name, partial(painting.square, PAPER)
    yield tiles.STAR.name, painting.star_square
    yield tiles.HOUSE.name, painting.centre
    for corner, look in enumerate(LOOKS):
        yield tiles.STARTS[corner].name, partial(painting.start_square, corner)
        yield tiles.LANES[corner].name, partial(painting.square, look.field)
        yield tiles.FLOOR_TILES[corner].name, partial(painting.filled, look.tint)
        yield tiles.PLACES[corner].name, partial(painting.place, corner)
        yield tiles.FILLED[corner].name, partial(painting.filled, look.field)
    for field, meeting in TRIANGLES:
        if len(meeting) > 1:
            first, second = meeting
            yield tiles.TRIANGLE_TILES[field].name, partial(painting.meeting, first, second)


def _tokens() -> Iterator[tuple[str, Painter]]:
    for groups in tiles.every_stack():
        for under in tiles.grounds(groups):
            yield tiles.token_tile(groups, under).name, partial(painting.stack, groups, under)
    for corner in range(CORNERS):
        yield COLOURS[corner].emblem.name, partial(painting.emblem, corner)
        for number in range(1, 5):
            alone = (Group(corner, (number,)),)
            yield tiles.token_tile(alone).name, partial(painting.stack, alone, None)
        for under in (Ground.WHITE, Ground.SAFE, Ground.OWN, Ground.PLACE):
            yield tiles.trace_tile(corner, under).name, partial(painting.trace, corner, under)


def _dice() -> Iterator[tuple[str, Painter]]:
    for face in range(1, 7):
        yield tiles.die_face(face).name, partial(painting.die, face)


PAINTERS: Final[Mapping[str, Painter]] = dict([*_bare(), *_tokens(), *_dice()])
"""The painter of each tile, by the tile's name."""

SPRITES: Final[Mapping[str, Callable[[], bytes]]] = {
    name: partial(painted, painter) for name, painter in PAINTERS.items()
}
"""The function that paints each tile as an emoji, by the tile's name."""
