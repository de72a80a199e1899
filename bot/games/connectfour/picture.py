"""The board of connect four as a picture, made of the tiles that are emoji elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from bot.cache import Memo
from bot.games.connectfour.sprites import tile
from bot.message.canvas import A_PIXEL, Canvas, Collage
from bot.message.text import Sprite

WIDE: Final = 630
"""About the width, in pixels."""
FEWEST_COLUMNS: Final = 7


def picture(rows: Sequence[Sequence[Sprite]]) -> bytes:
    """A board of tiles, the highest row first, as PNG."""
    side = WIDE // len(rows[0])
    drawn = Canvas(side * len(rows[0]), side * len(rows)).collage()
    for down, row in enumerate(rows):
        for across, sprite in enumerate(row):
            drawn.put(_tile(sprite.name, side), (across * side, down * side))
    return drawn.png()


@lru_cache(maxsize=64)
def _tile(name: str, side: int) -> Collage:
    return tile(name, side).collage()


CACHES: Final = (Memo("connectfour_tiles", _tile, each=A_PIXEL * (WIDE // FEWEST_COLUMNS) ** 2),)
