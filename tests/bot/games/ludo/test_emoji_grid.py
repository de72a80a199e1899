"""Ludo's board as emoji: everything is on it, once, and it fits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import pytest

from bot.games.ludo.board.emoji_grid import every_group, grids, sprite
from bot.games.ludo.board.spots import Group, InYard, OnRing
from bot.games.ludo.game_log import GameLog, LastMove
from bot.games.ludo.words.caption import legend
from bot.message.blocks import Cell, Grid, Sprite
from bot.table.session import Session
from engine.game import CHANCE, Move, Options
from engine.games.ludo import GAME, Position
from engine.games.ludo.board import HOME, LAST_ON_RING, YARD, Square, ring_square
from engine.games.ludo.cross import FIELDS, LANES, Field
from tests.bot.games.ludo.ludo_tables import (
    ENGLISH_WORDS,
    TABLES,
    random_moves,
    random_positions,
    table,
)

DRAWING = """
⬛⬛⬛⬛⬜⬜⬜⬛⬛⬛⬛
⬛⬛⬛⬛⬜🟥🟥⬛⬛⬛⬛
⬛⬛⬛⬛⭐🟥⬜⬛⬛⬛⬛
⬛⬛⬛⬛⬜🟥⬜⬛⬛⬛⬛
⬛⬛⬛⬛⬜🟥⬜⬛⬛⬛⬛
⬛⬛⬛⬛⬜🟥⬜⬛⬛⬛⬛
⬛⬛⬛⬛⬜⬛⬜⬛⬛⬛⬛
⬛⬛⬛⬛⬜⬛⬜⬛⬛⬛⬛
⬜🟦⬜⬜🟦⬛⬛⬜⭐⬜⬜
⬜🟦🟦🟦🟦🏠🟩🟩🟩🟩⬜
⬜⬜⭐⬜⬛⬛🟩⬜⬜🟩⬜
⬛⬛⬛⬛⬜⬛⬜⬛⬛⬛⬛
⬛⬛⬛⬛⬜⬛⬜⬛⬛⬛⬛
⬛⬛⬛⬛⬜🟨⬜⬛⬛⬛⬛
⬛⬛⬛⬛⬜🟨⬜⬛⬛⬛⬛
⬛⬛⬛⬛⬜🟨⬜⬛⬛⬛⬛
⬛⬛⬛⬛⬜🟨⭐⬛⬛⬛⬛
⬛⬛⬛⬛🟨🟨⬜⬛⬛⬛⬛
⬛⬛⬛⬛⬜⬜⬜⬛⬛⬛⬛
"""
EMPTY: Final = [list(row) for row in DRAWING.split()]

YARDS: Final = {
    "r": (range(8), range(7, 11)),
    "g": (range(11, 19), range(7, 11)),
    "y": (range(11, 19), range(4)),
    "b": (range(8), range(4)),
}
COLOURS: Final = {"🔴": "r", "🟢": "g", "🟡": "y", "🔵": "b"}
PLACES: Final = {
    "the red start 🟥": 0, "the right ⭐": 8, "the green start 🟩": 13, "the bottom ⭐": 21,
    "the yellow start 🟨": 26, "the left ⭐": 34, "the blue start 🟦": 39, "the top ⭐": 47,
}  # fmt: skip

Where: TypeAlias = Field | Literal["yard", "home"]

every_table = pytest.mark.parametrize(("seats", "options"), TABLES, ids=str)


def cells(drawn: tuple[Grid, Grid]) -> Iterator[tuple[Field, Cell]]:
    for row, shown in enumerate([*drawn[0].rows, *drawn[1].rows]):
        for column, cell in enumerate(shown):
            yield (row, column), cell


def fields_of(position: Position) -> dict[str, Where]:
    """Where each token has to be, like r1, by the page on the rules: a field, "yard" or "home"."""
    found: dict[str, Where] = {}
    for corner, own in zip(position.table.corners, position.tokens, strict=True):
        for number, progress in enumerate(own, 1):
            square = ring_square(corner, progress)
            where: Where = "yard" if progress == YARD else "home"
            if square is not None:
                where = FIELDS[square]
            elif LAST_ON_RING < progress < HOME:
                where = LANES[corner][progress - LAST_ON_RING - 1]
            found[f"{'rgyb'[corner]}{number}"] = where
    return found


def tokens_of(name: str) -> list[str]:
    parsed = re.fullmatch(r"ludo_([rgyb])([1-4]+)(?:_m)?", name)
    return [f"{parsed[1]}{number}" for number in parsed[2]] if parsed else []


def told_in(lines: list[str]) -> dict[Field, list[str]]:
    """Who stands on the squares of several colours, read from what players read."""
    found = {}
    for line in lines:
        if told := re.fullmatch(r"-# On (.+?): (.+)", line):
            square = PLACES.get(told[1])
            if square is None:
                square = int(told[1].removeprefix("square ")) - 1
            found[FIELDS[square]] = [
                f"{COLOURS[sign]}{number}"
                for sign, numbers in re.findall(r"(\S) ([\d ]+)", told[2])
                for number in numbers.split()
            ]
    return found


def written(position: Position) -> list[str]:
    return [ENGLISH_WORDS.of(line) for line in legend(position)]


def read(position: Position) -> Counter[tuple[str, Field]]:
    """Every token that is drawn, with the field where."""
    drawn: Counter[tuple[str, Field]] = Counter()
    told = told_in(written(position))
    for field, cell in cells(grids(position, None)):
        if isinstance(cell, Sprite):
            tokens = tokens_of(cell.name) or told.pop(field)
            drawn.update((token, field) for token in tokens)
            if not tokens_of(cell.name):
                assert cell.name == f"ludo_{''.join(dict.fromkeys(token[0] for token in tokens))}"
    assert not told
    return drawn


def test_the_board_is_the_one_that_the_page_on_the_rules_draws() -> None:
    for field, cell in cells(grids(GAME.start(4, {}), None)):
        if isinstance(cell, Sprite):
            assert EMPTY[field[0]][field[1]] == "⬛"
        else:
            assert cell == EMPTY[field[0]][field[1]]


@every_table
def test_every_token_is_drawn_exactly_once_where_the_position_has_it(
    seats: int, options: Options
) -> None:
    for position in random_positions(seats, options, 2_000):
        drawn = read(position)
        assert set(drawn.values()) == {1}
        where = dict(drawn.keys())
        for token, field in fields_of(position).items():
            row, column = where[token]
            if field == "yard":
                rows, columns = YARDS[token[0]]
                assert row in rows
                assert column in columns
                assert EMPTY[row][column] == "⬛"
            elif field == "home":
                assert max(abs(row - 9), abs(column - 5)) == 1, "beside the house"
                assert EMPTY[row][column] == "⬛"
            else:
                assert (row, column) == field


@every_table
def test_the_squares_without_tokens_stay_as_they_are(seats: int, options: Options) -> None:
    bare: dict[Field, Cell] = {}
    for position in random_positions(seats, options, 300):
        for field, cell in cells(grids(position, None)):
            if isinstance(cell, str):
                assert bare.setdefault(field, cell) == cell
    assert set(bare) == {(row, column) for row in range(19) for column in range(11)}


@every_table
def test_no_grid_has_a_row_wider_than_11_or_200_emoji(seats: int, options: Options) -> None:
    for position in random_positions(seats, options, 300):
        for grid in grids(position, None):
            assert {len(row) for row in grid.rows} == {11}
            assert 11 * len(grid.rows) < 200


def test_every_emoji_of_the_board_is_a_single_code_point() -> None:
    position = GAME.start(4, {})
    last = LastMove(InYard(0, 1), OnRing(Square(0)))
    shown = [cell for _, cell in cells(grids(position, last))]
    signs = {cell.fallback if isinstance(cell, Sprite) else cell for cell in shown}
    assert {
        len(sign) for sign in signs | {sprite(groups).fallback for groups in every_group()}
    } == {1}


def test_two_tokens_of_one_seat_share_a_sprite_with_both_numbers() -> None:
    assert sprite((Group(1, (2, 4)),)) == Sprite("ludo_g24", "🟢")


def test_tokens_of_two_seats_share_a_sprite_with_both_colours() -> None:
    assert sprite((Group(0, (1,)), Group(3, (2, 4)))) == Sprite("ludo_rb", "🟣")


def test_a_sprites_name_is_one_that_discord_takes_and_stands_for_one_thing() -> None:
    names = [
        sprite(groups, marked=marked).name for groups in every_group() for marked in (False, True)
    ]
    assert len(names) == len(set(names)) == 2 * (4 * 15 + 11)
    assert all(re.fullmatch(r"[a-z0-9_]{2,32}", name) for name in names)


def test_stars_that_are_not_safe_are_not_drawn() -> None:
    shown = [cell for _, cell in cells(grids(GAME.start(4, {"stars_safe": "no"}), None))]
    assert "⭐" not in shown


def test_a_lane_of_slots_has_as_many_squares_as_tokens() -> None:
    quick_slots = GAME.start(4, {"tokens": 2, "lane": "slots"})
    shown = Counter(cell for _, cell in cells(grids(quick_slots, None)))
    assert shown["🟥"] == shown["🟦"] == 1 + 2


@every_table
def test_the_last_move_is_marked_where_it_ended_and_where_it_began(
    seats: int, options: Options
) -> None:
    for seed in range(8):
        session = table(seats, options, random_moves(seats, options, 40 + 11 * seed, seed=seed))
        shown = dict(cells(grids(session.position, GameLog(session).last_move())))
        marked = {
            token: field
            for field, cell in shown.items()
            if isinstance(cell, Sprite) and cell.name.endswith("_m")
            for token in tokens_of(cell.name) or told_in(written(session.position))[field]
        }
        orange = [field for field, cell in shown.items() if cell == "🟧"]
        token, came_from = last_step(session)
        assert token in marked
        assert len(set(marked.values())) == 1
        if came_from == "yard":
            rows, columns = YARDS[token[0]]
            assert all(row in rows and column in columns for row, column in orange)
            assert len(orange) == 1
        else:
            assert came_from != "home"
            left_empty = not isinstance(shown[came_from], Sprite)
            assert orange == ([came_from] if left_empty else [])


def test_nothing_is_marked_once_the_token_that_moved_last_was_sent_back() -> None:
    two_sixes = tuple(map(Move, (6, 1, 6, 0, 6, 0)))
    options = {"third_six": "token back"}
    assert GameLog(table(2, options, two_sixes)).last_move() is not None
    assert GameLog(table(2, options, (*two_sixes, Move(6)))).last_move() is None


def last_step(session: Session) -> tuple[str, Where]:
    """The token that moved last, and where it came from, told forwards from the start."""
    position, found = GAME.start(len(session.seats), session.options), None
    for move in session.moves:
        if position.turn != CHANCE:
            token = f"{'rgyb'[position.table.corners[position.owner]]}{move + 1}"
            found = token, fields_of(position)[token]
        position = position.play(move)
    assert found is not None
    return found
