"""The podium of a season: the best of each game in words, and all in one picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final, TypeAlias

from bot.message.blocks import Block, Picture, Prose
from bot.message.canvas import Canvas, Point
from bot.message.fonts import Lettering
from bot.message.text import Month, Text, text
from bot.records.summaries import PODIUM, Ranked
from bot.screens.leaderboard import MEDALS, ranked_line
from bot.screens.profiles import NOBODY_KNOWN, Profile, Profiles

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


def podiums(month: date, best: Podiums) -> Iterator[Block]:
    """The podium of each game that was played in a month, and a picture of all."""
    lines = [text("podium.title", month=Month(month))]
    for game, its in best.items():
        lines += (text(f"game.{game}"), *(ranked_line(each, game) for each in its))
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
