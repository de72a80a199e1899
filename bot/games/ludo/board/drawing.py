"""The board as emoji: 13 wide and 17 high, in three grids, so that no gap between them cuts home.

Every token is drawn exactly once. A field shows the tokens of one colour by shape and numbers,
and those of several colours by shapes alone. The picture has the same fields, larger, with all
numbers.

A message has 4,000 characters. An emoji of Parlour's own takes 27 or more (`<:path:` and an id of
19 digits), a common square 2. 221 own emoji would take 6,000 characters, so only 95 fields have
one: the ring and home (59) and the floors of the yards (9 each), 2,900 in all. Lanes and the edges
of the yards are common squares of the same colours. No field is transparent: a transparent emoji
costs as much as any other, and no space is as wide as an emoji on every client.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache, partial
from itertools import pairwise
from typing import Final

from bot.cache import Memo
from bot.games.ludo.board.spots import COLOURS, Group, standing
from bot.games.ludo.board.sprites import INK, LOOKS, PAINTERS, stack
from bot.games.ludo.board.tiles import (
    CENTRE,
    DICE,
    FILLED,
    FLOOR_TILES,
    FLOORS,
    HOUSE,
    LANES,
    LAST_STEPS,
    NESTS,
    PLACES,
    SQUARE,
    STAR,
    STARTS,
    TRIANGLE_TILES,
    YARD_SIZE,
    YARDS,
    Ground,
    field_of,
    ground_of,
    grounds,
    lying_die,
    shared_ground,
    token_tile,
    trace_tile,
)
from bot.games.ludo.game_log import LastMove
from bot.message.blocks import Grid
from bot.message.canvas import A_PALETTE, Canvas, Collage, Painter, tile
from bot.message.text import Cell, Sprite
from engine.games.ludo import LudoPosition
from engine.games.ludo.board import FIELDS, HEIGHT, STARS, WIDTH, Field
from engine.games.ludo.board import LANES as LANE_FIELDS
from engine.games.ludo.rules import Lane, Rules, settle
from engine.games.ludo.rules import rules as rules_of

ARMS: Final = (0, 7, 10, HEIGHT)
"""The first row of each grid, and the end: a client draws fewer than 200 emoji in one."""


def grids(position: LudoPosition, last: tuple[LastMove, ...] = ()) -> tuple[Grid, ...]:
    """The board arm by arm, with some moves marked."""
    shown = cells(position, last)
    common: dict[Cell, Cell] = {tile: tile.fallback for tile in LANES}
    rows = tuple(
        tuple(common.get(shown[row, column], shown[row, column]) for column in range(WIDTH))
        for row in range(HEIGHT)
    )
    return tuple(Grid(rows[top:end]) for top, end in pairwise(ARMS))


def cells(position: LudoPosition, last: tuple[LastMove, ...] = ()) -> dict[Field, Cell]:
    """The tile of every field, with some moves marked."""
    table = position.table
    shown = bare_board(table.rules)
    for move in last:
        ground = ground_of(table, move.origin, move.corner)
        shown[field_of(move.origin)] = trace_tile(move.corner, ground)
    shown |= {field: token_tile(groups, on) for field, groups, on in stacks(position, last)}
    if position.die:
        shown[DICE[table.corners[position.seat]]] = lying_die(position.die)
    return shown


def stacks(
    position: LudoPosition, last: tuple[LastMove, ...]
) -> Iterator[tuple[Field, tuple[Group, ...], Ground]]:
    """The tokens and the ground of each field with tokens."""
    reached = {move.destination for move in last}
    for where, groups in standing(position).items():
        ground = shared_ground(position.table, where, groups)
        yield field_of(where), groups, Ground.MARKED if where in reached else ground


def bare_board(rules: Rules) -> dict[Field, Cell]:
    """The tile of every field on a board without tokens."""
    shown: dict[Field, Cell] = dict.fromkeys(FIELDS, SQUARE)
    if rules.stars_safe:
        shown |= {FIELDS[square]: STAR for square in STARS}
    for corner, colour in enumerate(COLOURS):
        (top, left), (height, width) = YARDS[corner], YARD_SIZE
        for row in range(top, top + height):
            shown |= dict.fromkeys(((row, left + c) for c in range(width)), colour.square)
        shown |= dict.fromkeys(FLOORS[corner], FLOOR_TILES[corner])
        shown |= dict.fromkeys(NESTS[corner][: rules.tokens], PLACES[corner])
        shown[FIELDS[13 * corner]] = STARTS[corner]
        slots = rules.tokens if rules.lane is Lane.SLOTS else len(LANE_FIELDS[corner])
        for step, field in enumerate(LANE_FIELDS[corner]):
            shown[field] = LANES[corner] if step < slots else FILLED[corner]
    for corner, field in LAST_STEPS:
        shown[field] = shown[LANE_FIELDS[corner][-1]]
    return {**shown, **TRIANGLE_TILES, CENTRE: HOUSE}


UNIT: Final = 48
"""Pixels of a field's side."""
MARGIN: Final = 12
SIDES: Final = 66
"""The margin left and right, which makes the picture less high on a phone."""
SIZE: Final = (WIDTH * UNIT + 2 * SIDES, HEIGHT * UNIT + 2 * MARGIN)
PALETTE: Final = 128
GROUND: Final = "#3a3d44"


def picture(position: LudoPosition, last: tuple[LastMove, ...] = ()) -> bytes:
    """The board as PNG, with some moves marked and the die in the yard of its owner."""
    rules = position.table.rules
    drawn, bare = _background(rules).copy(), bare_board(rules)
    below = {field: cell.name for field, cell in bare.items() if isinstance(cell, Sprite)}
    for field, cell in cells(position, last).items():
        if cell != bare[field] and isinstance(cell, Sprite):
            drawn.put(_tile(cell.name, below[field]), _at(field))
    for field, groups, ground in stacks(position, last):
        if len(groups) > 1:  # emoji of several colours have no numbers
            drawn.put(_mixed_tile(groups, ground, below[field]), _at(field))
    return drawn.png()


@lru_cache(maxsize=4)
def _background(rules: Rules) -> Collage:
    return _bare(rules).matched(_palette())


@cache
def _palette() -> Collage:
    """A bare board, and below it a token of each colour on each ground, in the palette of all."""
    width, height = SIZE
    tokens = [(Group(corner, (1,)),) for corner in range(len(COLOURS))]
    shown = [token_tile(groups, ground) for groups in tokens for ground in grounds(groups)]
    shown += (trace_tile(corner, Ground.WHITE) for corner in range(len(COLOURS)))
    sheet = Collage.blank((width, height + UNIT * -(-len(shown) // WIDTH)), GROUND)
    sheet.put(_bare(rules_of(settle({}))), (0, 0))
    for number, sprite in enumerate(shown):
        row, column = divmod(number, WIDTH)
        sheet.put(tile(UNIT, PAINTERS[sprite.name]), (column * UNIT, height + row * UNIT))
    return sheet.reduced(PALETTE)


def _bare(rules: Rules) -> Collage:
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
def _tile(name: str, below: str) -> Collage:
    return _on(below, PAINTERS[name])


@lru_cache(maxsize=512)
def _mixed_tile(groups: tuple[Group, ...], ground: Ground, below: str) -> Collage:
    return _on(below, partial(stack, groups, ground, numbered=True))


def _on(below: str, painter: Painter) -> Collage:
    """A tile on that of the bare board, which shows at its round corners."""
    whole = Collage.blank((UNIT, UNIT), GROUND)
    whole.put(tile(UNIT, PAINTERS[below], painter), (0, 0))
    return whole.matched(_palette())


def _at(field: Field) -> tuple[int, int]:
    row, column = field
    return SIDES + column * UNIT, MARGIN + row * UNIT


A_TILE: Final = UNIT**2 + A_PALETTE
CACHES: Final = (
    Memo("ludo_grounds", _background, each=SIZE[0] * SIZE[1] + A_PALETTE),
    Memo("ludo_tiles", _tile, each=A_TILE),
    Memo("ludo_mixed_tiles", _mixed_tile, each=A_TILE),
)
