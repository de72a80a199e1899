"""The podium of a season: the best of each game in words, and as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from bot.message.blocks import Block, Picture, Prose
from bot.message.canvas import Canvas
from bot.message.text import Month, Text, text
from bot.records.summaries import PODIUM, Ranked
from bot.screens.leaderboard import MEDALS, ranked_line

WIDTH, HEIGHT = 720, 220
GROUND: Final = "#1f2229"
INK: Final = "#f2f3f5"
METALS: Final = ("#f2c14e", "#c9ced6", "#c98a55")
STEPS: Final = (140, 100, 66)
"""The heights of the steps, the highest first."""
FROM_LEFT: Final = (1, 0, 2)
"""The columns of the lines, the best in the middle."""
LETTERS: Final = 38


def podiums(month: date, best: Mapping[str, Sequence[Ranked]]) -> Iterator[Block]:
    """The podium of each game that was played in a month, by its key."""
    yield Prose((text("podium.title", month=Month(month)),))
    for game, lines in best.items():
        yield Prose((text(f"game.{game}"), *(ranked_line(each, game) for each in lines)))
        yield Picture(picture_name(game), described(lines))


def picture_name(game: str) -> str:
    """The name of the file with a game's podium."""
    return f"podium-{game}.png"


def described(best: Sequence[Ranked]) -> tuple[Text, ...]:
    """The picture in words, for those who cannot see it."""
    return tuple(
        text("podium.step", place=each.place, rating=str(each.rating.points)) for each in best
    )


def podium_picture(best: Sequence[Ranked]) -> bytes:
    """The steps with their places, and the ratings above them, as PNG."""
    canvas, wide = Canvas(WIDTH, HEIGHT, GROUND), WIDTH / (PODIUM + 1)
    for each, column in zip(best, FROM_LEFT, strict=False):
        metal, high = METALS[each.place - 1], STEPS[each.place - 1]
        left, top = wide / 2 + wide * column, HEIGHT - high
        middle = left + wide / 2
        canvas.rectangle((left + 4, top), (left + wide - 4, HEIGHT), metal, radius=10)
        canvas.write((middle, top + high / 2), str(each.place), GROUND, size=1.3 * LETTERS)
        canvas.write((middle, top - 0.75 * LETTERS), str(each.rating.points), INK, size=LETTERS)
    return canvas.png()


assert len(MEDALS) == len(METALS) == len(STEPS) == PODIUM
