"""The emoji that Ludo brings along: every token, every block, every mix of colours, as PNG."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from bot.games.ludo.board.emoji_grid import every_group, sprite
from bot.games.ludo.board.layout import side_by_side
from bot.games.ludo.board.spots import Group
from bot.games.ludo.board.tokens import MARK, paint_shape, paint_token
from bot.message.canvas import Canvas

SIDE: Final = 96
RADIUS: Final = 43
RADIUS_MARKED: Final = 37


def painted(groups: tuple[Group, ...], *, marked: bool) -> bytes:
    """One emoji; if marked, on an orange square. Numbers are left out where colours mix."""
    canvas = Canvas(SIDE, SIDE)
    if marked:
        canvas.rectangle((0, 0), (SIDE, SIDE), MARK, radius=12)
    radius = RADIUS_MARKED if marked else RADIUS
    for placed in side_by_side(groups, (SIDE / 2, SIDE / 2), radius):
        if len(groups) > 1:
            paint_shape(canvas, placed.group.corner, placed.centre, placed.radius)
        else:
            paint_token(canvas, placed.group, placed.centre, placed.radius)
    return canvas.png()


SPRITES: Final[Mapping[str, Callable[[], bytes]]] = {
    sprite(groups, marked=marked).name: partial(painted, groups, marked=marked)
    for groups in every_group()
    for marked in (False, True)
}
"""What paints each of them, by name."""
