"""Tic-tac-toe in words and as a picture: both say what the position says."""

from __future__ import annotations

from random import Random

import pytest

from bot.games.tictactoe.board import TicTacToePresenter
from bot.games.tictactoe.picture import LAST, PAINTS, PAPER, SIDE, WON, middle_of
from bot.table.seats import Computer, Human, Level, Pace, PersonId
from bot.table.session import Phase, Session
from engine.game import Move
from engine.games.tictactoe import GAME, Position, winning_line
from tests.bot.games.ludo.ludo_tables import ENGLISH_WORDS
from tests.bot.games.pixels import decoded, rgb, share

BOARDS = ((3, 3), (4, 4), (5, 4))

every_board = pytest.mark.parametrize(("size", "line"), BOARDS)


def played(size: int, line: int, plies: int, seed: int = 0) -> Session:
    options = {"size": size, "line": line}
    rng, moves = Random(seed), list[Move]()
    position: Position = GAME.start(2, options)
    while len(moves) < plies and position.moves():
        moves.append(rng.choice(position.moves()))
        position = position.play(moves[-1])
    over = position.payoff() is not None
    return Session(
        GAME,
        GAME.settled(options),
        Pace.LIVE,
        host=PersonId(1),
        seats=(Human(PersonId(1)), Computer(Level.EASY)),
        phase=Phase.FINISHED if over else Phase.RUNNING,
        moves=tuple(moves),
        position=position,
        payoff=None if position.payoff() is None else tuple(position.payoff() or ()),
    )


def in_words(session: Session) -> list[str]:
    return [ENGLISH_WORDS.of(line) for line in TicTacToePresenter().words(session)]


@every_board
def test_the_board_can_be_read_back_from_its_words(size: int, line: int) -> None:
    for seed in range(40):
        session = played(size, line, seed, seed)
        lines = in_words(session)
        rows = [told.partition(": ")[2].rstrip(".").split(", ") for told in lines[1 : 1 + size]]
        marks = [mark for row in rows for mark in row]
        assert marks == [session.position.mark(Move(c)) or "empty" for c in range(size * size)]
        assert len("\n".join(lines)) < 1_024


def test_words_say_whose_turn_it_is_or_which_cells_won() -> None:
    assert in_words(played(3, 3, 0))[0] == "To move: X."
    assert in_words(played(3, 3, 1))[0] == "To move: O."
    won = next(s for s in (played(3, 3, 9, seed) for seed in range(99)) if s.payoff != (0, 0))
    lines = in_words(won)
    assert lines[0] == "The game is over."
    cells = [divmod(cell, 3) for cell in winning_line(won.position)]
    where = ", ".join(f"row {row + 1} column {column + 1}" for row, column in cells)
    assert lines[-1] == f"{won.position.mark(winning_line(won.position)[0])} has won: {where}."


@every_board
def test_the_picture_shows_every_mark_the_last_one_and_the_line(size: int, line: int) -> None:
    for plies in (0, 1, 4, size * size):
        session = played(size, line, plies, seed=plies)
        png = TicTacToePresenter().picture(session)
        (width, height), look = decoded(png)
        assert width == height == SIDE
        assert len(png) < 100_000
        reach = 0.4 * SIDE / size
        for cell in range(size * size):
            middle = middle_of(session.position, cell)
            for mark, paint in PAINTS.items():
                shown = share(look, middle, reach, paint) > 0.1
                assert shown == (session.position.mark(Move(cell)) == mark)
            ground = look(middle[0] - 0.4 * SIDE / size, middle[1])
            won, last = cell in winning_line(session.position), cell == last_of(session)
            assert ground == rgb(WON if won else LAST if last else PAPER)


def last_of(session: Session) -> Move | None:
    return session.moves[-1] if session.moves else None
