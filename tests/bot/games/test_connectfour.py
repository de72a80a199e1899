"""Connect four as tiles, as a picture and in words: all say what the position says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from bot.games.connectfour.presenter import ConnectFourPresenter
from bot.games.connectfour.sprites import (
    BOARD_WIDE,
    DISCS,
    DISCS_PAINTS,
    HOLE,
    LAST,
    NUMBER_HIGH,
    NUMBERS,
    SIGN_PAINTS,
    SPRITES,
    WIDE,
    WON,
)
from bot.message.blocks import Control, Grid, Row
from bot.message.canvas import SIDE
from bot.message.text import Cell
from bot.screens.in_words import since
from bot.screens.tree import last_moves
from bot.table.seats import Human, PersonId
from bot.table.session import Phase, Session
from bot.ui.words import brief
from engine.games.connectfour import SIZES, winning_line
from tests.bot.english import ENGLISH_WORDS, says
from tests.bot.games.pixels import Rgb, contrast, decoded, linear, rgb
from tests.bot.kit import after_moves, at_random, new_game

PRESENTER = ConnectFourPresenter()
ANN, BEN = Human(PersonId(1)), Human(PersonId(2))
MIDDLE = SIDE / 2

every_size = pytest.mark.parametrize("size", SIZES)


def opened(size: str = SIZES[0]) -> Session:
    return new_game("connectfour", ANN, BEN, options={"size": size})


def played(session: Session, columns: str) -> Session:
    """The game after discs in the columns named, counted from 1."""
    return after_moves(session, *(int(column) - 1 for column in columns))


def tiles(session: Session) -> list[list[Cell]]:
    """The cells of the board, the lowest row first."""
    (grid,) = PRESENTER.drawing(session)
    assert isinstance(grid, Grid)
    numbers, *rows = grid.rows
    assert numbers == NUMBERS[: session.position.columns]
    return [list(row) for row in reversed(rows)]


def in_words(session: Session) -> list[str]:
    return [ENGLISH_WORDS.of(line) for line in PRESENTER.words(session)]


def buttons(session: Session) -> list[list[Control]]:
    return [[*block.controls] for block in PRESENTER.board(session) if isinstance(block, Row)]


@every_size
def test_the_tiles_show_every_disc_the_last_one_and_the_four(size: str) -> None:
    for seed in range(60):
        session = at_random(opened(size), Random(seed), seed)
        position, won = session.position, winning_line(session.position)
        last = session.moves[-1] if session.moves else None
        for row, line in enumerate(tiles(session)):
            for column, shown in enumerate(line):
                seat, cell = position.at(column, row), position.cell(column, row)
                on_top = column == last and row == position.height(column) - 1
                kind = WON if cell in won else LAST if on_top else DISCS
                assert shown == (HOLE if seat is None else kind[seat])


@every_size
def test_the_board_can_be_read_back_from_its_words(size: str) -> None:
    for seed in range(40):
        session = at_random(opened(size), Random(seed), seed)
        position = session.position
        said = in_words(session)[1 : 1 + position.columns]
        for column, line in enumerate(said):
            seats = [position.at(column, row) for row in range(position.height(column))]
            names = [says(("side.red", "side.yellow")[seat]) for seat in seats]
            discs = says("list.comma").join(names or [says("board.words.empty")])
            assert line == says("connectfour.words.column", number=column + 1, discs=discs)
        assert len("\n".join(in_words(session))) < 1_024


def test_words_say_whose_turn_it_is_or_which_cells_won() -> None:
    red, yellow = says("side.red"), says("side.yellow")
    assert in_words(opened())[0] == says("board.words.turn", side=red)
    assert in_words(played(opened(), "4"))[0] == says("board.words.turn", side=yellow)
    *_, four = told = in_words(played(opened(), "1526374"))
    assert told[0] == says("board.words.over")
    cells = [says("connectfour.words.move", column=column) for column in (4, 5, 6, 7)]
    assert in_words(played(opened(), "4556677"))[0] == says("board.words.turn", side=yellow)
    won = in_words(played(opened(), "4152637"))
    assert won[-1] == says(
        "board.words.won", side=red, cells=f"{', '.join(cells[:3])}, and {cells[3]}"
    )
    assert four == in_words(played(opened(), "1526374"))[-1]


@every_size
def test_the_columns_are_two_rows_of_buttons_and_full_ones_are_off(size: str) -> None:
    session = opened(size)
    columns, rows = session.position.columns, session.position.rows
    first, second = buttons(session)
    assert [len(first), len(second)] == {7: [4, 3], 8: [4, 4], 9: [5, 4]}[columns]
    labels = [ENGLISH_WORDS.of(each.label) for each in (*first, *second) if each.label]
    assert labels == [str(number + 1) for number in range(columns)]
    full = played(session, "2" * rows)
    every = [each for row in buttons(full) for each in row]
    assert [each.action for each in every if not each.enabled] == ["m1"]


def test_a_finished_board_and_a_replay_have_no_buttons() -> None:
    won = played(opened(), "1122334")
    assert won.phase is Phase.FINISHED
    assert buttons(won) == []
    assert PRESENTER.board(won) == PRESENTER.drawing(won)


def test_the_line_below_a_board_names_the_column_of_the_last_disc() -> None:
    game = opened()
    assert brief(since(game, 1), ENGLISH_WORDS) == [says("since.nothing")]
    for column, sign in (("4", "🔴"), ("4", "🟡")):
        game = played(game, column)
        told = says("connectfour.since", emblem=sign, column=column)
        assert brief(since(game, 1), ENGLISH_WORDS) == [told]


def test_a_long_game_has_no_search_tree_which_would_be_too_large() -> None:
    rng, session = Random(0), opened()
    while session.phase is Phase.RUNNING:
        low = [column for column in session.legal if column < 4]
        session = session.go_on(rng.choice(low or session.legal))
    assert last_moves(session) is None


def test_a_win_is_told_with_its_moves() -> None:
    won = PRESENTER.sentence(played(opened(), "1122334"))
    assert won is not None
    assert ENGLISH_WORDS.of(won) == says("sentence.moves", count=4)
    assert PRESENTER.sentence(opened()) is None


@every_size
def test_the_picture_is_made_of_the_tiles(size: str) -> None:
    session = at_random(opened(size), Random(3), 20)
    png = PRESENTER.picture(session)
    (width, height), look = decoded(png)
    columns, rows = session.position.columns, session.position.rows
    side = BOARD_WIDE // columns
    cut = round(side * (1 - NUMBER_HIGH) / 2)
    assert (width, height) == (WIDE, side * (rows + 1) - 2 * cut)
    assert len(png) < 100_000
    for row, line in enumerate(tiles(session)):
        for column, shown in enumerate(line):
            seat = (
                DISCS.index(shown) if shown in DISCS else LAST.index(shown) if shown in LAST else 2
            )
            x, y = (column + 0.5) * side, (rows - row + 0.5) * side - 2 * cut
            if seat < 2:
                assert look(x, y - side * 0.32)[:3] == rgb(DISCS_PAINTS[seat])


WEIGHTS = {
    "achromatopsia": ((0.2126, 0.7152, 0.0722),) * 3,
    "protanopia": ((0.1124, 0.8876, 0), (0.1124, 0.8876, 0), (0.004, -0.004, 1)),
    "deuteranopia": ((0.2927, 0.7073, 0), (0.2927, 0.7073, 0), (-0.0223, 0.0223, 1)),
}
"""The red, green and blue light that remains: lightness alone, or a dichromat's (F. Viénot,
H. Brettel and J. D. Mollon, "Digital video colourmaps for checking the legibility of displays by
dichromats", 1999)."""


def seen(pixel: Rgb, vision: str) -> tuple[float, ...]:
    """The light that a pixel is for an eye, 0-1."""
    light = [linear(value / 255) for value in pixel[:3]]
    return tuple(
        sum(weight * each for weight, each in zip(row, light, strict=True))
        for row in WEIGHTS[vision]
    )


def looks(name: str, vision: str) -> Iterator[tuple[float, ...]]:
    _, look = decoded(SPRITES[name]())
    for x in range(4, SIDE, 8):
        for y in range(4, SIDE, 8):
            yield seen(look(x, y), vision)


@pytest.mark.parametrize("vision", WEIGHTS)
def test_tiles_are_told_apart_without_seeing_colours(vision: str) -> None:
    names = [each.name for each in (HOLE, *DISCS, *LAST, *WON)]
    found = {name: [*looks(name, vision)] for name in names}
    for one, other in combinations(names, 2):
        pairs = zip(found[one], found[other], strict=True)
        apart = [max(abs(a - b) for a, b in zip(*pair, strict=True)) > 0.12 for pair in pairs]
        assert sum(apart) > len(apart) / 8, (one, other)


def test_the_sides_have_signs_that_are_seen_by_their_shape_alone() -> None:
    for seat, sprite in enumerate(DISCS):
        assert contrast(DISCS_PAINTS[seat], SIGN_PAINTS[seat]) > 4.5
        _, look = decoded(SPRITES[sprite.name]())
        disc, sign = rgb(DISCS_PAINTS[seat]), rgb(SIGN_PAINTS[seat])
        middle, beside = look(MIDDLE, MIDDLE)[:3], look(MIDDLE + 17, MIDDLE)[:3]
        assert (middle, beside) == ((sign, sign), (disc, sign))[seat], "a diamond, and a ring"
