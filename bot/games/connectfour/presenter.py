"""Connect four's board as emoji, its columns as buttons, both in words, and moves in a review."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from bot.games.connectfour.sprites import (
    DISCS,
    DISCS_PAINTS,
    HOLE,
    LAST,
    MIDDLE,
    NUMBERS,
    STANDING,
    WON,
    disc,
    picture,
)
from bot.games.duel import DuelExplainer, DuelPresenter, DuelSide
from bot.message.blocks import BOARD_FILE, Block, Control, Grid, Picture, Row
from bot.message.canvas import Canvas, Point
from bot.message.text import Sprite, Text, joined, text
from bot.table.actions import move_action
from bot.table.seat_log import BoardLook
from bot.table.session import Phase, Session
from engine.game import Move, Seat
from engine.games.connectfour import ConnectFourPosition, winning_line
from engine.games.connectfour.review import DiscReason

SIDES: Final = (
    DuelSide(text("side.red"), DISCS[0], "#ff7b7f"),
    DuelSide(text("side.yellow"), DISCS[1], DISCS_PAINTS[1]),
)
"""Red and yellow, as the discs are."""


class ConnectFourPresenter(DuelPresenter):
    """Draws the board as one grid, with the columns as two rows of buttons below it."""

    sides = SIDES

    def rules(self, session: Session) -> Text:
        """The size of the board."""
        return text("board.in_a_row", size=str(session.options["size"]), line="4")

    def board(self, session: Session) -> tuple[Block, ...]:
        """The grid or a picture, and below it while the game runs a button for each column."""
        rows = _columns(session) if session.phase is Phase.RUNNING else ()
        if session.preferences.board is BoardLook.PICTURE:
            return Picture(BOARD_FILE, self.words(session)), *rows
        return *self.drawing(session), *rows

    def drawing(self, session: Session) -> tuple[Block, ...]:
        """The board as one grid of emoji, below the numbers of its columns."""
        return (Grid(_tiles(session)),)

    def told(self, session: Session, ply: int) -> Text:
        """The column that was played."""
        column = session.moves[ply] + 1
        return text("connectfour.since", emblem=DISCS[ply % 2], column=column)

    def lines(self, session: Session) -> Iterator[Text]:
        """The columns from the left, each with its discs from the bottom."""
        position: ConnectFourPosition = session.position
        for column in range(position.columns):
            seats = [position.at(column, row) for row in range(position.height(column))]
            discs = [SIDES[seat].name for seat in seats if seat is not None]
            discs = discs or [text("board.words.empty")]
            yield text("connectfour.words.column", number=column + 1, discs=joined(discs))

    def won(self, session: Session) -> list[Text]:
        """The columns of the four that won."""
        return [_cell_in_words(session.position, cell) for cell in winning_line(session.position)]

    def picture(self, session: Session) -> bytes:
        """The board as PNG."""
        return picture(_tiles(session))


def _columns(session: Session) -> tuple[Row, ...]:
    """The columns as buttons, the larger half in the first row; full ones are switched off."""
    free, columns = session.legal, range(session.position.columns)
    controls = [
        Control(
            move_action(Move(column)),
            text("move.named", move=str(column + 1)),
            enabled=column in free,
        )
        for column in columns
    ]
    half = (len(controls) + 1) // 2
    return Row((*controls[:half],)), Row((*controls[half:],))


def _tiles(session: Session) -> tuple[tuple[Sprite, ...], ...]:
    """The numbers of the columns, and the rows from the top."""
    position: ConnectFourPosition = session.position
    won = frozenset(winning_line(position))
    last = None
    if session.moves:
        column = session.moves[-1]
        last = position.cell(column, position.height(column) - 1)

    def drawn(column: int, row: int) -> Sprite:
        seat, cell = position.at(column, row), position.cell(column, row)
        if seat is None:
            return HOLE
        return (WON if cell in won else LAST if cell == last else DISCS)[seat]

    columns = range(position.columns)
    cells = [tuple([drawn(column, row) for column in columns]) for row in range(position.rows)]
    return NUMBERS[: position.columns], *reversed(cells)


def _move_in_words(_position: ConnectFourPosition, move: int) -> Text:
    return text("connectfour.words.move", column=move + 1)


def _cell_in_words(position: ConnectFourPosition, cell: int) -> Text:
    """The column of a cell, which is all of it that is ever named."""
    column, _ = position.place(cell)
    return _move_in_words(position, column)


def _disc(_seats: int, seat: Seat, canvas: Canvas, centre: Point, side: float) -> None:
    """A disc, as high as a letter."""
    whole = side * MIDDLE / STANDING
    disc(seat, canvas, (centre[0] - whole / 2, centre[1] - whole / 2), whole)


EXPLAINER: Final = DuelExplainer(
    sides=SIDES,
    costs=frozenset[StrEnum](
        {
            *(DiscReason.MISSES_WIN, DiscReason.LETS_WIN),
            *(DiscReason.LETS_FORK, DiscReason.GIVES_UP),
        }
    ),
    move=_move_in_words,
    cell=_cell_in_words,
    draw=_disc,
)
