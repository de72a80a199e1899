"""Turning points as sentences: who did what, and their chances before and after it."""

from __future__ import annotations

from bot.games.catalogue import explainer_of
from bot.locales import ENGLISH, shipped
from bot.message.text import Percent
from bot.records.reviewed import ReviewedGame, SeatReview, TurningPoint
from bot.screens.challenge import who
from bot.screens.review import points_in_words
from bot.table.session import Session
from bot.ui.words import Words
from engine.game import CHANCE, Seat
from tests.bot.english import says
from tests.bot.screens.test_animation import at_random
from tests.bot.screens.test_share import at_a_table

WORDS = Words(shipped()[ENGLISH])
CHANCES = tuple((share / 1000, 1 - share / 1000) for share in range(1001))
"""A chance that grows by a thousandth a ply, so that each ply is told apart."""


def told(session: Session, point: TurningPoint) -> str:
    """The sentence of a turning point."""
    seats = (SeatReview(0.9, 12, 0.3, -0.1, 0.2),) * 2
    found = ReviewedGame(0, 9, CHANCES, seats, (point,))
    [line] = points_in_words(at_a_table(session), found)
    return WORDS.of(line)


def values(session: Session, seat: Seat, before: int, after: int) -> dict[str, str]:
    """The values that every sentence has."""
    shares = {"before": before, "after": after}
    chances = {name: Percent(CHANCES[ply][seat]) for name, ply in shares.items()}
    said = {**who(session, seat), **chances}
    return {name: WORDS.spelled(value) for name, value in said.items()}


def test_a_roll_is_told_with_what_was_captured_by_it() -> None:
    session = at_random("ludo")
    explainer, path = explainer_of(session), [session.at(ply).position for ply in range(300)]
    rolls = [
        ply
        for ply in range(299)
        if path[ply].turn == CHANCE and path[ply + 1].turn == path[ply].seat != CHANCE
    ]
    captures = [ply for ply in rolls if explainer.victims(path[ply + 1], session.moves[ply + 1])]
    ply = captures[0]
    seat, pips = path[ply].seat, session.moves[ply]
    whom = " ".join(values(session, Seat(1 - seat), 0, 0)[name] for name in ("emblem", "player"))
    shares = values(session, seat, ply, ply + 2)
    point = TurningPoint(ply, seat, pips, 0.3, None)
    assert told(session, point) == says("review.took", pips=str(pips), whom=whom, **shares)

    ply = next(ply for ply in rolls if ply not in captures)
    seat, pips = path[ply].seat, session.moves[ply]
    shares = values(session, seat, ply, ply + 1)
    point = TurningPoint(ply, seat, pips, 0.3, None)
    assert told(session, point) == says("review.rolled", pips=str(pips), **shares)


def test_a_move_is_told_with_its_words() -> None:
    session = at_random("tictactoe")
    move = session.moves[2]
    row, column = divmod(move, 3)
    said = says("board.words.cell", row=str(row + 1), column=str(column + 1))
    point = TurningPoint(2, Seat(0), move, -0.3, move)
    shares = values(session, Seat(0), 2, 3)
    assert told(session, point) == says("review.moved", move=said, **shares)
