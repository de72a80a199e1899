"""The replay that a review leads to: it stands at the very ply that is spoken of."""

from __future__ import annotations

from bot.message.blocks import Block
from bot.message.text import Text
from bot.screens.replay import Replay
from bot.screens.review import review
from bot.table.actions import Action
from engine.game import CHANCE
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
    said = [line for block in review(at_a_table(session), found).blocks for line in told(block)]
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
