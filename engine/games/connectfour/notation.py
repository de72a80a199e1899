"""Connect four in a terminal: the board, with the numbers of the columns below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.game import Move, Reason, Seat
from engine.games.connectfour.position import MARKS, ConnectFourPosition


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

    def reason(self, state: ConnectFourPosition, reason: Reason) -> str:  # noqa: ARG002 - the name says it
        """The reason in English."""
        return reason.kind.value


NOTATION: Final = ConnectFourNotation()
