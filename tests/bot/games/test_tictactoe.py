"""Tic-tac-toe in words and as a picture: both say what the position says."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from bot.games.catalogue import CATALOGUE
from bot.games.tictactoe.presenter import TicTacToePresenter
from bot.games.tictactoe.sprites import EMPTY_PAINT, PAPER, PLATES, SIZE, SPRITES, WON_PLATE
from bot.message.blocks import Control, Grid, Prose, Row, Screen, Style
from bot.message.text import Sprite, text
from bot.screens.in_words import since
from bot.table.seats import Human, Level, Pace, PersonId
from bot.table.session import Phase, Session
from bot.ui.render import board_view
from bot.ui.words import Words, brief
from engine.game import Move
from engine.games.tictactoe import GAME, winning_line
from engine.games.tictactoe.position import cell_name
from tests.bot.english import ENGLISH_WORDS, pattern, says
from tests.bot.games.pixels import decoded, rgb
from tests.bot.kit import at_random, new_game, stored

BOARDS = ((3, 3), (4, 4), (5, 4))

every_board = pytest.mark.parametrize(("size", "line"), BOARDS)


ANN, BEN = Human(PersonId(1)), Human(PersonId(2))


def played(size: int, line: int, plies: int, seed: int = 0) -> Session:
    """A game against the computer after random plies, or to its end before."""
    begun = new_game("tictactoe", ANN, Level.EASY, options={"size": size, "line": line})
    return at_random(begun, Random(seed), plies)


def in_words(session: Session) -> list[str]:
    return [ENGLISH_WORDS.of(line) for line in TicTacToePresenter().words(session)]


def word_of(mark: str) -> str:
    """A cell in words, by the mark on it."""
    return says(f"side.{mark.lower()}" if mark else "board.words.empty")


def cells_read(row: int, line: str) -> list[str]:
    """The words of the cells of a row."""
    found = re.fullmatch(pattern("tictactoe.words.row", number=str(row), cells="(.+)"), line)
    assert found, line
    squares = found[1].split(says("list.comma"))
    return [square.partition(" ")[2] for square in squares]


@every_board
def test_the_board_can_be_read_back_from_its_words(size: int, line: int) -> None:
    for seed in range(40):
        session = played(size, line, seed, seed)
        lines = in_words(session)
        rows = [cells_read(size - row, told) for row, told in enumerate(lines[1 : 1 + size])]
        marks = [mark for row in rows for mark in row]
        assert marks == [word_of(session.position.mark(Move(c))) for c in range(size * size)]
        assert len("\n".join(lines)) < 1_024


def test_words_say_whose_turn_it_is_or_which_cells_won() -> None:
    assert in_words(played(3, 3, 0))[0] == says("board.words.turn", side=says("side.x"))
    assert in_words(played(3, 3, 1))[0] == says("board.words.turn", side=says("side.o"))
    won = next(s for s in (played(3, 3, 9, seed) for seed in range(99)) if s.payoff != (0, 0))
    lines = in_words(won)
    assert lines[0] == says("board.words.over")
    first, second, third = (cell_name(Move(cell), 3) for cell in winning_line(won.position))
    where = f"{first}, {second}, and {third}"
    mark = word_of(won.position.mark(winning_line(won.position)[0]))
    assert lines[-1] == says("board.words.won", side=mark, cells=where)


@every_board
def test_a_drawing_tells_the_last_mark_apart_and_at_the_end_the_line(size: int, line: int) -> None:
    for seed in range(40):
        session = played(size, line, seed, seed)
        (grid,) = TicTacToePresenter().drawing(session)
        assert isinstance(grid, Grid)
        names = [str(getattr(cell, "name", cell)) for row in grid.rows for cell in row]
        won = winning_line(session.position)
        last = [] if won or not session.moves else [last_of(session)]
        assert [at for at, name in enumerate(names) if name.startswith("last_")] == last
        assert {at for at, name in enumerate(names) if name.startswith("won_")} == {*won}


@every_board
def test_the_picture_shows_every_mark_the_last_one_and_the_line(size: int, line: int) -> None:
    for plies in (0, 1, 4, size * size):
        session = played(size, line, plies, seed=plies)
        png = TicTacToePresenter().picture(session)
        (width, height), look = decoded(png)
        assert width == height == SIZE
        assert len(png) < 100_000
        side = SIZE / size
        for cell in range(size * size):
            row, column = divmod(cell, size)
            left, top = column * side, row * side
            mark = session.position.mark(Move(cell))
            won, last = cell in winning_line(session.position), cell == last_of(session)
            plate = PLATES["XO".index(mark)] if mark else EMPTY_PAINT
            ground = rgb(WON_PLATE if won else plate)
            assert look(left + side / 2, top + side / 12) == ground
            middle = look(left + side / 2, top + side / 2)
            assert middle == (rgb(PAPER) if mark == "X" else ground)
            assert (look(left + side / 24, top + side / 8) == rgb(PAPER)) == (won or last)


def last_of(session: Session) -> Move | None:
    return session.moves[-1] if session.moves else None


def controls(session: Session) -> list[Control]:
    rows = TicTacToePresenter().board(session)
    return [control for row in rows if isinstance(row, Row) for control in row.controls]


def name(control: Control) -> str:
    assert isinstance(control.emoji, Sprite)
    return control.emoji.name


@every_board
def test_every_cell_is_a_button_that_stays_enabled_in_its_players_style(
    size: int, line: int
) -> None:
    for plies in (0, 1, 4, 7):
        session = played(size, line, plies, seed=plies)
        cells = controls(session)
        assert [control.action for control in cells] == [f"m{cell}" for cell in range(size * size)]
        assert all(control.enabled for control in cells)
        won = winning_line(session.position)
        for cell, control in enumerate(cells):
            mark = session.position.mark(Move(cell))
            style = {"X": Style.PROMINENT, "O": Style.DANGEROUS}.get(mark, Style.PLAIN)
            assert control.style is (Style.GOOD if cell in won else style)
            last = session.phase is Phase.RUNNING and cell == last_of(session)
            wanted = (
                f"{'last' if last else 'mark'}_{mark.lower()}"
                if mark
                else cell_name(Move(cell), size)
            )
            assert name(control) == wanted


def test_a_finished_board_stays_made_of_buttons_with_the_winning_line_in_green() -> None:
    won = next(s for s in (played(3, 3, 9, seed) for seed in range(99)) if s.payoff != (0, 0))
    green = [cell for cell, control in enumerate(controls(won)) if control.style is Style.GOOD]
    assert green == sorted(winning_line(won.position))
    assert len(green) == 3
    signs = [control.emoji for control in controls(won)]
    winning = {signs[cell] for cell in green}
    others = {sign for cell, sign in enumerate(signs) if cell not in green}
    assert not winning & others, "not told apart by colour alone"


@every_board
def test_rows_that_are_too_wide_for_a_container_stand_outside_it(size: int, line: int) -> None:
    rows = TicTacToePresenter().board(played(size, line, 0))
    assert [row.wide for row in rows if isinstance(row, Row)] == [size > 3] * size


def test_a_replay_shows_the_same_board_without_buttons() -> None:
    won = next(s for s in (played(3, 3, 9, seed) for seed in range(99)) if s.payoff != (0, 0))
    (grid,) = TicTacToePresenter().drawing(won)
    assert isinstance(grid, Grid)
    drawn = [cell.name for row in grid.rows for cell in row if isinstance(cell, Sprite)]
    for cell, shown in enumerate(drawn):
        mark = won.position.mark(Move(cell)).lower()
        plain = {"x": "cross", "o": "nought", "": "empty"}[mark]
        assert shown == (f"won_{mark}" if cell in winning_line(won.position) else plain)


def test_every_sign_is_a_sprite_of_its_own() -> None:
    pictures = {name: paint() for name, paint in SPRITES.items()}
    assert len(set(pictures.values())) == len(pictures)
    assert not set(pictures) & set(CATALOGUE["ludo"].sprites)
    for name, png in pictures.items():
        size, look = decoded(png)
        assert size == (96, 96)
        seen = {look(x, y)[3] for x in range(0, 96, 4) for y in range(0, 96, 4)}
        assert seen != {0}, name


def test_before_the_upload_a_free_cell_is_a_blank_label_of_a_button_and_then_its_name() -> None:
    words = Words(ENGLISH_WORDS.language)
    first, *_ = nested_buttons(words)
    assert first["label"] == "\u200b"
    assert "emoji" not in first
    uploaded = Words(ENGLISH_WORDS.language, emojis={"a5": 7})
    first, *_ = nested_buttons(uploaded)
    assert first["emoji"] == {"name": "a5", "id": "7"}
    assert "label" not in first


def nested_buttons(words: Words) -> list[dict[str, Any]]:
    shown = Screen(TicTacToePresenter().board(played(5, 4, 0)))
    return [
        b
        for row in board_view(shown, stored(played(5, 4, 0)), words).to_components()
        for b in row["components"]
    ]


def test_the_rows_of_the_widest_board_stand_between_two_containers() -> None:
    board = TicTacToePresenter().board(played(5, 4, 3))
    told = Prose((text("board.not_begun"),))
    parts = board_view(
        Screen((told, *board, told)), stored(played(5, 4, 3)), ENGLISH_WORDS
    ).to_components()
    assert [part["type"] for part in parts] == [17, *[1] * 5, 17]


def test_the_line_below_a_board_names_the_cell_that_the_opponent_took() -> None:
    game = Session(GAME, GAME.settled({}), Pace.LIVE, PersonId(1), (ANN, BEN)).start()
    assert brief(since(game, 1), ENGLISH_WORDS) == [says("since.nothing")]
    for move, sign, cell in ((4, "❌", "b2"), (0, "⭕", "a3"), (8, "❌", "c1")):
        game = game.go_on(Move(move))
        told = says("tictactoe.since", emblem=sign, cell=cell)
        assert brief(since(game, 1), ENGLISH_WORDS) == [told]


def test_a_win_is_told_with_its_moves_and_a_draw_is_not() -> None:
    won, drawn = (0, 3, 1, 4, 2), (0, 1, 2, 4, 3, 5, 7, 6, 8)
    for moves, told in ((won, text("sentence.moves", count=3)), (drawn, None)):
        game = Session(GAME, GAME.settled({}), Pace.LIVE, PersonId(1), (ANN, BEN)).start()
        for move in moves:
            game = game.go_on(Move(move))
        assert game.phase is Phase.FINISHED
        assert TicTacToePresenter().sentence(game) == told
