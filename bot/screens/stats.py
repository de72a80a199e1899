"""The screen of `/stats`: how a person has played one game, in words and with a picture.

The picture shows the rating from game to game, and the results by level of the computer. It is a
dark card, which looks the same on light and dark backgrounds. Its words are in the reader's
language; if this machine has no font for them, there are only numbers, and dots for the levels that
the message explains. It has two pixels for each of a phone's.

Drawn on Parlour's canvas: a plotting library would bring NumPy and 60 MB for two drawings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Block, Picture, Prose, Screen, Tone
from bot.message.canvas import Canvas, Paint, Point
from bot.message.fonts import Caption, Lettering
from bot.message.text import CommandMention, Percent, Text, TextList, joined, named, text
from bot.records.puzzles import PuzzleRecord
from bot.records.rating import AGAINST, NEWCOMER, PROVISIONAL_BELOW, Rating
from bot.records.results import STRENGTH
from bot.records.standings import Tally
from bot.records.summaries import CURVE, LevelResult, Opponent, Stats
from bot.screens.badges import badges, badges_to_come, pages_to_come
from bot.screens.pager import RecordsPage, ways_on
from bot.table.seats import Level, PersonId

PICTURE: Final = "stats.png"


def stats(
    record: Stats,
    puzzles: PuzzleRecord,
    page: RecordsPage,
    *,
    reader: PersonId,
    private: bool,
    lettered: bool,
) -> Screen:
    """A page of a person's record; `private` places have no server with a record of its own.

    Another person's opponents in other servers are not named. `lettered` says whether the picture
    has words.
    """
    count = pages(record, puzzles)
    page = replace(page, number=min(page.number, count - 1))
    shown, past_games = on_page(record, page.number), page.number - _of_games(record)
    if past_games >= 0:
        told = badges_to_come(record, puzzles, past_games - 1) if past_games else None
        earned = Prose((_title(record, page), *(told or badges(record, puzzles))))
        return Screen((earned, *ways_on(page, count, private=private)), Tone.OVER)
    lines = [*_people(shown, page, reader, alone=shown is record)]
    if page.number == _of_games(record) - 1:
        lines += _puzzles(puzzles)
    if shown.levels:
        lines.append(text("stats.levels"))
    blocks: list[Block] = [Prose(tuple(lines))]
    if shown.can_be_drawn:
        blocks.append(Picture(PICTURE, tuple(described(shown))))
        if below := tuple(_below(shown, lettered=lettered)):
            blocks.append(Prose(below))
    return Screen((*blocks, *ways_on(page, count, private=private)), Tone.OVER)


def pages(record: Stats, puzzles: PuzzleRecord) -> int:
    """The number of pages: one for games against people, one for those against computers.

    Then a page of the person's badges, and one or more of badges still to earn.
    """
    return _of_games(record) + (0 if record.empty else 1 + pages_to_come(record, puzzles))


def _of_games(record: Stats) -> int:
    return 2 if record.tally.games and record.levels else 1


def on_page(record: Stats, number: int) -> Stats:
    """The part of a record that a page shows."""
    if number >= _of_games(record):
        return Stats(record.person, record.game, record.guild)
    if _of_games(record) == 1:
        return record
    if number == 0:
        return replace(record, levels=(), played=None)
    return Stats(
        record.person, record.game, record.guild, levels=record.levels, played=record.played
    )


def _people(record: Stats, page: RecordsPage, reader: PersonId, *, alone: bool) -> Iterator[Text]:
    within = text(f"game.{record.game}.within")
    person, command = named(record.person), CommandMention(CATALOGUE[record.game].command.name)
    yield _title(record, page)
    if record.empty and record.person == reader:
        yield text("stats.begin", game=within, command=command)
    elif record.empty:
        yield text("stats.empty", person=person, game=within, command=command)
    elif record.tally.games:
        yield from _rating(record)
        yield from _tallied(record)
    elif alone:
        yield text("stats.nobody_met", command=command)
    if record.guild is not None or record.person == reader:
        yield from _met(record)


def _title(record: Stats, page: RecordsPage) -> Text:
    game = text(f"game.{record.game}")
    return text("stats.title", game=game, person=named(record.person), where=page.where)


def _rating(record: Stats) -> Iterator[Text]:
    if record.rating is not None:
        yield text(
            "stats.rating.provisional" if record.standing.provisional() else "stats.rating",
            rating=str(record.rating.points),
            spread=record.rating.spread,
            games=record.standing.rated,
            count=PROVISIONAL_BELOW,
            people=record.standing.opponents,
            least=AGAINST,
        )


def _tallied(record: Stats) -> Iterator[Text]:
    if record.titles:
        yield text("stats.titles", titles=record.titles)
    share = Percent(record.tally.win_rate or 0)
    yield text("stats.people", tally=tallied(record.tally, record.game), share=share)
    streak, best = record.standing.streak, record.standing.best_streak
    yield text(_streak(streak), count=abs(streak), best=best)


def _met(record: Stats) -> Iterator[Text]:
    if record.played is not None:
        yield text(
            "stats.played",
            accuracy=Percent(record.played.accuracy),
            luck=Percent(record.played.luck, signed=True),
            count=record.played.games,
        )
    if record.favourites:
        yield text("stats.favourites", people=_listed(record.favourites, record.game))
    named_before = {each.person for each in record.favourites}
    if toughest := [each for each in record.toughest if each.person not in named_before]:
        yield text("stats.toughest", people=_listed(toughest, record.game))


def _puzzles(record: PuzzleRecord) -> Iterator[Text]:
    if record.answers:
        yield text(
            "stats.puzzles",
            solved=record.solved,
            answered=len(record.answers),
            streak=record.streak,
            best=record.best_streak,
        )


def _streak(streak: int) -> str:
    if streak > 0:
        return "stats.streak.won"
    return "stats.streak.lost" if streak < 0 else "stats.streak.none"


def _listed(opponents: Sequence[Opponent], game: str) -> TextList:
    return joined(
        text("stats.opponent", person=named(each.person), score=score(each.tally, game))
        for each in opponents
    )


def _below(record: Stats, *, lettered: bool) -> Iterator[Text]:
    if record.curve:
        yield text("stats.curve")
    if record.levels and not lettered:
        yield text("stats.legend" if CATALOGUE[record.game].game.draws else "stats.legend.decided")
        levels = ladder(record.game, record.levels)
        for each in record.levels:
            yield text(
                "stats.step",
                sign=_sign(each.level, levels),
                level=text(f"choice.level.{each.level}"),
            )


def _sign(level: Level, levels: Sequence[Level]) -> str:
    step = levels.index(level) + 1
    return "●" * step + "○" * (len(levels) - step)


def described(record: Stats) -> Iterator[Text]:
    """The picture in words, for those who cannot see it."""
    if record.curve:
        strengths = [point.rating.points for point in record.curve]
        yield text(
            "stats.picture.curve" if len(strengths) > 1 else "stats.picture.point",
            count=len(strengths),
            first=str(strengths[0]),
            last=str(strengths[-1]),
            lowest=str(min(strengths)),
            highest=str(max(strengths)),
        )
    for each in record.levels:
        level = text(f"choice.level.{each.level}")
        yield text("stats.picture.level", level=level, tally=tallied(each.tally, record.game))


def tallied(tally: Tally, game: str) -> Text:
    """A tally in words; draws only of a game that has some."""
    key = "records.tally" if CATALOGUE[game].game.draws else "records.tally.decided"
    return text(key, wins=tally.wins, draws=tally.draws, losses=tally.losses)


def score(tally: Tally, game: str) -> Text:
    """A tally in numbers alone; draws only of a game that has some."""
    key = "records.score" if CATALOGUE[game].game.draws else "records.score.decided"
    return text(key, wins=tally.wins, draws=tally.draws, losses=tally.losses)


WIDTH: Final = 720
MARGIN: Final = 28
PLOT_HEIGHT: Final = 330
LEFT, RIGHT = 92.0, 592.0
"""The edges of the curve and the bars in pixels; numbers are on both sides of them."""
MIDDLE: Final = (LEFT + RIGHT) / 2
BAR: Final = 68
"""The distance from one bar to the next."""
THICK: Final = 46
LETTERS: Final = 30
CAPTION: Final = 44
"""The height of a line of words."""
DIGIT: Final = 18
"""The width of a digit."""

GROUND: Final = "#1f2229"
GRID: Final = "#484d59"
INK: Final = "#f2f3f5"
BAND: Final = "#2d4a75"
CURVE_PAINT: Final = "#8ec5ff"
WON: Final = "#4a9bf0"
DRAWN: Final = "#d4d7dc"
LOST: Final = "#f4900c"
PAINTS: Final = {"win": WON, "draw": DRAWN, "loss": LOST}
STEPS: Final = (20, 50, 100, 200, 500, 1000, 2000)
"""The possible distances of grid lines, in points of rating."""
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


def _captions(record: Stats, lettering: Lettering) -> Mapping[str, Caption]:
    """The words of the picture by their keys; empty if this machine cannot write all of them."""
    outcomes = (f"outcome.{name}" for name in _outcomes(record))
    levels = (f"choice.level.{each.level}" for each in record.levels)
    keys = ("picture.rating", *outcomes, *levels)
    return dict(zip(keys, lettering.captions(*map(text, keys)), strict=False))


def is_lettered(record: Stats, lettering: Lettering) -> bool:
    """Whether the picture has words: this machine has a font for them."""
    return bool(_captions(record, lettering))


def _outcomes(record: Stats) -> tuple[str, ...]:
    return ("win", "draw", "loss") if CATALOGUE[record.game].game.draws else ("win", "loss")


def stats_picture(record: Stats, lettering: Lettering) -> bytes:
    """The picture, as PNG."""
    captions = _captions(record, lettering)
    line = CAPTION if captions else 0
    top, bars = MARGIN, (BAR + line) * len(record.levels)
    height = 2 * MARGIN + bars + (line if bars else 0)
    if record.curve:
        height += PLOT_HEIGHT + line + (MARGIN if bars else 0)
        top += PLOT_HEIGHT + line + MARGIN
    canvas = Canvas(WIDTH, height, GROUND)
    if record.curve:
        _curve(canvas, _ratings(record))
        if captions:
            below = MARGIN + PLOT_HEIGHT + line / 2
            canvas.write((MIDDLE, below), captions["picture.rating"], CURVE_PAINT, size=LETTERS)
    if captions and bars:
        _legend(canvas, record, captions, top)
        top += line
    _bars(canvas, record, top, captions, lettering)
    return canvas.png()


def _legend(canvas: Canvas, record: Stats, captions: Mapping[str, Caption], top: float) -> None:
    outcomes = _outcomes(record)
    wide = (RIGHT - LEFT) / len(outcomes)
    for place, outcome in enumerate(outcomes):
        left, to = LEFT + wide * place, top + CAPTION - 6
        canvas.rectangle((left + 1, top), (left + wide - 1, to), PAINTS[outcome], radius=8)
        middle = (left + wide / 2, top + CAPTION / 2 - 3)
        caption = captions[f"outcome.{outcome}"]
        canvas.write(middle, caption, GROUND, size=0.85 * LETTERS, within=wide - DIGIT)


def _ratings(record: Stats) -> list[Rating]:
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
    canvas.circle(at, 9, CURVE_PAINT)
    middle = ((RIGHT + WIDTH) / 2, at[1])
    canvas.write(middle, str(rating.points), CURVE_PAINT, size=1.15 * LETTERS)


def _bars(
    canvas: Canvas,
    record: Stats,
    top: float,
    captions: Mapping[str, Caption],
    lettering: Lettering,
) -> None:
    levels = ladder(record.game, record.levels)
    for result in record.levels:
        if captions:
            top += CAPTION
            named = (MIDDLE, top - CAPTION / 2 + 4)
            canvas.write(named, captions[f"choice.level.{result.level}"], INK, size=0.9 * LETTERS)
        y = top + BAR / 2
        _dots(canvas, y, levels.index(result.level) + 1, len(levels))
        _bar(canvas, y, result.tally)
        share = lettering.spelled(Percent(result.tally.win_rate or 0))
        canvas.write(((RIGHT + WIDTH) / 2, y), share, INK, size=LETTERS)
        top += BAR


def ladder(game: str, results: Sequence[LevelResult]) -> tuple[Level, ...]:
    """The levels of a game, the weakest first, and old ones that the person has played."""
    met = {each.level for each in results}
    return tuple(level for level in STRENGTH if level in CATALOGUE[game].levels or level in met)


def _dots(canvas: Canvas, y: float, filled: int, of: int) -> None:
    apart = 72 / of
    for index in range(of):
        centre = (LEFT / 2 + apart * (index - (of - 1) / 2), y)
        if index < filled:
            canvas.circle(centre, 7, INK)
        else:
            canvas.ring(centre, 6, INK, width=2)


def _bar(canvas: Canvas, y: float, tally: Tally) -> None:
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
