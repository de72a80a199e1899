"""Connect four in a terminal: the board, with the numbers of the columns below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from engine.game import Move, Reason, Seat
from engine.games.connectfour.position import MARKS, ConnectFourPosition, cell_name
from engine.games.connectfour.reasons import DiscReason

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
