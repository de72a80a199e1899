"""The best of games: the screen of `/leaderboard`, and the podium of a month.

A leaderboard is of one game or of the puzzle, page by page, with the reader's own place. The podium
is of all games that were played, in words and in one picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final, TypeAlias

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Block, Picture, Prose, Screen, Tone
from bot.message.canvas import Canvas, Point
from bot.message.fonts import Lettering
from bot.message.text import CommandMention, Month, Text, named, text
from bot.records.puzzles import LeagueLine
from bot.records.rating import ALL_TIME, Season, first_day
from bot.records.summaries import PODIUM, Leaderboard, Ranked
from bot.screens.pager import PUZZLE, RecordsPage, When, ways_on, which_page
from bot.screens.profiles import NOBODY_KNOWN, Profile, Profiles
from bot.screens.stats import score
from bot.table.seats import PersonId

MEDALS: Final = ("🥇", "🥈", "🥉")

WIDTH, HEIGHT = 720, 204
GROUND: Final = "#1f2229"
INK: Final = "#f2f3f5"
METALS: Final = ("#f2c14e", "#c9ced6", "#c98a55")
STEPS: Final = (64, 48, 34)
"""The heights of the steps, the highest first."""
FROM_LEFT: Final = (1, 0, 2)
"""The columns of the lines, the best in the middle."""
LETTERS, WIDEST = 38, 180
"""The size of a rating and the width of a step, at most."""
NAME, AVATAR = 24, 48
"""The size of a name, and the side of an avatar."""
PICTURE: Final = "podium.png"

Podiums: TypeAlias = Mapping[str, Sequence[Ranked]]
"""The best of games by their keys."""

Board: TypeAlias = Leaderboard[Ranked] | Leaderboard[LeagueLine]
"""A page of the leaderboard of a game, or of the puzzle."""


def leaderboard(
    board: Board, page: RecordsPage, season: Season, *, reader: PersonId, private: bool
) -> Screen:
    """A page of a season's leaderboard; `private` places have no server with its own ranking."""
    assert page.game is not None, "a leaderboard is of one game"
    game, page, over = page.game, replace(page, number=board.page), page.when is When.LAST
    empty, begin, legend = _sentences(game, over=over)
    own = () if over and board.own is None else _own(board, game, reader, begin)
    lines = [_line(each, game, reader) for each in board.lines]
    best = Prose((_title(page, season), *(lines or [empty])))
    notes = (*own, *which_page(board.page, board.pages), *([legend] if lines else []))
    below = [Prose(notes)] if notes else []
    ways = ways_on(page, board.pages, private=private)
    return Screen((best, *below, *ways), Tone.OVER)


def _sentences(game: str, *, over: bool) -> tuple[Text, Text, Text]:
    """The texts instead of lines, instead of the reader's own line, and below the lines."""
    if game == PUZZLE:
        return (
            text("league.empty.last" if over else "league.empty"),
            text("league.begin", command=CommandMention(PUZZLE)),
            text("league.legend"),
        )
    entry, within = CATALOGUE[game], text(f"game.{game}.within")
    return (
        text("leaderboard.empty.last" if over else "leaderboard.empty", game=within),
        text("leaderboard.begin", command=CommandMention(entry.command.name)),
        text("leaderboard.legend" if entry.game.draws else "leaderboard.legend.decided"),
    )


def points(line: LeagueLine) -> int | float:
    """The points of a line, with a fraction only if there is one."""
    return int(line.points) if line.points.is_integer() else line.points


def _title(page: RecordsPage, season: Season) -> Text:
    when = text("season.ever") if season == ALL_TIME else Month(first_day(season))
    game = text(f"game.{page.game}")
    return text("leaderboard.title", game=game, where=page.where, when=when)


def _line(line: Ranked | LeagueLine, game: str, reader: PersonId | None = None) -> Text:
    """A person's line, marked if it is the reader's own."""
    own = line.person == reader
    if isinstance(line, LeagueLine):
        return text(
            "league.own" if own else "league.line",
            place=_place(line.place),
            person=named(line.person),
            points=points(line),
            solved=line.solved,
        )
    keys = {
        (False, False): "leaderboard.line",
        (False, True): "leaderboard.line.provisional",
        (True, False): "leaderboard.own",
        (True, True): "leaderboard.own.provisional",
    }
    return text(
        keys[own, line.provisional],
        place=_place(line.place, medals=line.tally.wins > 0),
        person=named(line.person),
        rating=str(line.rating.points),
        score=score(line.tally, game),
    )


def _place(place: int, *, medals: bool = True) -> Text:
    if medals and place <= len(MEDALS):
        return text("leaderboard.medal", medal=MEDALS[place - 1])
    return text("leaderboard.place", place=place)


def _own(board: Board, game: str, reader: PersonId, begin: Text) -> Iterator[Text]:
    if board.own is None:
        yield begin
        return
    if board.own.person not in {each.person for each in board.lines}:
        yield _line(board.own, game, reader)
    yield text("leaderboard.standing", place=board.own.place, people=board.people)


def podiums(month: date, best: Podiums) -> Iterator[Block]:
    """The podium of each game that was played in a month, and a picture of all podiums."""
    lines = [text("podium.title", month=Month(month))]
    for game, its in best.items():
        lines += (text(f"game.{game}"), *(_line(each, game) for each in its))
    yield Prose(tuple(lines))
    yield Picture(PICTURE, tuple(described(best)))


def described(best: Podiums) -> Iterator[Text]:
    """The picture in words, for those who cannot see it."""
    for game, lines in best.items():
        yield text(f"game.{game}")
        for each in lines:
            yield text("podium.step", place=each.place, rating=str(each.rating.points))


def podium_picture(best: Podiums, lettering: Lettering, profiles: Profiles = NOBODY_KNOWN) -> bytes:
    """The steps of each game with their places, and above them ratings and players, as PNG."""
    canvas, share = Canvas(WIDTH, HEIGHT, GROUND), WIDTH / len(best)
    avatars: list[tuple[Profile, Point]] = []
    for number, lines in enumerate(best.values()):
        wide = min(WIDEST, share / PODIUM)
        left = (number + 0.5) * share - 1.5 * wide
        for each, column in zip(lines, FROM_LEFT, strict=False):
            corner = left + wide * column, HEIGHT - STEPS[each.place - 1]
            middle, y = _step(canvas, each, corner, wide)
            if (profile := profiles.get(each.person)) is not None:
                for caption in profile.captions(lettering):
                    canvas.write((middle, y), caption, INK, size=NAME, within=wide - 8)
                at = middle - AVATAR / 2, y - NAME / 2 - AVATAR - 4
                avatars.append((profile, at))
    drawn = canvas.collage()
    for profile, at in avatars:
        profile.put_avatar(drawn, at, AVATAR)
    return drawn.png()


def _step(canvas: Canvas, each: Ranked, corner: Point, wide: float) -> Point:
    """Draw a step with its place and rating, and return where the name belongs."""
    metal, letters, (left, top) = METALS[each.place - 1], min(LETTERS, 0.36 * wide), corner
    middle, high = left + wide / 2, HEIGHT - top
    canvas.rectangle((left + 4, top), (left + wide - 4, HEIGHT), metal, radius=10)
    canvas.write((middle, top + high / 2), str(each.place), GROUND, size=0.8 * high)
    canvas.write((middle, top - 0.75 * letters), str(each.rating.points), INK, size=letters)
    return middle, top - 1.5 * letters - NAME / 2


assert len(MEDALS) == len(METALS) == len(STEPS) == PODIUM
