"""The picture of a finished game: the highlights it shows, and that it is drawn in any script."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from io import BytesIO
from itertools import chain, pairwise
from math import ceil, floor
from random import Random
from typing import Any

import pytest
from PIL import Image, ImageDraw
from PIL.ImageFont import FreeTypeFont

from bot.games.catalogue import CATALOGUE, explainer_of
from bot.locales import ENGLISH, known
from bot.message.blocks import Tone
from bot.message.canvas import TIMES
from bot.message.fonts import Caption
from bot.message.fonts import opened as opened_font
from bot.message.text import TextValue
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
from tests.bot.english import ENGLISH_WORDS
from tests.bot.kit import after_moves, at_random, new_game
from tests.bot.screens.test_stats_picture import Numbers

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


class Widest:
    """The lettering whose words are the widest that any language has for them."""

    def spelled(self, value: TextValue) -> str:
        return ENGLISH_WORDS.spelled(value)

    def captions(self, *values: TextValue) -> Sequence[Caption]:
        found = (
            chain(*(Words(each).captions(value) for each in known().values())) for value in values
        )
        return [max(captions, key=breadth) for captions in found]


def breadth(caption: Caption) -> float:
    font = opened_font(caption.face, 100)
    assert isinstance(font, FreeTypeFont)
    return font.getlength(caption.words, direction=caption.direction)


@cache
def won_by_partners() -> tuple[Session, ReviewedGame]:
    """A quick game of Ludo of two against two."""
    quick = CATALOGUE["ludo"].game.presets["quick"]
    people = [Human(PersonId(number)) for number in range(1, 5)]
    options = CATALOGUE["ludo"].game.settled({**quick, "teams": "yes"})
    session = at_random(new_game("ludo", *people, pace=Pace.RELAXED, options=options), Random(9))
    return session, reviewed(session)


@pytest.mark.parametrize("game", ["ludo", "ludo of partners", "tictactoe"])
def test_the_longest_captions_of_all_languages_stand_on_the_plain_ground_of_the_picture(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, found = won_by_partners() if game == "ludo of partners" else played(game)
    table, written = at_a_table(session), list[tuple[int, ...]]()
    write = ImageDraw.ImageDraw.text

    def noted(draw: ImageDraw.ImageDraw, at: Any, words: str, *given: Any, **how: Any) -> None:
        if how.get("anchor") == "mm" and draw.im.size == (
            share.WIDTH * TIMES,
            share.HEIGHT * TIMES,
        ):
            shown = {"font": given[1], "anchor": "mm", "direction": how["direction"]}
            left, top, right, bottom = (side / TIMES for side in draw.textbbox(at, words, **shown))
            written.append((floor(left), floor(top), ceil(right), ceil(bottom)))
        write(draw, at, words, *given, **how)

    with monkeypatch.context() as watched:
        watched.setattr(ImageDraw.ImageDraw, "text", noted)
        share.game_picture(table, found, Widest())
    assert len(written) == 2 + 2 * len(share.highlights_of(session, found))
    picture = Image.open(BytesIO(share.game_picture(table, found, Numbers()))).convert("RGB")
    ground = picture.getpixel((0, 0))
    for left, top, right, bottom in written:
        assert 0 < left < right < share.WIDTH
        assert 0 < top < bottom < share.HEIGHT
        below = picture.crop((left, top, right, bottom))
        assert below.getcolors() == [((right - left) * (bottom - top), ground)]


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
