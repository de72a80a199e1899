"""A finished game in one picture for everybody: its end, its course, and what decided it.

The final board is on the left. On the right are the curves of the winning chances, and below them
the boards of the luckiest roll and of the worst capture, or of the turning points without dice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.games.catalogue import explainer_of, presenter_of
from bot.message.blocks import Picture, Prose, Screen
from bot.message.canvas import Canvas, Collage
from bot.message.fonts import Caption, Lettering
from bot.message.text import Percent, Separator, Text, joined, text
from bot.records.reviewed import ReviewedGame
from bot.screens.buttons import for_all
from bot.screens.in_words import outcome, tone, victory, winners
from bot.screens.lobby import emblem, what
from bot.screens.review import GROUND, INK, LETTERS, Plot, curves_in_words, draw_curves
from bot.table.actions import Action
from bot.table.session import Session
from bot.table.table import Table
from engine.game import CHANCE, Seat

PICTURE: Final = "game.png"
WIDTH, HEIGHT = 1280, 800
EDGE: Final = 20
HEADING: Final = 64
"""The height of the line that names the winner."""
BOARD: Final = (600, HEIGHT - HEADING - EDGE)
PLOT: Final = Plot(724.0, 1236.0, 96.0, 336.0)
SMALL_BOARD: Final = (304, 330)
HIGHLIGHTS: Final = ((644, 440), (956, 440))
"""The upper left corners of the boards of two highlights."""
LETTER_WIDE: Final = 0.6
"""The width of a letter by its height, on average."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """A highlight of a game, by the key of its texts.

    `ply` is that of the board after it, `change` the chance that it brought to its seat; `pips` is
    0 unless it is a roll.
    """

    key: str
    ply: int
    seat: Seat
    change: float
    pips: int = 0


def shared_game(table: Table, found: ReviewedGame, channel: int) -> Screen:
    """The end of a game and its picture, for everybody in a channel."""
    session = table.session
    told = Prose((what(session), *outcome(session)))
    words = (
        *outcome(session),
        *_highlights_in_words(session, found),
        *curves_in_words(table, found),
    )
    again = for_all(table, channel, Action.REPLAY, Action.REVIEW)
    return Screen((told, Picture(PICTURE, words), *again), tone(session))


def game_picture(table: Table, found: ReviewedGame, lettering: Lettering) -> bytes:
    """The picture as PNG; its words are left out where this machine cannot write them."""
    session = table.session
    canvas, highlights = Canvas(WIDTH, HEIGHT, GROUND), highlights_of(session, found)
    _head(canvas, session, lettering)
    for caption in lettering.captions(text("picture.chance")):
        _write(canvas, caption, (PLOT.left + PLOT.right) / 2, HEADING, PLOT.right - PLOT.left)
    draw_curves(canvas, PLOT, table, found, lettering)
    for highlight, (left, top) in zip(highlights, HIGHLIGHTS, strict=False):
        _label(canvas, session, highlight, (left + SMALL_BOARD[0] / 2, top), lettering)
    drawn = canvas.collage()
    _put(drawn, session, (EDGE, HEADING), BOARD)
    for highlight, corner in zip(highlights, HIGHLIGHTS, strict=False):
        _put(drawn, session.at(highlight.ply), corner, SMALL_BOARD)
    return drawn.reduced(256).png()


def highlights_of(session: Session, found: ReviewedGame) -> tuple[Highlight, ...]:
    """The luckiest roll and the worst capture; without dice the turning points."""
    if not session.game.dice:
        points = found.turning_points[:2]
        return tuple(Highlight("turning", each.ply + 1, each.seat, each.change) for each in points)
    rolls, captures = list[Highlight](), list[Highlight]()
    explainer = explainer_of(session)
    path = session.game.path(len(session.seats), session.options, session.moves)
    for ply in range(found.first, session.ply):
        before, move = path[ply], session.moves[ply]
        if before.turn == CHANCE and not before.opening:
            change = _change(found, ply, ply + 1, before.seat)
            rolls.append(Highlight("luckiest", ply + 1, before.seat, change, move))
        elif before.turn != CHANCE:
            rolled = max(found.first, ply - 1)
            captures += [
                Highlight("capture", ply + 1, seat, _change(found, rolled, ply + 1, seat))
                for seat in explainer.victims(before, move)
            ]
    luckiest = sorted(rolls, key=lambda roll: -roll.change)[:1]
    return *luckiest, *sorted(captures, key=lambda capture: capture.change)[:1]


def _change(found: ReviewedGame, since: int, until: int, seat: Seat) -> float:
    before, after = found.chances[since - found.first], found.chances[until - found.first]
    return after[seat] - before[seat]


def _highlights_in_words(session: Session, found: ReviewedGame) -> Iterator[Text]:
    for highlight in highlights_of(session, found):
        sign, share = emblem(session, highlight.seat), Percent(highlight.change, signed=True)
        yield text(f"share.told.{highlight.key}", emblem=sign, share=share, pips=highlight.pips)


def _head(canvas: Canvas, session: Session, lettering: Lettering) -> None:
    explainer, seats, won = explainer_of(session), len(session.seats), winners(session)
    middle, signs = EDGE + BOARD[0] / 2, max(1, len(won))
    for caption in lettering.captions(victory(session)):
        _write(canvas, caption, middle, HEADING / 2, BOARD[0] - (signs + 1) * HEADING)
    for number, seat in enumerate(won):
        x = EDGE + HEADING / 2 + number * HEADING / 2
        explainer.draw(seats, seat, canvas, (x, HEADING / 2), HEADING * 0.4)


def _label(
    canvas: Canvas,
    session: Session,
    highlight: Highlight,
    below: tuple[float, float],
    lettering: Lettering,
) -> None:
    middle, bottom = below
    for caption in lettering.captions(text(f"share.label.{highlight.key}")):
        _write(canvas, caption, middle, bottom - 56, SMALL_BOARD[0] - 12)
    share = Percent(highlight.change, signed=True)
    said = joined((str(highlight.pips), share), Separator.DOT) if highlight.pips else share
    for caption in lettering.captions(said):
        _write(canvas, caption, middle, bottom - 22, SMALL_BOARD[0])
    sign = middle - SMALL_BOARD[0] / 2 + 20, bottom - 22
    explainer_of(session).draw(len(session.seats), highlight.seat, canvas, sign, 22)


def _write(canvas: Canvas, caption: Caption, middle: float, y: float, wide: float) -> None:
    size = min(LETTERS + 4, wide / (LETTER_WIDE * max(1, len(caption.words))))
    canvas.write((middle, y), caption, INK, size=size, within=wide)


def _put(drawn: Collage, session: Session, corner: tuple[int, int], size: tuple[int, int]) -> None:
    board = Collage.within(presenter_of(session).picture(session), size)
    drawn.put(board, (corner[0] + (size[0] - board.size[0]) // 2, corner[1]))
