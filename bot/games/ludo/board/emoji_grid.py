"""The board as emoji: the cross of `engine.games.ludo.cross`, 11 wide and 19 high, in two grids.

Every token is drawn exactly once. A square shows the token that stands there by its colour and
number, several of one colour by all their numbers, those of several colours by the colours alone;
for these `mixed` has the squares, so that words can tell who stands there. Yards are four places
in the corner fields, and tokens that have come home stand around the 🏠.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from bot.games.ludo.board.colours import COLOURS
from bot.games.ludo.board.spots import Group, Layout, OnRing, standing
from bot.games.ludo.game_log import LastMove
from bot.message.blocks import Cell, Grid, Sprite
from engine.games.ludo import Position
from engine.games.ludo.board import CORNERS, STARS
from engine.games.ludo.cross import FIELDS, HEIGHT, LANES, WIDTH, Field
from engine.games.ludo.rules import Lane, Rules

UPPER_ROWS: Final = 9
"""So many rows are in the first of the two grids: a client draws fewer than 200 emoji in one."""

NOTHING: Final = "⬛"
SQUARE: Final = "⬜"
STAR: Final = "⭐"
HOUSE: Final = "🏠"
LEFT_BEHIND: Final = "🟧"
MIXED: Final = "🟣"
"""What stands for tokens of several colours while there are no sprites."""

MARKED: Final = "_m"
"""The end of a sprite's name that marks the last move."""

CENTRE: Final = (9, 5)
HOMES: Final = ((8, 5), (8, 6), (10, 5), (10, 4))
"""Where the tokens of each corner stand that have come home."""

YARDS: Final = tuple(
    tuple((top + row, left + column) for row in (0, 1) for column in (0, 1))
    for top, left in ((3, 8), (14, 8), (14, 1), (3, 1))
)
"""The four places of each yard."""

LAYOUT: Final[Layout[Field]] = Layout(FIELDS, LANES, YARDS, HOMES)


def grids(position: Position, last: LastMove | None) -> tuple[Grid, Grid]:
    """The board, with the last move marked."""
    shown = bare_board(position.table.rules)
    stands = standing(position)
    if last is not None:
        shown[LAYOUT.field(last.origin)] = LEFT_BEHIND
    for where, groups in stands.items():
        moved = last is not None and where == last.destination
        shown[LAYOUT.field(where)] = sprite(groups, marked=moved)
    rows = [
        tuple(shown.get((row, column), NOTHING) for column in range(WIDTH)) for row in range(HEIGHT)
    ]
    return Grid(tuple(rows[:UPPER_ROWS])), Grid(tuple(rows[UPPER_ROWS:]))


def bare_board(rules: Rules) -> dict[Field, Cell]:
    """What every field shows that no token stands on, but for those that show nothing."""
    shown: dict[Field, Cell] = dict.fromkeys(FIELDS, SQUARE)
    if rules.stars_safe:
        shown |= {FIELDS[square]: STAR for square in STARS}
    for corner, colour in enumerate(COLOURS):
        shown[FIELDS[13 * corner]] = colour.square
        shown |= dict.fromkeys(LANES[corner][: _lane_squares(rules)], colour.square)
    shown[CENTRE] = HOUSE
    return shown


def sprite(groups: tuple[Group, ...], *, marked: bool = False) -> Sprite:
    """The emoji of all tokens on one square."""
    mark = MARKED if marked else ""
    if len(groups) > 1:
        letters = "".join(COLOURS[group.corner].letter for group in groups)
        return Sprite(f"ludo_{letters}{mark}", MIXED)
    colour = COLOURS[groups[0].corner]
    numbers = "".join(map(str, groups[0].numbers))
    return Sprite(f"ludo_{colour.letter}{numbers}{mark}", colour.token)


def mixed(position: Position) -> Mapping[OnRing, tuple[Group, ...]]:
    """The squares with tokens of several colours, in the order of the ring."""
    shared = {
        where: groups
        for where, groups in standing(position).items()
        if isinstance(where, OnRing) and len(groups) > 1
    }
    return dict(sorted(shared.items(), key=lambda item: item[0].square))


def every_group() -> Iterator[tuple[Group, ...]]:
    """All that can stand on one square, as far as sprites tell it apart."""
    for corner in range(CORNERS):
        for subset in range(1, 16):
            yield (Group(corner, tuple(n + 1 for n in range(4) if subset >> n & 1)),)
    for subset in range(1, 16):
        corners = [corner for corner in range(CORNERS) if subset >> corner & 1]
        if len(corners) > 1:
            yield tuple(Group(corner, (1,)) for corner in corners)


def _lane_squares(rules: Rules) -> int:
    return rules.tokens if rules.lane is Lane.SLOTS else 5
