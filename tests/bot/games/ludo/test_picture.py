"""Ludo's pictures: everything is on them, once, and can be told apart without seeing colours."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import combinations, product
from statistics import median
from typing import Final

import pytest

from bot.games.ludo.board.drawing import MARGIN, SIDES, SIZE, UNIT, cells, picture
from bot.games.ludo.board.spots import Group, InYard, OnRing, standing
from bot.games.ludo.board.sprites import INK, LOOKS, PAINTERS, PAPER, SPRITES
from bot.games.ludo.board.tiles import DICE, field_of, side_by_side
from bot.games.ludo.game_log import GameLog, LastMove
from bot.games.ludo.presenter import LudoPresenter
from bot.message.canvas import MARK, Point
from bot.message.text import Sprite
from engine.game import Options
from engine.games.ludo import GAME
from engine.games.ludo.board import FIELDS, Field, Square
from tests.bot.games.ludo.ludo_tables import TABLES, random_moves, random_positions, table
from tests.bot.games.pixels import close, contrast, decoded, linear, rgb, share

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

COLOURS: Final = ("red", "green", "yellow", "blue")
FILLED: Final = {
    *("home", "blue_red", "red_green", "green_yellow", "yellow_blue"),
    *(f"{colour}_home" for colour in COLOURS),
}
"""The triangles around the house and it, which have no corners of their own."""

every_table = pytest.mark.parametrize(("seats", "options"), TABLES, ids=str)


def middle_of(field: Field) -> Point:
    """The middle of a field on the picture."""
    row, column = field
    return SIDES + (column + 0.5) * UNIT, MARGIN + (row + 0.5) * UNIT


@pytest.mark.sampled(4)
@every_table
def test_every_token_has_its_colour_and_shape_where_the_position_has_it(
    seats: int, options: Options
) -> None:
    for position in random_positions(seats, options, 4, seed=7):
        size, look = decoded(picture(position))
        assert size == SIZE
        for where, groups in standing(position).items():
            middle = middle_of(field_of(where))
            for group, centre, radius in side_by_side(groups, middle, 0.43 * UNIT):
                paint = LOOKS[group.corner].paint
                assert share(look, centre, 0.9 * radius, paint) > 0.05, group


@pytest.mark.sampled(3)
@every_table
def test_the_picture_is_the_mosaic_of_the_same_tiles(seats: int, options: Options) -> None:
    session = table(seats, options, random_moves(seats, options, 90, seed=8), people=1)
    last = GameLog(session).last_moves(session)
    _, look = decoded(picture(session.position, last))
    mixed = {field_of(w) for w, groups in standing(session.position).items() if len(groups) > 1}
    for field, cell in cells(session.position, last).items():
        if field in mixed or not isinstance(cell, Sprite):
            continue
        _, tile = decoded(SPRITES[cell.name]())
        x, y = middle_of(field)
        spots = [(a / 8, b / 8) for a in range(-3, 4) for b in range(-3, 4)]
        apart = [
            math.dist(tile(48 + 96 * a, 48 + 96 * b)[:3], look(x + UNIT * a, y + UNIT * b))
            for a, b in spots
        ]
        assert median(apart) < 20, (field, cell.name)


def test_the_die_lies_in_the_yard_of_whose_turn_it_is() -> None:
    moves = random_moves(4, {}, 90, seed=2)
    rolled = next(
        p for n in range(10, 90) if (p := GAME.replay(4, {}, moves[:n])).die and not p.opening
    )
    _, look = decoded(picture(rolled))
    dice = [close(look(*middle_of(field)), LOOKS[c].tint) for c, field in enumerate(DICE)]
    assert [not bare for bare in dice] == [corner == rolled.seat for corner in range(4)]
    x, y = middle_of(DICE[rolled.seat])
    for across, down in product((-0.47, 0.47), repeat=2):
        corner = look(x + across * UNIT, y + down * UNIT)
        assert close(corner, LOOKS[rolled.seat].tint), "the yard shows around the die"


def test_the_last_move_is_marked_from_square_to_square() -> None:
    position = GAME.start(4, {})._replace(tokens=((21, 0, 0, 0), *[(0, 0, 0, 0)] * 3))
    last = (LastMove(0, InYard(0, 1), OnRing(Square(20))),)
    x, y = middle_of(FIELDS[20])
    corner = (x - 0.36 * UNIT, y - 0.36 * UNIT)
    _, look = decoded(picture(position, last))
    assert close(look(*corner), MARK)
    _, unmarked = decoded(picture(position))
    assert close(unmarked(*corner), "#ffffff")


@pytest.mark.sampled(4)
@every_table
def test_a_picture_is_small(seats: int, options: Options) -> None:
    for seed in range(4):
        session = table(seats, options, random_moves(seats, options, 150, seed=seed))
        assert len(LudoPresenter().picture(session)) < 60_000


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


@pytest.mark.parametrize("seeing", MACHADO)
def test_tokens_stand_out_from_every_ground_by_their_edge(seeing: str) -> None:
    for look in LOOKS:
        for ground in (look.field, look.tint):
            assert contrast(ground, INK) >= 3 or contrast(ground, PAPER) >= 3, seeing


def test_no_two_sprites_look_alike_and_all_are_small() -> None:
    pictures = {name: paint() for name, paint in SPRITES.items()}
    assert len(pictures) == len(set(pictures.values()))
    for name, png in pictures.items():
        (width, height), look = decoded(png)
        assert width == height == 96
        assert len(png) < 16_000, "of the 256 KiB that Discord takes"
        in_yard = re.fullmatch(f"({'|'.join(COLOURS)})(_[1-4]_yard|_place|_left_yard)?", name)
        whole = name in FILLED or bool(in_yard)
        assert (look(0, 0)[3] == 255) == whole, f"{name} has the round corners of other squares"


def test_tokens_without_a_ground_are_whole() -> None:
    for colour in COLOURS:
        for name in (f"{colour}_token", *(f"{colour}_{number}" for number in range(1, 5))):
            _, look = decoded(SPRITES[name]())
            edge = [
                look(*at)[3]
                for step in range(96)
                for at in ((step, 0), (step, 95), (0, step), (95, step))
            ]
            assert max(edge) == 0, f"{name} is cut off"


def test_the_faces_of_the_die_show_their_pips() -> None:
    for face in range(1, 7):
        _, look = decoded(SPRITES[f"die_{face}"]())
        dark = [[sum(look(x, y)[:3]) < 200 for x in range(12, 84)] for y in range(12, 84)]
        assert islands(dark) == face


def islands(dark: list[list[bool]]) -> int:
    """The number of connected dark areas."""
    found, left = (
        0,
        {(x, y) for y, row in enumerate(dark) for x, is_dark in enumerate(row) if is_dark},
    )
    while left:
        found += 1
        reached = [left.pop()]
        while reached:
            x, y = reached.pop()
            for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if near in left:
                    left.remove(near)
                    reached.append(near)
    return found


def test_a_stack_of_several_colours_has_all_numbers_in_the_picture() -> None:
    both = (Group(0, (1,)), Group(3, (2, 4)))
    position = GAME.start(4, {})._replace(
        tokens=((9, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 22, 0, 22))
    )
    assert standing(position)[OnRing(Square(8))] == both
    _, look = decoded(picture(position))
    for group, centre, radius in side_by_side(both, middle_of(FIELDS[8]), 0.43 * UNIT):
        inside = share(look, centre, 0.5 * radius, LOOKS[group.corner].paint)
        assert inside < 0.95, "a number covers some of its paint"
    assert "red_blue_safe" in PAINTERS
