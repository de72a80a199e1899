"""The board's tiles by name, with any tokens on them.

A tile's name tells its content: `sq` a square, `st` a star, `or` the red start (open), `lr` a
square of the red lane, `fr` the floor of the red yard, `er` an empty place there, `hrg` the border
between the red and green triangles. Tokens have their colour's letter, their numbers, and the
ground under them: `r2w` is red's second token on a white square, `rb_s` red and blue together on a
safe one. `tgw` is the trace of a green token on the white square that it left. Names are short,
because a board takes most of a message's 4,000 characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from bot.games.ludo.board.colours import COLOURS
from bot.games.ludo.board.layout import TRIANGLES
from bot.games.ludo.board.spots import AtHome, Group, InLane, InYard, OnRing, Spot
from bot.message.emoji import Sprite
from engine.games.ludo.board import CORNERS
from engine.games.ludo.table import LudoTable


class Ground(StrEnum):
    """The ground under a token, by the last letter of its tile's name."""

    WHITE = "w"
    SAFE = "s"
    OWN = "c"
    """The token's own start, lane, or home."""
    PLACE = "e"
    MARKED = "m"
    """The end of the last move of its seat."""


SQUARE: Final = Sprite("sq", "⬜")
STAR: Final = Sprite("st", "⭐")
HOUSE: Final = Sprite("home", "🏠")
MIXED: Final = "🟣"
"""Stands for tokens of several colours until the sprites are uploaded."""
LEFT_BEHIND: Final = "🟧"
NOTHING: Final = "⬛"
DIE: Final = "🎲"

STARTS: Final = tuple(Sprite(f"o{colour.letter}", colour.square) for colour in COLOURS)
LANES: Final = tuple(Sprite(f"l{colour.letter}", colour.square) for colour in COLOURS)
FLOOR_TILES: Final = tuple(Sprite(f"f{colour.letter}", colour.square) for colour in COLOURS)
PLACES: Final = tuple(Sprite(f"e{colour.letter}", "⬜") for colour in COLOURS)
"""By corner."""

FILLED: Final = tuple(Sprite(f"h{colour.letter}", colour.square) for colour in COLOURS)
"""The fields around home, and the squares of a lane that no token stops on."""

_SQUARES: Final = {colour.letter: colour.square for colour in COLOURS}
TRIANGLE_TILES: Final = {
    field: Sprite(f"h{letters}", _SQUARES.get(letters, NOTHING)) for field, letters in TRIANGLES
}


def token_tile(groups: Sequence[Group], ground: Ground | None = None) -> Sprite:
    """The tile of all tokens on one field; without a ground, of one token alone."""
    under = "" if ground is None else ground.value
    if len(groups) > 1:
        letters = "".join(COLOURS[group.corner].letter for group in groups)
        return Sprite(f"{letters}_{under}", MIXED)
    colour = COLOURS[groups[0].corner]
    numbers = "".join(map(str, groups[0].numbers))
    return Sprite(f"{colour.letter}{numbers}{under}", colour.token)


def trace_tile(corner: int, ground: Ground) -> Sprite:
    """The tile of a field that a token of this corner has left."""
    return Sprite(f"t{COLOURS[corner].letter}{ground}", LEFT_BEHIND)


def ground_of(table: LudoTable, where: Spot, corner: int) -> Ground:
    """The ground under a corner's token on a spot."""
    match where:
        case OnRing(square) if square == 13 * corner:
            return Ground.OWN
        case OnRing(square):
            return Ground.SAFE if square in table.safe else Ground.WHITE
        case InYard():
            return Ground.PLACE
        case InLane() | AtHome():
            return Ground.OWN


def shared_ground(table: LudoTable, where: Spot, groups: Sequence[Group]) -> Ground:
    """The ground under all tokens on a spot."""
    if len(groups) == 1:
        return ground_of(table, where, groups[0].corner)
    safe = isinstance(where, OnRing) and where.square in table.safe
    return Ground.SAFE if safe else Ground.WHITE


def die_face(pips: int) -> Sprite:
    """The face of a die in a text."""
    return Sprite(f"die{pips}", f"{pips}\ufe0f\u20e3")


def lying_die(pips: int) -> Sprite:
    """The same face on the board, with a fallback as wide as any other emoji."""
    return Sprite(die_face(pips).name, DIE)


def every_stack() -> Iterator[tuple[Group, ...]]:
    """Every set of tokens that a tile can show; of several colours, without numbers."""
    for corner in range(CORNERS):
        for subset in range(1, 16):
            yield (Group(corner, tuple(n + 1 for n in range(4) if subset >> n & 1)),)
    for subset in range(1, 16):
        corners = [corner for corner in range(CORNERS) if subset >> corner & 1]
        if len(corners) > 1:
            yield tuple(Group(corner, (1,)) for corner in corners)


def grounds(groups: Sequence[Group]) -> Iterator[Ground]:
    """The grounds on which such a set of tokens can stand."""
    yield from (Ground.WHITE, Ground.SAFE, Ground.MARKED)
    if len(groups) == 1:
        yield Ground.OWN
    if len(groups) == 1 and len(groups[0].numbers) == 1:
        yield Ground.PLACE
