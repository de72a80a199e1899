"""Tic-tac-toe in a channel: its command, its levels, and a board made of buttons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from bot.actions import move_action
from bot.command import ANYONE, OPPONENT, PACE, Command, Field, Kind, Request, duel, level_field
from bot.games.lists import enumerated
from bot.games.tictactoe_picture import picture
from bot.presenter import (
    Block,
    Control,
    Entry,
    Grid,
    Row,
    Strength,
    Style,
    Text,
    text,
)
from bot.refusals import fitting
from bot.seats import Level, Pace
from bot.session import Phase, Session
from engine.game import Move, Seat
from engine.games.tictactoe import GAME, Position, winning_line
from engine.games.tictactoe.open_lines import open_lines
from engine.games.tictactoe.perfect import Perfect
from engine.games.tictactoe.rules_agents import CORNER, RuleAgent
from engine.search.alphabeta import alphabeta
from engine.search.depth_first import DepthFirst
from engine.search.random import RandomAgent

MARKS: Final = ("❌", "⭕")
WON: Final = ("❎", "🟢")
EMPTY: Final = "⬜"

CROSS, NOUGHT, RANDOM = "x", "o", "random"
SIDES: Final = (CROSS, NOUGHT)

LEVELS: Final = {
    Level.EASY: Strength(RandomAgent, inline=True),
    Level.MEDIUM: Strength(lambda rng: RuleAgent(CORNER, rng), inline=True),
    Level.HARD: Strength(lambda rng: DepthFirst(alphabeta, rng, depth=2, evaluation=open_lines)),
    Level.PERFECT: Strength(Perfect),
}


def propose(request: Request, rng: Random) -> Session:
    """The session that a `/tictactoe` asks for.

    Raises:
        OptionRefused: The line is longer than the board is wide.
        Refusal: As in `duel`.
    """
    asker, other = duel(request)
    crosses = request.choice("mark", RANDOM)
    first = rng.choice((CROSS, NOUGHT)) if crosses == RANDOM else crosses
    chosen = {
        key: int(request.choice(key, "0")) for key in ("size", "line") if key in request.values
    }
    with fitting(GAME):
        options = GAME.settled(chosen)
    return Session(
        game=GAME,
        options=options,
        pace=Pace(request.choice("pace", Pace.LIVE)),
        host=request.by,
        seats=(asker, other) if first == CROSS else (other, asker),
    ).started()


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
            return tuple(Row(tuple(_cell(c, marks.get(c), c == last) for c in row)) for row in rows)
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


def _cell(cell: Move, mark: str | None, last: bool) -> Control:
    style = Style.PROMINENT if last else Style.PLAIN
    return Control(move_action(cell), emoji=mark, style=style, enabled=mark is None)


ENTRY: Final = Entry(
    game=GAME,
    presenter=TicTacToePresenter(),
    levels=LEVELS,
    command=Command(
        name="tictactoe",
        fields=(
            OPPONENT,
            ANYONE,
            level_field(*LEVELS),
            Field("size", Kind.NUMBER, least=3, most=5),
            Field("line", Kind.NUMBER, least=3, most=5),
            Field("mark", Kind.CHOICE, choices=(CROSS, NOUGHT, RANDOM)),
            PACE,
        ),
        propose=propose,
    ),
)
