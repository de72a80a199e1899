"""Ludo's board as emoji: everything is on it, once, and it fits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, Literal, TypeAlias

import pytest

from bot.games.ludo.board.drawing import cells, grids
from bot.games.ludo.board.spots import Group, InYard, OnRing
from bot.games.ludo.board.sprites import SPRITES
from bot.games.ludo.board.tiles import NESTS, YARDS, Ground, token_tile
from bot.games.ludo.game_log import GameLog, LastMove
from bot.games.ludo.presenter import LudoPresenter
from bot.message.text import Cell, Sprite
from bot.table.session import Session
from engine.game import CHANCE, Move, Options, Seat
from engine.games.ludo import GAME, LudoPosition
from engine.games.ludo.board import (
    FIELDS,
    HOME,
    LANES,
    LAST_ON_RING,
    YARD,
    Field,
    Square,
    ring_square,
)
from tests.bot.games.ludo.ludo_tables import (
    ANN,
    ROBOT,
    TABLES,
    random_moves,
    random_positions,
    standing_at,
    table,
)
from tests.samples import Sample

DRAWING = """
⬛⬛⬛⬛⬛⬜⬜⬜⬛⬛⬛⬛⬛
⬛⬛⬛⬛⬛⬜🟥🟥⬛⬛⬛⬛⬛
⬛⬛⬛⬛⬛⭐🟥⬜⬛⬛⬛⬛⬛
⬛⬛⬛⬛⬛⬜🟥⬜⬛⬛⬛⬛⬛
⬛⬛⬛⬛⬛⬜🟥⬜⬛⬛⬛⬛⬛
⬛⬛⬛⬛⬛⬜🟥⬜⬛⬛⬛⬛⬛
⬛⬛⬛⬛⬛⬜⬛⬜⬛⬛⬛⬛⬛
⬜🟦⬜⬜⬜⬛⬛⬛⬜⬜⭐⬜⬜
⬜🟦🟦🟦🟦🟦🏠🟩🟩🟩🟩🟩⬜
⬜⬜⭐⬜⬜⬛⬛⬛⬜⬜⬜🟩⬜
⬛⬛⬛⬛⬛⬜⬛⬜⬛⬛⬛⬛⬛
⬛⬛⬛⬛⬛⬜🟨⬜⬛⬛⬛⬛⬛
⬛⬛⬛⬛⬛⬜🟨⬜⬛⬛⬛⬛⬛
⬛⬛⬛⬛⬛⬜🟨⬜⬛⬛⬛⬛⬛
⬛⬛⬛⬛⬛⬜🟨⭐⬛⬛⬛⬛⬛
⬛⬛⬛⬛⬛🟨🟨⬜⬛⬛⬛⬛⬛
⬛⬛⬛⬛⬛⬜⬜⬜⬛⬛⬛⬛⬛
"""
"""The drawing of the page on the rules, with ⬛ for yards and for the house's triangles."""
SKELETON: Final = [list(row) for row in DRAWING.split()]

YARD_FIELDS: Final = {
    letter: {(row, column) for row in range(top, top + 7) for column in range(left, left + 5)}
    for letter, (top, left) in zip("rgyb", ((0, 8), (10, 8), (10, 0), (0, 0)), strict=True)
}
LETTERS: Final = "rgyb"
NAMES: Final = "red|green|yellow|blue"
COLOURS: Final = dict(zip(LETTERS, NAMES.split("|"), strict=True))
SQUARES: Final = {"r": "🟥", "g": "🟩", "y": "🟨", "b": "🟦"}
SIGNS: Final = {"r": "🔴", "g": "🟢", "y": "🟡", "b": "🔵"}

Where: TypeAlias = Field | Literal["yard", "home"]

every_table = pytest.mark.parametrize(("seats", "options"), TABLES, ids=str)


def shown(cell: Cell) -> str:
    """The emoji that a client without Parlour's own draws."""
    return cell.fallback if isinstance(cell, Sprite) else cell


def fields_of(position: LudoPosition) -> dict[str, Where]:
    """The place of each token, like r1, by the page on the rules: a field, "yard" or "home"."""
    found: dict[str, Where] = {}
    for corner, own in zip(position.table.corners, position.tokens, strict=True):
        for number, progress in enumerate(own, 1):
            square = ring_square(corner, progress)
            where: Where = "yard" if progress == YARD else "home"
            if square is not None:
                where = FIELDS[square]
            elif LAST_ON_RING < progress < HOME:
                where = LANES[corner][progress - LAST_ON_RING - 1]
            found[f"{LETTERS[corner]}{number}"] = where
    return found


def tokens_of(cell: Cell) -> list[str]:
    """The tokens on a tile by name, like r1; of several colours, the colours."""
    name = cell.name if isinstance(cell, Sprite) else ""
    if single := re.fullmatch(
        rf"({NAMES})((?:_and|_[1-4])+)(?:_path|_safe|_home|_yard|_moved)", name
    ):
        return [f"{single[1][0]}{number}" for number in re.findall("[1-4]", single[2])]
    several = re.fullmatch(rf"((?:(?:{NAMES})_){{2,4}})(?:path|safe|moved)", name)
    return [colour[0] for colour in several[1].split("_") if colour] if several else []


def tokens_on(position: LudoPosition) -> Iterator[tuple[str, Field]]:
    for field, cell in cells(position).items():
        yield from ((token, field) for token in tokens_of(cell))


def test_the_ring_has_52_squares_of_which_neighbours_touch_and_the_usual_places() -> None:
    assert len(set(FIELDS)) == 52
    for (row, column), (next_row, next_column) in pairwise([*FIELDS, FIELDS[0]]):
        assert max(abs(row - next_row), abs(column - next_column)) == 1
    assert [FIELDS[13 * corner] for corner in range(4)] == [(1, 7), (9, 11), (15, 5), (7, 1)]
    stars = [FIELDS[13 * corner + 8] for corner in range(4)]
    assert stars == [(7, 10), (14, 7), (9, 2), (2, 5)]
    assert [[*lane] for lane in LANES] == [
        [(row, 6) for row in range(1, 6)],
        [(8, column) for column in range(11, 6, -1)],
        [(row, 6) for row in range(15, 10, -1)],
        [(8, column) for column in range(1, 6)],
    ]


def test_before_the_upload_the_board_is_the_one_that_the_page_on_the_rules_draws() -> None:
    position = GAME.start(4, {})
    yards = set().union(*YARD_FIELDS.values())
    for (row, column), cell in cells(position).items():
        if (row, column) not in yards and SKELETON[row][column] != "⬛":
            assert shown(cell) == SKELETON[row][column]
    assert sum(row.count("⬛") for row in SKELETON) == 4 * 35 + 8


@pytest.mark.sampled(3)
@every_table
def test_every_token_is_drawn_exactly_once_where_the_position_has_it(
    seats: int, options: Options, sample: Sample
) -> None:
    for position in sample(random_positions(seats, options, 600), 200):
        wanted: Counter[tuple[str, Field]] = Counter()
        mixed = Counter(w for w in {(t[0], w) for t, w in fields_of(position).items()})
        shared = Counter(where for _, where in mixed)
        for token, where in fields_of(position).items():
            if where in {"yard", "home"}:
                continue
            assert not isinstance(where, str)
            wanted[token if shared[where] == 1 else token[0], where] = 1
        drawn = Counter(tokens_on(position))
        for (token, field), times in (drawn - wanted).items():
            assert times == 1
            in_yard = fields_of(position)[token] == "yard"
            if in_yard:
                corner = LETTERS.index(token[0])
                assert field == NESTS[corner][int(token[1]) - 1]
                assert field in YARD_FIELDS[token[0]]
            else:
                assert fields_of(position)[token] == "home"
                assert 7 <= field[0] <= 9
                assert 5 <= field[1] <= 7
        assert not wanted - drawn
        apart = {token for token, where in fields_of(position).items() if isinstance(where, str)}
        assert len(drawn) == len(wanted) + len(apart)


@pytest.mark.sampled(3)
@every_table
def test_a_tile_shows_what_its_tokens_stand_on(
    seats: int, options: Options, sample: Sample
) -> None:
    for position in sample(random_positions(seats, options, 300, seed=3), 100):
        safe = {FIELDS[square] for square in position.table.safe}
        for field, cell in cells(position).items():
            tokens = tokens_of(cell)
            if not tokens:
                continue
            assert isinstance(cell, Sprite)
            own = 13 * LETTERS.index(tokens[0][0])
            *_, ground = cell.name.split("_")
            if field in YARD_FIELDS[tokens[0][0]]:
                assert ground == "yard"
            elif field not in FIELDS or (field == FIELDS[own] and len({t[0] for t in tokens}) < 2):
                assert ground == "home"
            else:
                assert ground == ("safe" if field in safe else "path")


@pytest.mark.sampled(3)
@every_table
def test_there_is_a_sprite_for_everything_that_the_board_shows(
    seats: int, options: Options, sample: Sample
) -> None:
    for seed in sample(range(20), 8):
        session = table(seats, options, random_moves(seats, options, 30 + 9 * seed, seed=seed))
        last = GameLog(session).last_moves(session)
        drawn = {c for c in cells(session.position, last).values() if isinstance(c, Sprite)}
        drawn |= {cell for cell in cells(session.position).values() if isinstance(cell, Sprite)}
        assert {cell.name for cell in drawn} <= SPRITES.keys()
    for position in sample(random_positions(seats, options, 500, seed=4), 200):
        drawn = {cell for cell in cells(position).values() if isinstance(cell, Sprite)}
        assert {cell.name for cell in drawn} <= SPRITES.keys()


@pytest.mark.sampled(3)
@every_table
def test_no_grid_has_a_row_wider_than_13_or_200_emoji(
    seats: int, options: Options, sample: Sample
) -> None:
    for position in sample(random_positions(seats, options, 300), 100):
        for grid in grids(position):
            assert {len(row) for row in grid.rows} == {13}
            assert 13 * len(grid.rows) < 200
        assert [len(grid.rows) for grid in grids(position)] == [7, 3, 7]


def test_yards_have_floors_of_their_own_inside_of_edges_that_common_emoji_draw() -> None:
    rows = [row for grid in grids(GAME.start(4, {})) for row in grid.rows]
    for letter, (top, left) in zip(LETTERS, YARDS, strict=True):
        edge = [
            rows[top + r][left + c]
            for r in range(7)
            for c in range(5)
            if r in {0, 1, 5, 6} or c in {0, 4}
        ]
        assert set(edge) == {SQUARES[letter]}
        floor = [rows[top + r][left + c] for r in range(2, 5) for c in range(1, 4)]
        assert all(isinstance(cell, Sprite) for cell in floor)
    assert {rows[row][6] for row in range(1, 7)} == {"🟥"}, "the lane reaches home"
    assert {rows[row][6] for row in range(10, 16)} == {"🟨"}


def test_every_emoji_of_the_board_is_a_single_code_point() -> None:
    position = GAME.replay(4, {}, random_moves(4, {}, 90, seed=1))
    last = (LastMove(0, InYard(0, 1), OnRing(Square(0))),)
    assert {len(shown(cell)) for cell in cells(position, last).values()} == {1}


def test_two_tokens_of_one_seat_share_a_tile_with_both_numbers() -> None:
    assert token_tile((Group(1, (2, 4)),), Ground.WHITE) == Sprite("green_2_and_4_path", "🟢")


def test_tokens_of_two_seats_share_a_tile_with_both_shapes() -> None:
    both = (Group(0, (1,)), Group(3, (2, 4)))
    assert token_tile(both, Ground.SAFE) == Sprite("red_blue_safe", "🟣")


def test_the_names_of_sprites_are_ones_that_discord_takes_and_they_are_few() -> None:
    assert all(re.fullmatch("[a-z][a-z0-9_]{1,31}", name) for name in SPRITES)
    said = {word for name in SPRITES for word in name.split("_") if not word.isdigit()}
    assert said <= {
        *COLOURS.values(),
        *("token", "and", "path", "safe", "yard", "moved", "left", "star", "start", "lane"),
        *("home", "place", "die"),
    }, "words that are read out"
    assert len(SPRITES) <= 400, "of the 2,000 that an application may have"


def test_stars_that_are_not_safe_are_not_drawn() -> None:
    drawn = {shown(cell) for cell in cells(GAME.start(4, {"stars_safe": "no"})).values()}
    assert "⭐" not in drawn


def test_a_lane_of_slots_has_as_many_squares_as_tokens() -> None:
    drawn = cells(GAME.start(4, {"tokens": 2, "lane": "slots"}))
    for corner, lane in enumerate(LANES):
        names = [cell.name for cell in map(drawn.get, lane) if isinstance(cell, Sprite)]
        colour = COLOURS[LETTERS[corner]]
        assert names == [f"{colour}_lane"] * 2 + [f"{colour}_home"] * 3


def test_a_yard_has_a_place_for_each_token() -> None:
    for tokens in (1, 2, 4):
        drawn = cells(GAME.start(2, {"tokens": tokens}))
        for letter, (top, left) in zip(LETTERS, YARDS, strict=True):
            yard = [drawn[top + row, left + column] for row in range(7) for column in range(5)]
            floor = Sprite(COLOURS[letter], SQUARES[letter])
            assert sum(cell != floor for cell in yard) == 35 - 9 + tokens


def test_the_die_lies_in_the_yard_of_whose_turn_it_is_and_shows_what_was_rolled() -> None:
    rolled = 0
    for position in random_positions(4, {}, 200, seed=9):
        dice = {
            field: cell
            for field, cell in cells(position).items()
            if isinstance(cell, Sprite) and cell.name.startswith("die")
        }
        if not position.die:
            assert not dice
            continue
        ((field, die),) = dice.items()
        assert die.name == f"die_{position.die}"
        assert field in YARD_FIELDS[LETTERS[position.table.corners[position.seat]]]
        rolled += 1
    assert rolled > 50


@pytest.mark.sampled(6)
@every_table
def test_the_last_move_of_every_seat_since_the_movers_own_is_marked(
    seats: int, options: Options
) -> None:
    for seed in range(12):
        moves = random_moves(seats, options, 40 + 11 * seed, seed=seed)
        session = table(seats, options, moves, people=1)
        drawn = cells(session.position, GameLog(session).last_moves(session))
        marked = {
            field
            for field, cell in drawn.items()
            if isinstance(cell, Sprite) and cell.name.endswith("_moved")
        }
        traces = {
            field: cell.name
            for field, cell in drawn.items()
            if isinstance(cell, Sprite) and "_left_" in cell.name
        }
        steps = steps_to_mark(session)
        now = fields_of(session.position)
        assert marked == {field_now(now, token) for token, _ in steps}
        for token, came_from in steps:
            if isinstance(came_from, str):
                corner = LETTERS.index(token[0])
                field = NESTS[corner][int(token[1]) - 1]
            else:
                field = came_from
            if not tokens_of(drawn[field]):
                assert field in traces
        assert len(traces) <= len(steps)


def field_now(now: dict[str, Where], token: str) -> Field:
    where = now[token]
    homes = {"r": (7, 6), "g": (9, 7), "y": (9, 6), "b": (7, 5)}
    return homes[token[0]] if isinstance(where, str) else where


def steps_to_mark(session: Session) -> list[tuple[str, Where]]:
    """The last move of each seat in the latest round, from the start on.

    Moves of tokens that have been sent back since are left out.
    """
    position = GAME.start(len(session.seats), session.options)
    turns: list[tuple[int, list[tuple[str, Where, Where]]]] = []
    for move in session.moves:
        seat, opening = position.seat, position.opening
        if not opening and (not turns or turns[-1][0] != seat):
            turns.append((seat, []))
        if position.turn != CHANCE:
            token = f"{LETTERS[position.table.corners[position.owner]]}{move + 1}"
            before = fields_of(position)[token]
            position = position.play(move)
            turns[-1][1].append((token, before, fields_of(position)[token]))
        else:
            position = position.play(move)
    mover = session.turn if session.turn == Seat(0) else None
    found, seen = [], set[int]()
    for whose, steps in reversed(turns):
        if whose in seen or (whose == mover and seen):
            break
        seen.add(whose)
        standing = fields_of(session.position)
        if steps and standing[steps[-1][0]] == steps[-1][2]:
            found.append((steps[-1][0], steps[-1][1]))
    return found


def test_a_person_sees_marked_what_every_computer_has_done_meanwhile() -> None:
    moves = [Move(6), Move(1), Move(1)]
    position = GAME.replay(3, {}, tuple(moves))
    assert position.seat == 0
    for pips, tokens in ((6, 1), (3, 1), (6, 1), (2, 1), (6, 1), (4, 1)):
        moves.append(Move(pips))
        position = position.play(Move(pips))
        moves += [Move(0)] * tokens
        position = position.play(Move(0))
    session = standing_at(position, (ANN, ROBOT, ROBOT), {}, tuple(moves))
    assert session.turn == Seat(0)
    last = GameLog(session).last_moves(session)
    assert [move.corner for move in last] == [2, 1]
    drawn = cells(position, last)
    names = {field: cell.name for field, cell in drawn.items() if isinstance(cell, Sprite)}
    assert names[FIELDS[13 + 2]] == "green_1_moved"
    assert names[FIELDS[13]] == "green_left_home"
    assert names[FIELDS[26 + 4]] == "yellow_1_moved"
    assert names[FIELDS[3]] == "red_1_path"


def test_nothing_is_marked_once_the_token_that_moved_last_was_sent_back() -> None:
    two_sixes = tuple(map(Move, (6, 1, 6, 0, 6, 0)))
    options: Options = {"third_six": "token back"}
    moved = table(2, options, two_sixes)
    assert GameLog(moved).last_moves(moved)
    sent_back = table(2, options, (*two_sixes, Move(6)))
    assert GameLog(sent_back).last_moves(sent_back) == ()


def test_a_seats_emblem_is_its_token_everywhere() -> None:
    emblems = [LudoPresenter().emblem(4, Seat(seat)) for seat in range(4)]
    assert emblems == [Sprite(f"{COLOURS[letter]}_token", sign) for letter, sign in SIGNS.items()]
