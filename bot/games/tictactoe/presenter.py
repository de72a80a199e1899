"""Tic-tac-toe's board as buttons and in words, and its moves in a review."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import Final

from bot.games.duel import DuelExplainer, DuelPresenter, DuelSide
from bot.games.tictactoe.sprites import EMBLEMS, EMPTY, FREE, LAST, MARKS, NEWEST, WON, picture
from bot.message.blocks import Block, Control, Grid, Row, Style
from bot.message.canvas import Canvas, Point
from bot.message.text import Cell, Text, joined, text
from bot.table.actions import move_action
from bot.table.session import Phase, Session
from engine.game import Move, Seat
from engine.games.tictactoe import TicTacToePosition, winning_line
from engine.games.tictactoe.position import cell_name
from engine.games.tictactoe.review import MarkReason

SIDES: Final = (
    DuelSide(text("side.x"), EMBLEMS[0], "#8ea1ff"),
    DuelSide(text("side.o"), EMBLEMS[1], "#ff8a8c"),
)
"""Blue X and red O, as their buttons are."""

STYLES: Final = (Style.PROMINENT, Style.DANGEROUS)
"""The style of each side's buttons."""

NARROW: Final = 3
"""Columns that fit between the edges of a container on a phone."""


class TicTacToePresenter(DuelPresenter):
    """Draws the board as buttons, which stay when the game is over."""

    sides = SIDES

    def rules(self, session: Session) -> Text:
        """The size of the board and the length of a line."""
        size, line = session.options["size"], session.options["line"]
        return text("board.in_a_row", size=f"{size}x{size}", line=str(line))

    def board(self, session: Session) -> tuple[Block, ...]:
        """A row of buttons for each row of the board."""
        cells = _Cells(session)
        wide = cells.size > NARROW
        return tuple([Row(tuple(row), wide) for row in cells.controls()])

    def drawing(self, session: Session) -> tuple[Block, ...]:
        """The board as one grid of emoji."""
        cells = _Cells(session)
        return (Grid(tuple(tuple(map(cells.drawn, row)) for row in cells.rows)),)

    def told(self, session: Session, ply: int) -> Text:
        """The cell that was taken."""
        cell = cell_name(session.moves[ply], session.position.size)
        return text("tictactoe.since", emblem=EMBLEMS[ply % 2], cell=cell)

    def lines(self, session: Session) -> Iterator[Text]:
        """The rows from the top, with the mark of every cell."""
        position, rows = session.position, _Cells(session).rows
        for number, row in zip(range(len(rows), 0, -1), rows, strict=True):
            cells = [_square_in_words(position, cell) for cell in row]
            yield text("tictactoe.words.row", number=number, cells=joined(cells))

    def won(self, session: Session) -> list[Text]:
        """The cells of the line that won."""
        return [_cell_in_words(session.position, cell) for cell in winning_line(session.position)]

    def picture(self, session: Session) -> bytes:
        """The board as PNG."""
        return picture(session.position, session.moves[-1] if session.moves else None)


def _square_in_words(position: TicTacToePosition, cell: Move) -> Text:
    mark = position.mark(cell)
    told = text(f"side.{mark.lower()}" if mark else "board.words.empty")
    return text("tictactoe.words.square", cell=cell_name(cell, position.size), mark=told)


def _cell_in_words(position: TicTacToePosition, cell: int) -> Text:
    return text("move.named", move=cell_name(Move(cell), position.size))


def _letter(_seats: int, seat: Seat, canvas: Canvas, centre: Point, side: float) -> None:
    canvas.write(centre, "XO"[seat], SIDES[seat].paint, size=side)


EXPLAINER: Final = DuelExplainer(
    sides=SIDES,
    costs=frozenset[StrEnum]({MarkReason.MISSES_WIN, MarkReason.LETS_WIN, MarkReason.LETS_FORK}),
    move=_cell_in_words,
    cell=_cell_in_words,
    draw=_letter,
)


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
