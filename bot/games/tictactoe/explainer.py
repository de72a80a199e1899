"""Tic-tac-toe's moves as a review tells them."""

from __future__ import annotations

from typing import Final

from bot.message.canvas import Paint
from bot.message.text import Joint, Text, joined, text
from engine.game import Move, Reason, Seat
from engine.games.tictactoe import TicTacToePosition

PAINTS: Final = ("#8ea1ff", "#ff8a8c")


class TicTacToeExplainer:
    """Names cells, and what marks on them do."""

    def move(self, position: TicTacToePosition, move: Move) -> Text:
        """A cell, by its row and column."""
        row, column = divmod(move, position.size)
        return text("tictactoe.words.cell", row=row + 1, column=column + 1)

    def reason(self, position: TicTacToePosition, reason: Reason) -> Text:
        """What a mark does, with the cells that it is about."""
        key = f"tictactoe.reason.{reason.kind.value.replace(' ', '_')}"
        if not reason.about:
            return text(key)
        cells = joined((self.move(position, Move(cell)) for cell in reason.about), Joint.AND)
        return text(key, cells=cells)

    def paint(self, seats: int, seat: Seat) -> Paint:  # noqa: ARG002 - there are always two
        """Blue for X, red for O, as their buttons are."""
        return PAINTS[seat]
