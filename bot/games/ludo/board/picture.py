"""The board as a picture: the usual square one, with everything that the position has on it."""

from __future__ import annotations

from typing import Final

from bot.games.ludo.board.figures import arrow, pips, star, wedge
from bot.games.ludo.board.layout import (
    FIELDS,
    HOMES,
    LANES,
    LAYOUT,
    NESTS,
    RADIUS,
    SIDE,
    UNIT,
    YARDS,
    Field,
    middle_of,
    placements,
)
from bot.games.ludo.board.spots import OnRing, standing
from bot.games.ludo.board.tokens import INK, LOOKS, MARK, PAPER, paint_token
from bot.games.ludo.game_log import LastMove
from bot.message.canvas import Canvas, Paint, Point
from engine.games.ludo import Position
from engine.games.ludo.board import CORNERS, STARS
from engine.games.ludo.rules import Lane, Rules

GROUND: Final = "#3a3d44"
STAR: Final = "#6b6f78"
GAP: Final = 1.5
"""Half of what is between two squares."""


def picture(position: Position, last: LastMove | None) -> bytes:
    """The board as PNG: the last move from square to square, and the die of whose turn it is."""
    canvas = Canvas(SIDE, SIDE, GROUND)
    _board(canvas, position.table.rules)
    for where, groups in standing(position).items():
        if isinstance(where, OnRing) and len(groups) > 1:
            _square(canvas, LAYOUT.field(where), PAPER)
    if last is not None:
        for where in (last.origin, last.destination):
            _square(canvas, LAYOUT.field(where), MARK, wider=6)
    for placed in placements(position):
        paint_token(canvas, placed.group, placed.centre, placed.radius)
    if position.moves():
        _die(canvas, middle_of(YARDS[position.table.corners[position.seat]]), position.die)
    return canvas.png()


def _board(canvas: Canvas, rules: Rules) -> None:
    for field in FIELDS:
        _square(canvas, field, PAPER)
    for corner in range(CORNERS):
        _yard(canvas, corner, rules.tokens)
        _start(canvas, corner)
        for field in LANES[corner][: rules.tokens if rules.lane is Lane.SLOTS else None]:
            _square(canvas, field, LOOKS[corner].pale)
        canvas.polygon(wedge(middle_of(HOMES[corner])), LOOKS[corner].paint)
    if rules.stars_safe:
        for square in STARS:
            canvas.polygon(star(middle_of(FIELDS[square]), 0.34 * UNIT), STAR, rounding=2)


def _square(canvas: Canvas, field: Field, paint: Paint, *, wider: float = 0) -> None:
    x, y = middle_of(field)
    reach = UNIT / 2 - GAP + wider
    canvas.rectangle((x - reach, y - reach), (x + reach, y + reach), paint, radius=7)


def _yard(canvas: Canvas, corner: int, tokens: int) -> None:
    x, y = middle_of(YARDS[corner])
    for reach, paint in ((2.9, LOOKS[corner].paint), (2.25, LOOKS[corner].pale)):
        wide = reach * UNIT
        canvas.rectangle((x - wide, y - wide), (x + wide, y + wide), paint, radius=wide / 6)
    for nest in NESTS[corner][:tokens]:
        canvas.circle(middle_of(nest), RADIUS * 1.25, PAPER)


def _start(canvas: Canvas, corner: int) -> None:
    """A start square in its colour, with an arrow the way that tokens go."""
    square = 13 * corner
    _square(canvas, FIELDS[square], LOOKS[corner].paint)
    here, ahead = middle_of(FIELDS[square]), middle_of(FIELDS[square + 1])
    canvas.polygon(arrow(here, ahead, 0.3), LOOKS[corner].number, rounding=2)


def _die(canvas: Canvas, centre: Point, die: int) -> None:
    """A die with the pips rolled, or with a question mark before that."""
    (x, y), reach = centre, 0.42 * UNIT
    for edge, paint in ((3, INK), (0, PAPER)):
        half = reach + edge
        canvas.rectangle((x - half, y - half), (x + half, y + half), paint, radius=9 + edge)
    if not die:
        canvas.write(centre, "?", INK, size=0.55 * UNIT)
    for pip in pips(centre, die, 0.23 * UNIT):
        canvas.circle(pip, 0.085 * UNIT, INK)
