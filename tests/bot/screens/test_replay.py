"""The replay that a review leads to: it stands at the very ply that is spoken of."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import pairwise

from PIL import Image

from bot.locales import ENGLISH, known
from bot.message.blocks import Block
from bot.message.text import Text
from bot.screens.replay import Replay
from bot.screens.review import PLOT, SIGN, ends, review, review_picture
from bot.table.actions import Action
from bot.ui.words import Words
from engine.game import CHANCE, Seat
from tests.bot.screens.test_share import at_a_table, played


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
        assert news.values["ply"] == ply
        last = str(news.values["rolls"]).split()[-1]
        if point.best is None:
            assert last == f"{point.ply}={point.move}"


def test_a_review_says_how_many_plies_it_looked_at_and_how_many_more_deeply() -> None:
    session, found = played("ludo")
    said = [
        line for block in review(at_a_table(session), found, None).blocks for line in told(block)
    ]
    plies = len(found.chances) - 1
    assert 0 < found.closely < plies == session.ply
    (depth,) = (line for line in said if line.key == "review.depth")
    assert (depth.values["plies"], depth.values["closely"]) == (plies, found.closely)


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
