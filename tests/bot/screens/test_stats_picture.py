"""The picture of `/stats`, looked at pixel by pixel."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.locales import shipped
from bot.message.fonts import Caption
from bot.message.text import TextValue, text
from bot.records.rating import NEWCOMER, Rating
from bot.records.standings import Tally
from bot.records.summaries import LevelResult, Point, Stats
from bot.screens.stats import (
    BAND,
    BAR,
    CAPTION,
    CURVE_PAINT,
    DRAWN,
    GRID,
    GROUND,
    INK,
    LEFT,
    LETTERS,
    LOST,
    MARGIN,
    MOST_LINES,
    PLOT_HEIGHT,
    RIGHT,
    WIDTH,
    WON,
    scale,
    stats_picture,
)
from bot.table.seats import Level, PersonId
from bot.ui.words import Words
from tests.bot.english import ENGLISH_WORDS
from tests.bot.games.pixels import Look, contrast, decoded, rgb

NOW = datetime(2026, 5, 1, tzinfo=UTC)
PHONE = 300
"""The width of a picture in a message on a phone of 360 points."""


class Numbers:
    """The lettering of a machine without fonts."""

    def spelled(self, value: TextValue) -> str:
        return ENGLISH_WORDS.spelled(value)

    def captions(self, *_: TextValue) -> Sequence[Caption]:
        return ()


NUMBERS = Numbers()


def record(*curve: Rating, levels: tuple[LevelResult, ...] = ()) -> Stats:
    points = tuple(Point(NOW, rating) for rating in curve)
    return Stats(PersonId(1), "tictactoe", None, curve=points, levels=levels)


def bar(look: Look, y: float) -> dict[str, float]:
    """Which share of a bar has which paint, along its lower edge, where no number stands."""
    found = [look(x, y)[:3] for x in range(int(LEFT), int(RIGHT))]
    return {paint: found.count(rgb(paint)) / len(found) for paint in (WON, DRAWN, LOST)}


def test_bars_are_as_long_as_their_shares_of_the_games() -> None:
    levels = (
        LevelResult(Level.EASY, Tally(wins=3, losses=1)),
        LevelResult(Level.HARD, Tally(wins=1, draws=2, losses=1)),
        LevelResult(Level.PERFECT, Tally(losses=9)),
    )
    size, look = decoded(stats_picture(record(levels=levels), NUMBERS))
    assert size == (WIDTH, 2 * MARGIN + 3 * BAR)
    expected = ((0.75, 0, 0.25), (0.25, 0.5, 0.25), (0, 0, 1))
    for row, (won, drawn, lost) in enumerate(expected):
        shares = bar(look, MARGIN + BAR * (row + 0.5) + 20)
        assert shares[WON] == pytest.approx(won, abs=0.02)
        assert shares[DRAWN] == pytest.approx(drawn, abs=0.02)
        assert shares[LOST] == pytest.approx(lost, abs=0.02)


def test_a_level_has_as_many_full_dots_as_its_rank_in_the_game() -> None:
    levels = tuple(
        LevelResult(level, Tally(1)) for level in (Level.EASY, Level.HARD, Level.PERFECT)
    )
    _, look = decoded(stats_picture(record(levels=levels), NUMBERS))
    for row, rank in enumerate((1, 3, 4)):
        y = MARGIN + BAR * (row + 0.5)
        dots = [look(LEFT / 2 + 18 * (dot - 1.5), y)[:3] for dot in range(4)]
        assert dots == [rgb(INK)] * rank + [rgb(GROUND)] * (4 - rank)


def test_the_curve_ends_at_the_rating_within_its_band() -> None:
    ratings = (Rating(28, 6), Rating(24, 5), Rating(31, 4))
    size, look = decoded(stats_picture(record(*ratings), NUMBERS))
    assert size == (WIDTH, 2 * MARGIN + PLOT_HEIGHT)
    fit = scale([NEWCOMER, *ratings])
    assert look(RIGHT, fit.y(1760))[:3] == rgb(CURVE_PAINT)
    for inside in (1760 + 110, 1760 - 110):
        assert look(RIGHT - 3, fit.y(inside))[:3] == rgb(BAND)
    for outside in (1760 + 210, 1760 - 210):
        assert look(RIGHT - 3, fit.y(outside))[:3] == rgb(GROUND)


def test_the_curve_begins_with_a_newcomer() -> None:
    ratings = (Rating(38, 1),) * 20
    _, look = decoded(stats_picture(record(*ratings), NUMBERS))
    below = scale([NEWCOMER, *ratings]).y(800)
    assert look(LEFT + 1, below)[:3] == rgb(BAND)
    assert look(LEFT + 30, below)[:3] == rgb(GROUND)


def test_a_curve_that_is_cut_off_begins_where_it_is_cut() -> None:
    ratings = (Rating(38, 1),) * 200
    _, look = decoded(stats_picture(record(*ratings), NUMBERS))
    below = scale(ratings).y(2371)
    assert look(LEFT + 1, below)[:3] == look(LEFT + 250, below)[:3] == rgb(BAND)


BELIEFS = st.builds(Rating, st.floats(-80, 150), st.floats(0.2, 25 / 3))


@given(st.lists(BELIEFS, min_size=1, max_size=30))
def test_every_rating_fits_the_scale_with_its_uncertainty(ratings: list[Rating]) -> None:
    fit = scale(ratings)
    for each in ratings:
        assert fit.low <= each.points - each.spread
        assert each.points + each.spread <= fit.high
        assert MARGIN <= fit.y(each.points) <= MARGIN + PLOT_HEIGHT
    assert (fit.high - fit.low) % fit.step == 0
    assert 1 <= (fit.high - fit.low) // fit.step <= MOST_LINES + 1


def test_it_reads_on_a_phone_and_without_seeing_colours() -> None:
    assert LETTERS * PHONE / WIDTH >= 12
    assert contrast(INK, GROUND) > 7
    assert contrast(CURVE_PAINT, GROUND) > 7
    assert contrast(CURVE_PAINT, BAND) > 4.5
    for paint in (WON, DRAWN, LOST):
        assert contrast(GROUND, paint) > 4.5, "numbers stand on it"
    assert contrast(GRID, GROUND) > 1.5


def test_a_picture_is_small() -> None:
    levels = tuple(LevelResult(level, Tally(12, 3, 40)) for level in Level)
    swings = tuple(Rating(25 + index * 7919 % 13, 4) for index in range(200))
    assert ceil(len(stats_picture(record(*swings, levels=levels), NUMBERS)) / 1024) < 100


@pytest.mark.sampled(6)
@pytest.mark.parametrize("locale", sorted(shipped()))
def test_its_words_stand_apart_in_every_language(locale: str) -> None:
    """No caption reaches the edge of the paint that it stands on, or of the plot."""
    levels = tuple(LevelResult(level, Tally(2, 1, 3)) for level in Level)
    words = Words(shipped()[locale])
    if not words.captions(text("picture.rating")):
        pytest.skip("no font here has the letters of the language")
    size, look = decoded(stats_picture(record(*(Rating(28, 6),) * 3, levels=levels), words))
    assert (
        size[1]
        > decoded(stats_picture(record(*(Rating(28, 6),) * 3, levels=levels), NUMBERS))[0][1]
    )
    legend = MARGIN + PLOT_HEIGHT + CAPTION + MARGIN
    third = (RIGHT - LEFT) / 3
    for place, paint in enumerate((WON, DRAWN, LOST)):
        for x in (LEFT + third * place + 5, LEFT + third * (place + 1) - 5):
            rows = range(int(legend) + 8, int(legend) + CAPTION - 14)
            assert {look(x, y)[:3] for y in rows} == {rgb(paint)}
    below = range(MARGIN + PLOT_HEIGHT + 6, int(legend) - MARGIN)
    edges = (*range(int(LEFT) + 1, int(LEFT) + 40), *range(int(RIGHT) - 40, int(RIGHT)))
    assert all(look(x, y)[:3] == rgb(GROUND) for x in edges for y in below)
