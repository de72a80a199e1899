"""The picture of a podium: players by their names and avatars, as far as they are known."""

from __future__ import annotations

from bot.message.canvas import Canvas
from bot.records.rating import Rating, Season
from bot.records.standings import Standing, Tally
from bot.records.summaries import Ranked
from bot.screens.leaderboard import podium_picture
from bot.screens.profiles import Profile
from bot.table.seats import PersonId
from tests.bot.english import ENGLISH_WORDS as WORDS

ANN, BEN = PersonId(101), PersonId(102)
BEST = {
    "tictactoe": [
        Ranked(place, person, Standing(Rating(30 - place, 1.0), Tally(9, 0, 1)), Season(202605))
        for place, person in ((1, ANN), (2, BEN))
    ]
}


def picture(name: str | None = None, avatar: bytes | None = None) -> bytes:
    """The podium on which Ann has a name and an avatar."""
    return podium_picture(BEST, WORDS, {} if name is None else {ANN: Profile(name, avatar)})


def test_a_name_and_an_avatar_are_drawn_where_they_are_known() -> None:
    named = picture("Ann")
    assert named != picture()
    assert picture("Ann", Canvas(64, 64, "#44aa66").png()) != named


def test_an_emoji_in_a_name_is_left_out_and_a_long_name_cut() -> None:
    assert picture("Ann 🎲") == picture("Ann")
    assert picture("Annabelle the First") == picture("Annabelle the Second of them")


def test_what_cannot_be_written_or_read_is_left_out() -> None:
    assert picture("🎲") == picture()
    assert picture("安妮") == picture()
    assert picture("Ann", b"no picture") == picture("Ann")
