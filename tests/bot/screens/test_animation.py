"""A finished game in motion: its frames, their time, and the file."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image, ImageSequence

from bot.games.catalogue import CATALOGUE
from bot.locales import ENGLISH, shipped
from bot.screens import animation
from bot.table.seats import Pace, PersonId
from bot.table.session import Session
from bot.ui.words import Words
from engine.game import Move
from tests.bot.screens.test_share import ANN, BEN, at_a_table, marked, played

WORDS = Words(shipped()[ENGLISH])


def moves_of_the_largest_board() -> Session:
    rules = CATALOGUE["tictactoe"].game
    options = rules.settled({"size": 5, "line": 5})
    session = Session(rules, options, Pace.RELAXED, PersonId(1), (ANN, BEN)).start()
    for cell in (
        0,
        1,
        2,
        3,
        5,
        4,
        6,
        7,
        8,
        10,
        9,
        11,
        13,
        12,
        14,
        15,
        16,
        17,
        18,
        19,
        21,
        20,
        22,
        24,
        23,
    ):
        session = session.go_on(Move(cell))
    return session


@pytest.mark.parametrize(
    ("session", "plies"),
    [(marked(0, 3, 1, 4, 2), 5), (moves_of_the_largest_board(), 25)],
    ids=["the shortest", "the longest"],
)
def test_a_game_without_dice_moves_by_every_move(session: Session, plies: int) -> None:
    frames = animation.frames(session, None, WORDS)
    assert [frame.ply for frame in frames] == [*range(plies + 1)]
    assert sum(frame.milliseconds for frame in frames) <= animation.LONGEST
    assert frames[-1].caption
    with Image.open(BytesIO(gif := animation.painted(session, frames))) as shown:
        assert shown.format == "GIF"
        assert sum(1 for _ in ImageSequence.Iterator(shown)) == plies + 1
        assert shown.info["loop"] == 0, "it begins anew"
    assert len(gif) <= animation.LARGEST


def test_a_game_with_dice_shows_its_turning_points_before_and_after(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session, found = played("ludo")
    frames = animation.frames(session, found, WORDS)
    points = sorted(point.ply for point in found.turning_points)
    assert [frame.ply for frame in frames[:-1:2]] == points
    assert frames[-1].ply == session.ply
    assert all(frame.caption for frame in frames[1::2]), "the side, and its chance"
    assert sum(frame.milliseconds for frame in frames) <= animation.LONGEST
    gif = animation.painted(session, frames)
    assert len(gif) <= animation.LARGEST
    monkeypatch.setattr(animation, "LARGEST", len(gif) - 1)
    assert len(animation.painted(session, frames)) < len(gif), "it is made smaller"


def test_an_animation_is_told_in_words() -> None:
    session, found = played("ludo")
    shown = animation.shared_animation(at_a_table(session), found)
    picture = shown.blocks[1]
    told = [WORDS.of(line) for line in getattr(picture, "words", ())]
    assert len(told) > len(found.turning_points)
