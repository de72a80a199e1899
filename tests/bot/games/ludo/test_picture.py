"""Ludo's pictures: everything is on them, once, and can be told apart without seeing colours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Final

import pytest

from bot.games.ludo.board.layout import (
    FIELDS,
    LANES,
    SIDE,
    UNIT,
    Placement,
    Point,
    middle_of,
    placements,
)
from bot.games.ludo.board.picture import picture
from bot.games.ludo.board.spots import InYard, OnRing
from bot.games.ludo.board.sprites import SPRITES
from bot.games.ludo.board.tokens import LOOKS, MARK
from bot.games.ludo.game_log import LastMove
from bot.games.ludo.presenter import LudoPresenter
from engine.game import Options
from engine.games.ludo import GAME, Position
from engine.games.ludo.board import HOME, LAST_ON_RING, YARD, Square, ring_square
from tests.bot.games.ludo.ludo_tables import TABLES, random_moves, random_positions, table
from tests.bot.games.pixels import contrast, decoded, linear, rgb, share

MACHADO: Final = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
                   (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
                     (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
                   (0.004733, 0.691367, 0.303900)),
}  # fmt: skip
"""Gustavo Machado, Manuel Oliveira and Leandro Fernandes, "A Physiologically-based Model for
Simulation of Color Vision Deficiency", 2009: what is seen, of linear RGB, at severity 1."""

YARDS: Final = ((0, 9), (9, 9), (9, 0), (0, 0))
"""The upper left field of each corner's yard of six by six, by corner."""

every_table = pytest.mark.parametrize(("seats", "options"), TABLES, ids=str)


def test_the_ring_of_the_square_board_is_closed_and_has_the_usual_places() -> None:
    assert len(set(FIELDS)) == 52
    for (row, column), (next_row, next_column) in pairwise([*FIELDS, FIELDS[0]]):
        assert max(abs(row - next_row), abs(column - next_column)) == 1
    assert [FIELDS[square] for square in (0, 13, 26, 39)] == [(1, 8), (8, 13), (13, 6), (6, 1)]
    assert [FIELDS[square] for square in (8, 21, 34, 47)] == [(6, 12), (12, 8), (8, 2), (2, 6)]
    assert [FIELDS[square] for square in (50, 11, 24, 37)] == [(0, 7), (7, 14), (14, 7), (7, 0)]
    assert [(lane[0], lane[-1]) for lane in LANES] == [
        ((1, 7), (5, 7)), ((7, 13), (7, 9)), ((13, 7), (9, 7)), ((7, 1), (7, 5)),
    ]  # fmt: skip
    assert not set(FIELDS) & {field for lane in LANES for field in lane}


def field_at(placed: Placement) -> tuple[int, int]:
    x, y = placed.centre
    return int(y / UNIT), int(x / UNIT)


@every_table
def test_every_token_is_placed_exactly_once_where_the_position_has_it(
    seats: int, options: Options
) -> None:
    for position in random_positions(seats, options, 2_000, seed=5):
        where = {
            (placed.group.corner, number): field_at(placed)
            for placed in placements(position)
            for number in placed.group.numbers
        }
        assert len(where) == sum(len(placed.group.numbers) for placed in placements(position))
        assert len(where) == seats * position.table.rules.tokens
        for corner, own in zip(position.table.corners, position.tokens, strict=True):
            for number, progress in enumerate(own, 1):
                assert stands(corner, progress, where[corner, number])


def stands(corner: int, progress: int, field: tuple[int, int]) -> bool:
    """Whether a token that has come so far belongs there."""
    square = ring_square(corner, progress)
    if square is not None:
        return field == FIELDS[square]
    if progress == YARD:
        top, left = YARDS[corner]
        return 0 <= field[0] - top < 6 and 0 <= field[1] - left < 6
    if progress < HOME:
        return field == LANES[corner][progress - LAST_ON_RING - 1]
    return field in {(6, 7), (7, 8), (8, 7), (7, 6)}


@every_table
def test_no_token_hides_another(seats: int, options: Options) -> None:
    for position in random_positions(seats, options, 500, seed=6):
        for one, other in combinations(placements(position), 2):
            apart = math.dist(one.centre, other.centre)
            assert apart > 0.9 * (one.radius + other.radius)


@every_table
def test_every_token_has_its_colour_where_it_is_placed(seats: int, options: Options) -> None:
    for position in random_positions(seats, options, 3, seed=7):
        size, look = decoded(picture(position, None))
        assert size == (SIDE, SIDE)
        for placed in placements(position):
            colours = LOOKS[placed.group.corner]
            reach = 0.6 * placed.radius
            assert share(look, placed.centre, reach, colours.paint) > 0.25, placed
            assert share(look, placed.centre, reach, colours.number) > 0.01, placed


def die_at(position: Position, corner: int, middle: Point) -> bool:
    """Whether a die lies there: around its middle the yard's own paint is not to be seen."""
    _, look = decoded(picture(position, None))
    x, y = middle
    around = [look(x + 0.15 * UNIT, y), look(x, y + 0.15 * UNIT)]
    return all(pixel != rgb(LOOKS[corner].pale) for pixel in around)


def test_the_die_lies_in_the_yard_of_whose_turn_it_is() -> None:
    started = GAME.replay(4, {}, random_moves(4, {}, 9, seed=2))
    yards = [middle_of((top + 2.5, left + 2.5)) for top, left in YARDS]
    dice = [die_at(started, corner, middle) for corner, middle in enumerate(yards)]
    assert dice == [corner == started.seat for corner in range(4)]


def test_the_last_move_is_marked_from_square_to_square() -> None:
    position = GAME.start(4, {})
    last = LastMove(InYard(0, 1), OnRing(Square(20)))
    _, look = decoded(picture(position, last))
    assert look(*middle_of(FIELDS[20])) == rgb(MARK)
    _, unmarked = decoded(picture(position, None))
    assert unmarked(*middle_of(FIELDS[20])) == (255, 255, 255)


@every_table
def test_a_picture_is_small(seats: int, options: Options) -> None:
    session = table(seats, options, random_moves(seats, options, 150, seed=8))
    assert len(LudoPresenter().picture(session)) < 100_000


def lab(light: Sequence[float]) -> tuple[float, float, float]:
    """CIELAB of linear sRGB, seen in daylight (D65)."""
    red, green, blue = (min(max(value, 0.0), 1.0) for value in light)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    a, b, c = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * b - 16, 500 * (a - b), 200 * (b - c)


@pytest.mark.parametrize("seeing", MACHADO)
def test_the_colours_keep_apart_for_every_way_of_seeing(seeing: str) -> None:
    seen = []
    for look in LOOKS:
        light = [linear(value / 255) for value in rgb(look.paint)]
        seen.append(
            lab(
                [
                    sum(weight * value for weight, value in zip(row, light, strict=True))
                    for row in MACHADO[seeing]
                ]
            )
        )
    assert min(math.dist(one, other) for one, other in combinations(seen, 2)) > 25


def test_numbers_stand_out_from_the_paint_of_their_token() -> None:
    for look in LOOKS:
        assert contrast(look.paint, look.number) >= 4.5


def test_there_is_a_sprite_for_everything_that_the_board_may_show() -> None:
    pictures = {name: paint() for name, paint in SPRITES.items()}
    assert len(pictures) == len(set(pictures.values())) == 142
    for name, png in pictures.items():
        (width, height), look = decoded(png)
        assert width == height == 96
        assert len(png) < 16_000, "of the 256 KiB that Discord takes"
        assert look(0, 0)[3] == 0, f"{name} is not transparent around its shape"
        edge = [
            look(*at)[3]
            for step in range(96)
            for at in ((step, 0), (step, 95), (0, step), (95, step))
        ]
        assert max(edge) == 0 or name.endswith("_m"), f"{name} is cut off"
