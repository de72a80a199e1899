"""Draw the icon and the banner for Discord's directory: `python -m bot.deploy.pictures [FOLDER]`.

They are made of the tiles that boards are made of, and written as `icon.png` and `banner.png`.
Discord shows the icon in a circle, and the banner at 680 x 240.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Final

from bot.games.ludo.board.sprites import PAPER, die, emblem
from bot.games.tictactoe.sprites import GROUND, PLATES, mark, plate
from bot.message.canvas import Canvas, Painter, Point
from bot.message.fonts import captions

FOLDER: Final = Path(__file__).parent
ICON: Final = (1024, 1024)
BANNER: Final = (1360, 480)


def marked(number: int, canvas: Canvas, at: Point, side: float) -> None:
    """A cell of tic-tac-toe with the mark of a side."""
    plate(PLATES[number], canvas, at, side)
    mark(number, 22, canvas, at, side)


QUARTERS: Final[tuple[Painter, ...]] = (
    partial(marked, 0),
    partial(emblem, 2),
    partial(die, 5),
    partial(marked, 1),
)
TOKENS: Final[tuple[Painter, ...]] = tuple(partial(emblem, corner) for corner in range(4))


def icon() -> bytes:
    """A square of four tiles."""
    canvas, side = Canvas(*ICON, GROUND), 330
    first = ICON[0] / 2 - side
    for place, paint in enumerate(QUARTERS):
        row, column = divmod(place, 2)
        paint(canvas, (first + column * side, first + row * side), side)
    return canvas.png()


def banner() -> bytes:
    """The name between the marks, the tokens and a die."""
    canvas, side = Canvas(*BANNER, GROUND), 150
    width, height = BANNER
    (name,) = captions(["Parlour"], "en-US")
    canvas.write((width / 2, 160), name, PAPER, size=150)
    row: tuple[Painter, ...] = (partial(marked, 0), *TOKENS, partial(die, 5), partial(marked, 1))
    first = (width - len(row) * side) / 2
    for place, paint in enumerate(row):
        paint(canvas, (first + place * side, height - side - 40), side)
    return canvas.png()


def main(folder: Path) -> None:
    """Write both pictures."""
    (folder / "icon.png").write_bytes(icon())
    (folder / "banner.png").write_bytes(banner())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
