"""Connect four in a terminal: the board, with the numbers of the columns below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from engine.game import Move, Reason, Seat
from engine.games import Plane
from engine.games.connectfour.position import FIRST, MARKS, ConnectFourPosition, cell_name
from engine.games.connectfour.review import DiscReason

REASONS: Final[Mapping[StrEnum, str]] = {
    DiscReason.FORKS: "two threats, on {cells}",
    DiscReason.BLOCKS_FORK: "stops two threats at once",
    DiscReason.THREATENS: "threatens {cells}",
    DiscReason.PREPARES: "prepares {cells}",
    DiscReason.CENTRE: "the centre",
    DiscReason.MISSES_WIN: "misses the win on {cells}",
    DiscReason.LETS_WIN: "lets the other win on {cells}",
    DiscReason.LETS_FORK: "lets the other make two threats by {cells}",
    DiscReason.GIVES_UP: "gives up {cells}",
}
"""The English of each reason that is more than its name."""


CELL_NAME: Final = cell_name
"""The names of the cells that reasons are about."""


class ConnectFourNotation:
    """The drawing of the board, and the numbers of its columns, from 1."""

    def seat(self, seat: Seat) -> str:
        """X or O."""
        return MARKS[seat]

    def drawing(self, state: ConnectFourPosition) -> str:
        """The board, and a number below each column."""
        return f"{state}\n{' '.join(str(column + 1) for column in range(state.columns))}"

    def names(self, state: ConnectFourPosition, move: Move) -> Sequence[str]:  # noqa: ARG002 - on every board
        """The number of the column."""
        return (str(move + 1),)

    def how_to_move(self, state: ConnectFourPosition) -> str:
        """The range of columns."""
        return f"1-{state.columns}"

    def reason(self, state: ConnectFourPosition, reason: Reason) -> str:
        """The reason in English, with the names of its cells."""
        cells = " and ".join(cell_name(state, cell) for cell in reason.about)
        return REASONS.get(reason.kind, reason.kind.value).format(cells=cells)


NOTATION: Final = ConnectFourNotation()


def actions(first: ConnectFourPosition) -> int:
    """The number of moves that there may be at a table: one for each column."""
    return first.columns


def observed(position: ConnectFourPosition, seat: Seat) -> list[float]:
    """1 for each cell of the seat and 0 for others, then the same for the cells of the other.

    Cells come column by column, from the bottom.
    """
    both = (position.first, position.second)
    sides = both if seat == FIRST else reversed(both)
    return [
        float(side >> position.cell(column, row) & 1)
        for side in sides
        for column in range(position.columns)
        for row in range(position.rows)
    ]


def planes(position: ConnectFourPosition, seat: Seat) -> list[Plane]:
    """The board three times, rows from the top: the seat's discs, the other's, whose turn it is.

    The last is 1 everywhere where the seat is to move, and 0 where it is not.
    """
    columns, rows, cells = position.columns, position.rows, observed(position, seat)
    own, other = (
        [
            [cells[side * columns * rows + column * rows + row] for column in range(columns)]
            for row in reversed(range(rows))
        ]
        for side in range(2)
    )
    return [own, other, [[float(position.turn == seat)] * columns] * rows]
