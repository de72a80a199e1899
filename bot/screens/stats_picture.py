"""The picture of `/stats`: the rating from game to game, and the results by level of the computer.

A dark card of its own, so that it reads the same on light and dark backgrounds, with no words on
it, so that it needs no letters of any language: numbers, and for the levels the dots that the
message explains. It is as wide as two pixels for each of a phone's.

Drawn on Parlour's canvas: a plotting library would bring NumPy and 60 MB for two drawings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.message.canvas import Canvas, Paint, Point
from bot.records.queries import CURVE, LevelResult, Stats, Tally
from bot.records.rating import NEWCOMER, Rating
from bot.records.results import STRENGTH
from bot.table.seats import Level

WIDTH: Final = 720
MARGIN: Final = 28
PLOT_HEIGHT: Final = 330
LEFT, RIGHT = 92.0, 592.0
"""Between which the curve and the bars lie; numbers stand on both sides."""
BAR: Final = 68
"""From one bar to the next."""
THICK: Final = 46
LETTERS: Final = 30
DIGIT: Final = 18
"""How wide a digit is."""

GROUND: Final = "#1f2229"
GRID: Final = "#484d59"
INK: Final = "#f2f3f5"
BAND: Final = "#2d4a75"
CURVE_PAINT: Final = "#8ec5ff"
WON: Final = "#4a9bf0"
DRAWN: Final = "#d4d7dc"
LOST: Final = "#f4900c"
STEPS: Final = (20, 50, 100, 200, 500, 1000, 2000)
"""Between the lines of the grid."""
MOST_LINES: Final = 6


@dataclass(frozen=True, slots=True)
class Scale:
    """Where ratings lie on the picture: `low` at the bottom of the plot, `high` at its top."""

    low: int
    high: int
    step: int

    def y(self, rating: float) -> float:
        """The height of a rating."""
        share = (rating - self.low) / (self.high - self.low)
        return MARGIN + PLOT_HEIGHT * (1 - share)


def shows_curve(record: Stats) -> bool:
    """Whether there are ratings to draw a curve of."""
    return bool(record.curve)


def shows_anything(record: Stats) -> bool:
    """Whether there is anything to draw; games that are not rated give neither curve nor bars."""
    return shows_curve(record) or bool(record.levels)


def stats_picture(record: Stats) -> bytes:
    """The picture, as PNG."""
    top = MARGIN
    height = 2 * MARGIN + BAR * len(record.levels)
    if shows_curve(record):
        height += PLOT_HEIGHT + (MARGIN if record.levels else 0)
        top += PLOT_HEIGHT + MARGIN
    canvas = Canvas(WIDTH, height, GROUND)
    if shows_curve(record):
        _curve(canvas, _ratings(record))
    _bars(canvas, record, top)
    return canvas.png()


def _ratings(record: Stats) -> list[Rating]:
    """The ratings to draw; the curve begins with the newcomer unless it is cut off before."""
    ratings = [point.rating for point in record.curve]
    return ratings if len(ratings) >= CURVE else [NEWCOMER, *ratings]


def scale(ratings: Sequence[Rating]) -> Scale:
    """The scale on which the ratings fit with their uncertainty, with few round lines."""
    low, high = min(_bounds(each)[0] for each in ratings), max(_bounds(each)[1] for each in ratings)
    step = next((s for s in STEPS if (high - low) / s <= MOST_LINES - 1), STEPS[-1])
    bottom = step * floor(low / step)
    return Scale(bottom, max(bottom + step, step * ceil(high / step)), step)


def _bounds(rating: Rating) -> tuple[int, int]:
    return rating.points - rating.spread, rating.points + rating.spread


def _curve(canvas: Canvas, ratings: Sequence[Rating]) -> None:
    fit = scale(ratings)
    across = (RIGHT - LEFT) / max(1, len(ratings) - 1)
    xs = [LEFT + across * index for index in range(len(ratings))]
    bounds = [_bounds(each) for each in ratings]
    below = [(x, fit.y(low)) for x, (low, _) in zip(xs, bounds, strict=True)]
    above = [(x, fit.y(high)) for x, (_, high) in zip(xs, bounds, strict=True)]
    canvas.polygon([*above, *reversed(below)], BAND)
    for value in range(fit.low, fit.high + 1, fit.step):
        canvas.line(((LEFT, fit.y(value)), (RIGHT, fit.y(value))), GRID, width=1.5)
        canvas.write((LEFT / 2, fit.y(value)), str(value), INK, size=LETTERS)
    line = [(x, fit.y(each.points)) for x, each in zip(xs, ratings, strict=True)]
    canvas.line(line, CURVE_PAINT, width=5)
    _last(canvas, line[-1], ratings[-1])


def _last(canvas: Canvas, at: Point, rating: Rating) -> None:
    """Today's rating, beside the end of the curve."""
    canvas.circle(at, 9, CURVE_PAINT)
    middle = ((RIGHT + WIDTH) / 2, at[1])
    canvas.write(middle, str(rating.points), CURVE_PAINT, size=1.15 * LETTERS)


def _bars(canvas: Canvas, record: Stats, top: float) -> None:
    levels = ladder(record.game, record.levels)
    for row, result in enumerate(record.levels):
        y = top + BAR * (row + 0.5)
        _dots(canvas, y, levels.index(result.level) + 1, len(levels))
        _bar(canvas, y, result.tally)
        share = f"{round(100 * (result.tally.win_rate or 0))}%"
        canvas.write(((RIGHT + WIDTH) / 2, y), share, INK, size=LETTERS)


def ladder(game: str, results: Sequence[LevelResult]) -> tuple[Level, ...]:
    """The levels of a game, the weakest first; those too that it had when they were met."""
    met = {each.level for each in results}
    return tuple(level for level in STRENGTH if level in CATALOGUE[game].levels or level in met)


def _dots(canvas: Canvas, y: float, filled: int, of: int) -> None:
    """How strong a level is: as many of the dots are full."""
    apart = 72 / of
    for index in range(of):
        centre = (LEFT / 2 + apart * (index - (of - 1) / 2), y)
        if index < filled:
            canvas.circle(centre, 7, INK)
        else:
            canvas.ring(centre, 6, INK, width=2)


def _bar(canvas: Canvas, y: float, tally: Tally) -> None:
    """Won, drawn and lost, from the left, by their shares; counted where the number has room."""
    x, whole = LEFT, RIGHT - LEFT
    parts: tuple[tuple[int, Paint], ...]
    parts = ((tally.wins, WON), (tally.draws, DRAWN), (tally.losses, LOST))
    for count, paint in parts:
        if not count:
            continue
        end = x + whole * count / tally.games
        canvas.rectangle((x + 1, y - THICK / 2), (max(x + 3, end - 1), y + THICK / 2), paint)
        if end - x > DIGIT * (len(str(count)) + 1):
            canvas.write(((x + end) / 2, y), str(count), GROUND, size=LETTERS)
        x = end
