"""The board of tic-tac-toe: made of buttons, and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from bot.games.tictactoe.picture import picture
from bot.message.blocks import Block, Control, Grid, Row, Style
from bot.message.lists import enumerated
from bot.message.text import Text, text
from bot.table.actions import move_action
from bot.table.session import Phase, Session
from engine.game import Move, Seat
from engine.games.tictactoe import Position, winning_line

MARKS: Final = ("❌", "⭕")
WON: Final = ("❎", "🟢")
EMPTY: Final = "⬜"

CROSS, NOUGHT = "x", "o"
SIDES: Final = (CROSS, NOUGHT)


class TicTacToePresenter:
    """Draws the board as buttons while it is played on, and as emoji when it is over."""

    def emblem(self, session: Session, seat: Seat) -> str:  # noqa: ARG002 - always the same
        """The mark of a seat."""
        return MARKS[seat]

    def rules(self, session: Session) -> Text:
        """The size of the board and the length of a line."""
        return text("tictactoe.rules", size=session.options["size"], line=session.options["line"])

    def board(self, session: Session) -> tuple[Block, ...]:
        """One row of controls for each row of the board; one grid once the game is over."""
        size = int(session.options["size"])
        marks = {cell: MARKS[ply % 2] for ply, cell in enumerate(session.moves)}
        rows = [[Move(size * row + column) for column in range(size)] for row in range(size)]
        if session.phase is Phase.RUNNING:
            last = session.moves[-1] if session.moves else None
            cells = [tuple([_cell(c, marks.get(c), c == last) for c in row]) for row in rows]
            return tuple(map(Row, cells))
        for cell in winning_line(session.position):
            marks[cell] = WON[MARKS.index(marks[cell])]
        return (Grid(tuple(tuple(marks.get(c, EMPTY) for c in row) for row in rows)),)

    def words(self, session: Session) -> tuple[Text, ...]:
        """Whose turn it is, then row by row what stands there, then the line that won."""
        position, size = session.position, int(session.options["size"])
        rows = [[Move(size * row + column) for column in range(size)] for row in range(size)]
        return (
            _turn_in_words(session),
            *(_row_in_words(position, number, row) for number, row in enumerate(rows, 1)),
            *_line_in_words(position),
        )

    def picture(self, session: Session) -> bytes:
        """The board as PNG."""
        return picture(session.position, session.moves[-1] if session.moves else None)


def _turn_in_words(session: Session) -> Text:
    if session.turn is None:
        return text("tictactoe.words.over")
    return text("tictactoe.words.turn", mark=text(f"tictactoe.mark.{SIDES[session.turn]}"))


def _row_in_words(position: Position, number: int, row: Sequence[Move]) -> Text:
    cells = [text(f"tictactoe.mark.{position.mark(cell).lower() or 'none'}") for cell in row]
    return text("tictactoe.words.row", number=number, cells=enumerated(cells))


def _line_in_words(position: Position) -> Iterator[Text]:
    if line := winning_line(position):
        cells = (divmod(cell, position.size) for cell in line)
        places = [text("tictactoe.words.cell", row=r + 1, column=c + 1) for r, c in cells]
        mark = text(f"tictactoe.mark.{position.mark(line[0]).lower()}")
        yield text("tictactoe.words.won", mark=mark, cells=enumerated(places))


@cache
def _cell(cell: Move, mark: str | None, last: bool) -> Control:
    style = Style.PROMINENT if last else Style.PLAIN
    return Control(move_action(cell), emoji=mark, style=style, enabled=mark is None)
