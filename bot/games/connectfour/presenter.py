"""Connect four's board as emoji, its columns as buttons, and both in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bot.games import duel
from bot.games.connectfour.sprites import COLOURS, DISCS, HOLE, LAST, NUMBERS, WON, picture
from bot.games.entry import Happening
from bot.message.blocks import BOARD_FILE, Block, Control, Grid, Picture, Row
from bot.message.text import Cell, Sprite, Text, joined, text
from bot.table.actions import move_action
from bot.table.seat_log import BoardLook
from bot.table.session import Phase, Session
from engine.game import Move, Seat
from engine.games.connectfour import ConnectFourPosition, winning_line


class ConnectFourPresenter:
    """Draws the board as one grid, with the columns as two rows of buttons below it."""

    choices = staticmethod(duel.choices)
    thrown = staticmethod(duel.thrown)
    story = staticmethod(duel.story)
    sentence = staticmethod(duel.sentence)

    def emblem(self, seats: int, seat: Seat) -> Cell:  # noqa: ARG002 - always the same
        """The disc of a seat."""
        return DISCS[seat]

    def rules(self, session: Session) -> Text:
        """The size of the board."""
        return text("board.in_a_row", size=str(session.options["size"]), line="4")

    rules_in_brief = rules  # which are brief

    def board(self, session: Session) -> tuple[Block, ...]:
        """The grid or a picture, and below it while the game runs a button for each column."""
        rows = _columns(session) if session.phase is Phase.RUNNING else ()
        if session.preferences.board is BoardLook.PICTURE:
            return Picture(BOARD_FILE, self.words(session)), *rows
        return *self.drawing(session), *rows

    def drawing(self, session: Session) -> tuple[Block, ...]:
        """The board as one grid of emoji, below the numbers of its columns."""
        return (Grid(_tiles(session)),)

    def since(
        self,
        session: Session,
        ply: int,
        reader: Seat | None,  # noqa: ARG002 - both are named by their discs
    ) -> Sequence[Happening]:
        """The columns that were played, the last one first."""

        def told(at: int) -> Text:
            column = session.moves[at] + 1
            return text("connectfour.since", emblem=DISCS[at % 2], column=column)

        return duel.since(session, ply, told)

    def words(self, session: Session) -> tuple[Text, ...]:
        """The turn, the columns from the left, and the four that won."""
        position: ConnectFourPosition = session.position
        columns, winner = range(position.columns), side_in_words(Seat(1 - position.turn))
        return (
            duel.turn_in_words(session, side_in_words),
            *(_column_in_words(position, column) for column in columns),
            *duel.line_in_words(winning_line(position), partial(column_of, position), winner),
        )

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


def _column_in_words(position: ConnectFourPosition, column: int) -> Text:
    """The discs of a column, from the bottom."""
    seats = [position.at(column, row) for row in range(position.height(column))]
    discs = [side_in_words(seat) for seat in seats if seat is not None]
    return text(
        "connectfour.words.column",
        number=column + 1,
        discs=joined(discs or [text("board.words.empty")]),
    )


def column_of(position: ConnectFourPosition, cell: int) -> Text:
    """The column of a cell, which is all of it that is ever named."""
    column, _ = position.place(cell)
    return text("connectfour.words.move", column=column + 1)


def side_in_words(seat: Seat) -> Text:
    """The colour of a seat."""
    return text(f"side.{COLOURS[seat]}")
