"""The replay that a review leads to: it stands at the very ply that is spoken of."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import combinations, pairwise
from typing import Final

import pytest
from PIL import Image

from bot.games.catalogue import presenter_of
from bot.games.ludo.board.drawing import MARGIN, SIDES, UNIT
from bot.games.ludo.board.sprites import die
from bot.games.ludo.board.tiles import DICE, lying_die
from bot.locales import ENGLISH, known
from bot.message.blocks import Block, Grid, Menu, Row, Screen
from bot.message.canvas import Canvas
from bot.message.text import Sprite, Text
from bot.records.reviewed import ReviewedGame, TurningPoint
from bot.screens.replay import Replay
from bot.screens.review import MARK, PLOT, SIGN, ends, marks, review, review_picture
from bot.table.actions import Action
from bot.ui.words import Words
from engine.game import CHANCE, Move, Options, Seat
from engine.games.ludo.board import corners
from engine.games.ludo.rules import PRESETS
from tests.bot.games.ludo.ludo_tables import random_moves, table
from tests.bot.screens.test_share import at_a_table, played
from tests.samples import Sample


def lines(replay: Replay, stop: int) -> list[Text]:
    """The lines above the board."""
    return told(replay.screen(stop).blocks[0])


def test_show_stands_at_the_ply_itself_with_the_roll_that_fell() -> None:
    session, found = played("ludo")
    rolls = [point for point in found.turning_points if point.best is None]
    assert rolls
    for point in found.turning_points:
        ply = point.ply + 1
        replay = Replay(at_a_table(session), ply)
        stop = replay.stop_at(ply)
        shown = replay.board(stop).session
        assert shown.moves == session.moves[:ply]
        assert shown.position == session.at(ply).position
        if point.best is None and shown.position.turn != CHANCE:
            assert shown.position.die == point.move, "the die shown is the die rolled"
        (news,) = (line for line in lines(replay, stop) if line.key == "replay.rolls")
        last = str(news.values["rolls"]).split()[-1]
        if point.best is None:
            assert last == str(point.move)


PLIES: Final = 25
"""The plies of a game that are tried in a run."""
FACES: Final = {lying_die(face).name for face in range(1, 7)}
GAMES: Final[tuple[tuple[int, Options], ...]] = (
    (2, PRESETS["quick"]),
    (3, {"third_six": "token back"}),
    (4, PRESETS["damascus"]),
)


@pytest.mark.parametrize(("seats", "rules"), GAMES)
def test_the_die_shown_at_a_ply_is_the_die_that_was_rolled_there(
    seats: int, rules: Options, sample: Sample
) -> None:
    session = table(seats, rules, random_moves(seats, rules, 5_000, seed=seats))
    path = session.game.path(seats, session.options, session.moves)
    begun = next(ply for ply, position in enumerate(path) if not position.opening)
    for ply in sample(range(begun, session.ply + 1), PLIES):
        replay = Replay(at_a_table(session), ply)
        stop, pips = replay.stop_at(ply), session.moves[ply - 1]
        screen = replay.screen(stop)
        rolled = path[ply - 1].turn == CHANCE
        to_move = rolled and path[ply].turn != CHANCE
        assert dice_on(screen) == ([lying_die(pips).name] if to_move else [])
        (news,) = (line for line in lines(replay, stop) if line.key == "replay.rolls")
        rolls = str(news.values["rolls"]).split()
        before = [move for at, move in enumerate(session.moves[:ply]) if path[at].turn == CHANCE]
        assert rolls == list(map(str, before[-len(rolls) :]))
        if rolled:
            assert rolls[-1] == str(pips), "the roll of the ply is the last one shown"
        assert "since.nothing" not in {line.key for block in screen.blocks for line in told(block)}


def dice_on(screen: Screen) -> list[str]:
    """The names of the dice that lie on the board of a screen."""
    grids = [block for block in screen.blocks if isinstance(block, Grid)]
    cells = [cell for grid in grids for row in grid.rows for cell in row]
    return [cell.name for cell in cells if isinstance(cell, Sprite) and cell.name in FACES]


def test_the_die_in_a_picture_is_the_die_that_was_rolled() -> None:
    session = table(4, {}, random_moves(4, {}, 5_000, seed=4))
    path = session.game.path(4, session.options, session.moves)
    first = {(at.seat, at.die): ply for ply, at in reversed([*enumerate(path)]) if at.die}
    assert len(first) == 4 * 6
    for (seat, face), ply in first.items():
        assert session.moves[ply - 1] == face
        drawn = Image.open(BytesIO(presenter_of(session).picture(session.at(ply)))).convert("RGB")
        row, column = DICE[corners(4)[seat]]
        left, top = SIDES + column * UNIT, MARGIN + row * UNIT
        field = drawn.crop((left, top, left + UNIT, top + UNIT))
        apart = {other: differ(field, painted(other)) for other in range(1, 7)}
        assert min(apart, key=lambda other: apart[other]) == face


def painted(face: int) -> Image.Image:
    canvas = Canvas(UNIT, UNIT)
    die(face, canvas, (0, 0), UNIT)
    return Image.open(BytesIO(canvas.png())).convert("RGB")


def differ(one: Image.Image, other: Image.Image) -> int:
    """The differences of two pictures, all pixels together, in their middle."""
    middle = (UNIT // 4, UNIT // 4, UNIT - UNIT // 4, UNIT - UNIT // 4)
    pixels = [image.crop(middle).convert("L").tobytes() for image in (one, other)]
    return sum(abs(a - b) for a, b in zip(*pixels, strict=True))


def test_no_number_of_a_turning_point_stands_over_another() -> None:
    plies = 300
    for near in (0, plies // 2, plies - 3):
        for chance in (0.0, 0.5, 1.0):
            steps = range(near, near + 3)
            points = tuple(TurningPoint(ply, Seat(0), Move(0), -0.2, Move(1)) for ply in steps)
            chances = ((chance, 1 - chance),) * (plies + 1)
            spots = [at for _, at in marks(ReviewedGame(0, chances, (), points))]
            assert len(spots) == 3
            for (x, y), (left, top) in combinations(spots, 2):
                assert max(abs(x - left), abs(y - top)) >= 2 * MARK
            assert all(PLOT.top < y < PLOT.bottom and PLOT.left < x < PLOT.right for x, y in spots)


def test_a_review_tells_players_nothing_of_how_it_was_made() -> None:
    session, found = played("tictactoe")
    said = [
        line for block in review(at_a_table(session), found, None).blocks for line in told(block)
    ]
    assert {line.key for line in said} <= {
        *("review.title", "review.seat", "review.play", "review.point", "review.point.better"),
    }


def told(block: Block) -> list[Text]:
    return [line for line in getattr(block, "lines", ()) if isinstance(line, Text)]


def test_turns_keep_their_numbers_and_next_goes_on_to_the_end_of_the_turn() -> None:
    session, _ = played("ludo")
    table = at_a_table(session)
    whole = Replay(table)
    turn = max(whole._turns, key=lambda turn: len(turn.moves))
    ply = turn.ply + 1
    within = Replay(table, ply)
    number = within.stop_at(ply)
    assert number == whole.stop_at(turn.end)
    assert whole.led(Action.NEXT, ply) == number
    assert whole.board(number).session.moves == session.moves[: turn.end]


@pytest.mark.parametrize("game", ["tictactoe", "ludo"])
def test_share_is_a_button_of_every_replay_and_a_game_is_taken_along_in_one_way(game: str) -> None:
    blocks = Replay(at_a_table(played(game)[0])).screen(1).blocks
    rows = [each.controls for each in blocks if isinstance(each, Row)]
    buttons = [control.action for row in rows for control in row]
    chosen = [each.value for menu in blocks if isinstance(menu, Menu) for each in menu.choices]

    assert buttons.count(Action.SHARE_REPLAY) == 1
    assert Action.SHARE_REPLAY not in chosen
    for once in (Action.WHY, Action.WHAT_IF, Action.REVIEW, Action.AS_FILES):
        assert (buttons + chosen).count(once) == 1


def test_every_curve_has_the_sign_of_its_seat_at_its_end_apart_from_others() -> None:
    session, found = played("ludo")
    alike = replace(found, chances=((0.25,) * 4, (1.0, 0.0, 0.0, 0.0)))
    placed = ends(PLOT, alike)
    assert sorted(seat for seat, _ in placed) == [0, 1, 2, 3]
    heights = [y for _, y in placed]
    assert all(below - above >= SIGN for above, below in pairwise(heights))
    assert placed[0] == (Seat(0), PLOT.top)
    assert heights[-1] <= PLOT.bottom
    drawn = Image.open(BytesIO(review_picture(at_a_table(session), found, Words(known()[ENGLISH]))))
    right = drawn.crop((int(PLOT.right) + 4, 0, drawn.width, drawn.height)).convert("RGB")
    assert len(right.getcolors(1 << 20) or ()) > 20, "two tokens"
