"""The picture of a finished game: the highlights it shows, and that it is drawn in any script."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from PIL import Image

from bot.games.catalogue import CATALOGUE, explainer_of
from bot.locales import ENGLISH, known
from bot.message.blocks import Tone
from bot.records.reviewed import ReviewedGame
from bot.screens import share
from bot.screens.board import screen
from bot.screens.in_words import tone
from bot.table import ending
from bot.table.seats import Computer, Human, Level, Occupant, Pace, PersonId
from bot.table.session import Session, SessionId
from bot.table.table import Place, Table
from bot.ui.render import board_view
from bot.ui.words import Words
from engine.game import CHANCE, Seat
from engine.review import review
from tests import samples
from tests.bot.kit import after_moves, at_random, new_game

ANN, BEN = Human(PersonId(1)), Human(PersonId(2))
COMPUTER = Computer(Level.EASY)


def opened(game: str, *seats: Occupant, preset: str | None = None) -> Session:
    options = CATALOGUE[game].game.presets[preset] if preset else {}
    return new_game(game, *seats, pace=Pace.RELAXED, options=options)


@cache
def played(game: str) -> tuple[Session, ReviewedGame]:
    """A game of random moves to its end, of Ludo a quick one, and its review."""
    preset = "quick" if game == "ludo" else None
    session = at_random(opened(game, ANN, COMPUTER, preset=preset), Random(9))
    return session, reviewed(session)


def marked(*cells: int, seats: tuple[Occupant, Occupant] = (ANN, COMPUTER)) -> Session:
    return after_moves(opened("tictactoe", *seats), *cells)


def reviewed(session: Session) -> ReviewedGame:
    game, seats = session.game.key, len(session.seats)
    return ReviewedGame.of(review(game, seats, session.options, session.moves))


def at_a_table(session: Session) -> Table:
    return Table(SessionId(7), 1, session, Place(1, 2, 3), "en-US", samples.moment(), None)


@pytest.mark.parametrize(
    ("session", "shown"),
    [
        (marked(0, 3, 1, 4, 2), Tone.WON),
        (marked(0, 3, 1, 4, 2, seats=(COMPUTER, ANN)), Seat(0)),
        (marked(0, 3, 1, 4, 8, 5), Seat(1)),
        (marked(0, 3, 1, 4, 2, seats=(ANN, BEN)), Seat(0)),
        (marked(0, 1, 2, 4, 3, 5, 7, 6, 8), Tone.OVER),
        (ending.close(marked(0, 3)), Tone.OVER),
        (ending.resign(opened("ludo", ANN, COMPUTER), PersonId(1)), Seat(1)),
    ],
    ids=["won", "lost as O", "lost as X", "among people", "drawn", "closed", "resigned"],
)
def test_an_end_is_gold_for_a_win_grey_for_a_draw_and_else_the_winners_colour(
    session: Session, shown: Tone | Seat
) -> None:
    if not isinstance(shown, Tone):
        assert tone(session) == explainer_of(session).paint(2, shown)
        return
    assert tone(session) is shown


def test_the_luckiest_roll_and_the_worst_capture_are_those_that_changed_most() -> None:
    session, found = played("ludo")
    luckiest, capture = share.highlights_of(session, found)
    path = session.game.path(2, session.options, session.moves)
    gains, losses = [], []
    for ply, (before, after) in enumerate(pairwise(path)):
        if before.turn == CHANCE and not before.opening:
            gains.append(found.chances[ply + 1][before.seat] - found.chances[ply][before.seat])
        elif after.tokens[1 - before.seat] != before.tokens[1 - before.seat]:
            rival = 1 - before.seat
            losses.append(found.chances[ply + 1][rival] - found.chances[ply - 1][rival])
    assert luckiest.change == max(gains)
    assert session.moves[luckiest.ply - 1] == luckiest.pips
    assert capture.change == min(losses)
    sent_back = session.at(capture.ply).position.tokens[capture.seat]
    assert sent_back.count(0) > session.at(capture.ply - 1).position.tokens[capture.seat].count(0)


def test_without_dice_the_boards_are_those_of_the_turning_points() -> None:
    session, found = played("tictactoe")
    shown = [
        (highlight.ply - 1, highlight.change) for highlight in share.highlights_of(session, found)
    ]
    assert shown == [(each.ply, each.change) for each in found.turning_points[:2]]
    assert shown


@pytest.mark.sampled(5)
@pytest.mark.parametrize("locale", [ENGLISH, "ar", "de", "ja", "th"])
@pytest.mark.parametrize("game", ["ludo", "tictactoe"])
def test_the_picture_can_be_drawn_in_every_script(game: str, locale: str) -> None:
    session, found = played(game)
    picture = share.game_picture(at_a_table(session), found, Words(known()[locale]))
    assert Image.open(BytesIO(picture)).size == (share.WIDTH, share.HEIGHT)


def test_the_picture_of_a_game_that_ended_at_once_has_its_end() -> None:
    session = ending.resign(opened("ludo", ANN, COMPUTER), PersonId(1))
    found = reviewed(session)
    assert share.highlights_of(session, found) == ()
    share.game_picture(at_a_table(session), found, Words(known()[ENGLISH]))


def test_the_largest_board_that_is_over_is_no_more_than_a_message_takes() -> None:
    rules = CATALOGUE["tictactoe"].game
    options = rules.settled({"size": 5, "line": 5})
    session = Session(rules, options, Pace.RELAXED, PersonId(1), (ANN, BEN)).start()
    view = board_view(
        screen(at_a_table(ending.resign(session, PersonId(1)))),
        at_a_table(session),
        Words(known()[ENGLISH]),
    )
    assert sum(map(components, view.to_components())) <= 40


def components(one: dict[str, Any]) -> int:
    return 1 + sum(map(components, one.get("components", ())))
