"""A finished game in motion: its frames, their time, and the file."""

from __future__ import annotations

from io import BytesIO
from random import Random
from typing import Final

import pytest
from PIL import Image, ImageSequence

from bot.games.catalogue import CATALOGUE
from bot.records.reviewed import ReviewedGame, SeatReview, TurningPoint
from bot.screens import replay
from bot.table.seats import Pace
from bot.table.session import Session
from engine.game import CHANCE, Seat, Value
from tests.bot import kit
from tests.bot.english import ENGLISH_WORDS as WORDS
from tests.bot.kit import new_game
from tests.bot.screens.test_share import ANN, BEN, at_a_table

WITHOUT_DICE: Final = [
    key for key, entry in CATALOGUE.items() if entry.explainer is not None and not entry.game.dice
]


def at_random(game: str, *, seed: int = 3, **options: Value) -> Session:
    """A game of random moves to its end."""
    return kit.at_random(new_game(game, ANN, BEN, pace=Pace.RELAXED, options=options), Random(seed))


def reviewed(session: Session) -> ReviewedGame:
    """A review whose turning points are a roll and a move."""
    seats = tuple(SeatReview(0.9, 12, 0.3, -0.1, 0.2) for _ in session.seats)
    rolled, moved = (
        next(ply for ply in range(session.ply // 2, session.ply) if is_roll(session, ply) is roll)
        for roll in (True, False)
    )
    points = (
        TurningPoint(moved, Seat(0), session.moves[moved], -0.2, session.moves[moved]),
        TurningPoint(rolled, Seat(1), session.moves[rolled], 0.3, None),
    )
    return ReviewedGame(0, ((0.5, 0.5),) * (session.ply + 1), seats, points)


def is_roll(session: Session, ply: int) -> bool:
    return bool(session.at(ply).position.turn == CHANCE)


@pytest.mark.parametrize("game", WITHOUT_DICE)
def test_a_game_without_dice_moves_by_every_move(game: str) -> None:
    session = at_random(game)
    frames = replay.frames(session, None, WORDS)
    assert [frame.ply for frame in frames] == [*range(session.ply + 1)]
    assert sum(frame.milliseconds for frame in frames) <= replay.LONGEST
    assert frames[-1].caption, "the winner"


def test_the_file_begins_anew_and_is_small_even_of_the_most_moves() -> None:
    session = at_random("tictactoe", size=5, line=5)
    gif = replay.painted(session, replay.frames(session, None, WORDS))
    with Image.open(BytesIO(gif)) as shown:
        assert (shown.format, shown.info["loop"]) == ("GIF", 0)
        assert sum(1 for _ in ImageSequence.Iterator(shown)) == session.ply + 1
    assert len(gif) <= replay.LARGEST


def test_a_game_with_dice_shows_its_turning_points_before_and_after(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = at_random("ludo")
    found = reviewed(session)
    frames = replay.frames(session, found, WORDS)
    points = sorted(point.ply for point in found.turning_points)
    assert [frame.ply for frame in frames[:-1:2]] == points
    assert frames[-1].ply == session.ply
    assert all(frame.caption for frame in frames[1::2]), "the side, and its chance"
    assert sum(frame.milliseconds for frame in frames) <= replay.LONGEST
    gif = replay.painted(session, frames)
    assert len(gif) <= replay.LARGEST
    monkeypatch.setattr(replay, "LARGEST", len(gif) - 1)
    assert len(replay.painted(session, frames)) < len(gif), "it is made smaller"


def test_an_animation_is_told_in_words() -> None:
    session = at_random("ludo")
    found = reviewed(session)
    table = at_a_table(session)
    shown = replay.shared_animation(table, found, table.place.channel)
    picture = shown.blocks[1]
    told = [WORDS.of(line) for line in getattr(picture, "words", ())]
    assert len(told) > len(found.turning_points)
