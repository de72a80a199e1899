"""Tic-tac-toe's board as buttons and in words, and its moves in a review."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import cache, partial
from typing import Final

from bot.games import duel
from bot.games.entry import Happening
from bot.games.tictactoe.sprites import EMBLEMS, EMPTY, FREE, LAST, MARKS, NEWEST, WON, picture
from bot.message.blocks import Block, Control, Grid, Row, Style
from bot.message.canvas import Canvas, Paint, Point
from bot.message.text import Cell, Text, joined, text
from bot.table.actions import move_action
from bot.table.session import Phase, Session
from engine.game import Move, Reason, Seat
from engine.games.tictactoe import TicTacToePosition, winning_line
from engine.games.tictactoe.position import cell_name
from engine.games.tictactoe.review import MarkReason

CROSS, NOUGHT = "x", "o"
SIDES: Final = (CROSS, NOUGHT)

STYLES: Final = (Style.PROMINENT, Style.DANGEROUS)
"""The style of each side's buttons."""

PAINTS: Final = ("#8ea1ff", "#ff8a8c")
"""The colours of each side on dark ground."""

NARROW: Final = 3
"""Columns that fit between the edges of a container on a phone."""


class TicTacToePresenter:
    """Draws the board as buttons, which stay when the game is over."""

    choices = staticmethod(duel.choices)
    thrown = staticmethod(duel.thrown)
    story = staticmethod(duel.story)
    sentence = staticmethod(duel.sentence)

    def emblem(self, seats: int, seat: Seat) -> Cell:  # noqa: ARG002 - always the same
        """The mark of a seat."""
        return EMBLEMS[seat]

    def rules(self, session: Session) -> Text:
        """The size of the board and the length of a line."""
        size, line = session.options["size"], session.options["line"]
        return text("board.in_a_row", size=f"{size}x{size}", line=str(line))

    rules_in_brief = rules  # which are brief

    def board(self, session: Session) -> tuple[Block, ...]:
        """A row of buttons for each row of the board."""
        cells = _Cells(session)
        wide = cells.size > NARROW
        return tuple([Row(tuple(row), wide) for row in cells.controls()])

    def drawing(self, session: Session) -> tuple[Block, ...]:
        """The board as one grid of emoji."""
        cells = _Cells(session)
        return (Grid(tuple(tuple(map(cells.drawn, row)) for row in cells.rows)),)

    def since(
        self,
        session: Session,
        ply: int,
        reader: Seat | None,  # noqa: ARG002 - both are named by their marks
    ) -> Sequence[Happening]:
        """The cells that were taken, the last one first."""

        def told(at: int) -> Text:
            cell = cell_name(session.moves[at], session.position.size)
            return text("tictactoe.since", emblem=EMBLEMS[at % 2], cell=cell)

        return duel.since(session, ply, told)

    def words(self, session: Session) -> tuple[Text, ...]:
        """The turn, the board row by row, and the line that won."""
        position, cells = session.position, _Cells(session)
        rows = zip(range(cells.size, 0, -1), cells.rows, strict=True)
        winner = _side_in_words(Seat(1 - position.turn))
        return (
            duel.turn_in_words(session, _side_in_words),
            *(_row_in_words(position, number, row) for number, row in rows),
            *duel.line_in_words(winning_line(position), partial(_cell_in_words, position), winner),
        )

    def picture(self, session: Session) -> bytes:
        """The board as PNG."""
        return picture(session.position, session.moves[-1] if session.moves else None)


class TicTacToeExplainer:
    """Names cells and reasons."""

    costs: Final = frozenset[StrEnum](
        {MarkReason.MISSES_WIN, MarkReason.LETS_WIN, MarkReason.LETS_FORK}
    )

    reasons = staticmethod(duel.reasons)
    rolled = staticmethod(duel.rolled)
    victims = staticmethod(duel.victims)

    def move(self, position: TicTacToePosition, move: Move) -> Text:
        """A cell, by its name."""
        return _cell_in_words(position, move)

    def reason(self, position: TicTacToePosition, reason: Reason) -> Text:
        """A reason, with the cells it is about."""
        return duel.reason(reason, partial(_cell_in_words, position))

    def name(self, seats: int, seat: Seat) -> Text:  # noqa: ARG002 - there are always two
        """The mark of the seat."""
        return _side_in_words(seat)

    def paint(self, seats: int, seat: Seat) -> Paint:  # noqa: ARG002 - there are always two
        """Blue for X, red for O, as their buttons are."""
        return PAINTS[seat]

    def draw(self, seats: int, seat: Seat, canvas: Canvas, centre: Point, side: float) -> None:
        """The mark, as a letter."""
        canvas.write(centre, "XO"[seat], self.paint(seats, seat), size=side)


def _side_in_words(seat: Seat) -> Text:
    return text(f"side.{SIDES[seat]}")


def _row_in_words(position: TicTacToePosition, number: int, row: Sequence[Move]) -> Text:
    cells = [
        text(
            "tictactoe.words.square",
            cell=cell_name(cell, position.size),
            mark=_mark_in_words(position.mark(cell)),
        )
        for cell in row
    ]
    return text("tictactoe.words.row", number=number, cells=joined(cells))


def _mark_in_words(mark: str) -> Text:
    return text(f"side.{mark.lower()}" if mark else "board.words.empty")


def _cell_in_words(position: TicTacToePosition, cell: int) -> Text:
    return text("move.named", move=cell_name(Move(cell), position.size))


class _Cells:
    def __init__(self, session: Session) -> None:
        self.size = int(session.options["size"])
        cells = [Move(cell) for cell in range(self.size**2)]
        self.rows = [cells[at : at + self.size] for at in cells[:: self.size]]
        self._sides = {cell: ply % 2 for ply, cell in enumerate(session.moves)}
        self._won = frozenset(winning_line(session.position))
        running = session.phase is Phase.RUNNING
        self._newest = session.moves[-1] if session.moves else None
        self._last = self._newest if running else None

    def controls(self) -> list[list[Control]]:
        """The cells as buttons, row by row; pressing a taken cell is refused."""
        sides, last, won = self._sides, self._last, self._won
        return [
            [
                _button(
                    cell, cell_name(cell, self.size), sides.get(cell), cell == last, cell in won
                )
                for cell in row
            ]
            for row in self.rows
        ]

    def drawn(self, cell: Move) -> Cell:
        """A cell as an emoji."""
        side = self._sides.get(cell)
        if side is None:
            return EMPTY
        newest = cell == self._newest and not self._won
        return (WON if cell in self._won else NEWEST if newest else EMBLEMS)[side]


@cache
def _button(cell: Move, name: str, side: int | None, last: bool, won: bool) -> Control:
    if side is None:
        return Control(move_action(cell), emoji=FREE[name])
    mark, style = (LAST if last or won else MARKS)[side], Style.GOOD if won else STYLES[side]
    return Control(move_action(cell), emoji=mark, style=style)
