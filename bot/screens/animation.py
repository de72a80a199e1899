"""A finished game as an animation for everybody: move by move, or with dice by its turning points.

It has at most 20 seconds, after which it begins anew, and two megabytes, so that every client shows
it. The words in it are the names of sides and shares of the winning chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.games.catalogue import CATALOGUE, explainer_of, presenter_of
from bot.message.blocks import Picture, Prose, Row, Screen, Tone, rows
from bot.message.canvas import Canvas, Collage, animation
from bot.message.fonts import Caption, Lettering
from bot.message.text import Percent, Separator, TextValue, joined, text
from bot.records.reviewed import ReviewedGame
from bot.screens.buttons import control
from bot.screens.challenge import what
from bot.screens.outcome import outcome, tone, victory
from bot.screens.review import GROUND, INK, points_in_words
from bot.screens.table_views import board_words
from bot.table.actions import Action
from bot.table.session import Session
from bot.table.table import Table

FILE: Final = "game.gif"
WIDTHS: Final = (480, 320, 200)
"""The widths that are tried, until the file is small enough."""
LARGEST: Final = 2_000_000
"""Bytes of the file."""
LONGEST: Final = 20_000
END: Final = 4_000
MOVE: Final = 800
BEFORE: Final = 1_500
AFTER: Final = 3_000
"""Milliseconds: of all, of the end, of a move, and of a turning point before and after it."""
HEADING: Final = 40
"""The height of the words above a board."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The board of a ply, shown for so many milliseconds below a line of words, if it has one."""

    ply: int
    milliseconds: int
    caption: Caption | None = None


def offer(session: Session) -> Screen:
    """The question of what of a game everybody should see; one that is explained also moves."""
    ways = [control(Action.SHARE_STOP)]
    if CATALOGUE[session.game.key].explainer is not None:
        ways.append(control(Action.ANIMATE))
    return Screen((Prose((text("share.what"),)), *rows(ways)), Tone.OVER)


def shared_animation(table: Table, found: ReviewedGame | None) -> Screen:
    """A game in motion, for everybody, and told in words: its end, and what decided it."""
    ended = tuple(outcome(table.session))
    points = () if found is None else tuple(points_in_words(table, found, None))
    picture = Picture(FILE, (*ended, *points, *board_words(table)))
    again = Row((control(Action.REPLAY), control(Action.REVIEW)))
    return Screen((Prose((what(table.session), *ended)), picture, again), tone(table.session))


def frames(session: Session, found: ReviewedGame | None, lettering: Lettering) -> tuple[Frame, ...]:
    """The frames of a game; with its review they are those of its turning points."""
    end = Frame(session.ply, END, _caption(victory(session), lettering))
    if found is not None:
        return (*_turning(session, found, lettering), end)
    each = min(MOVE, (LONGEST - END) // max(1, session.ply))
    return (*(Frame(ply, each) for ply in range(session.ply)), end)


def painted(session: Session, shown: Sequence[Frame]) -> bytes:
    """The animation as GIF."""
    boards = [(presenter_of(session).picture(session.at(frame.ply)), frame) for frame in shown]
    gif = b""
    for width in WIDTHS:
        gif = animation(
            [(_put(board, frame, width), frame.milliseconds) for board, frame in boards]
        )
        if len(gif) <= LARGEST:
            break
    return gif


def _turning(session: Session, found: ReviewedGame, lettering: Lettering) -> Iterator[Frame]:
    explainer, seats = explainer_of(session), len(session.seats)
    for point in sorted(found.turning_points, key=lambda point: point.ply):
        told = (explainer.name(seats, point.seat), Percent(point.change, signed=True))
        caption = _caption(joined(told, Separator.DOT), lettering)
        yield Frame(point.ply, BEFORE)
        yield Frame(min(point.ply + 1 + (point.best is None), session.ply), AFTER, caption)


def _caption(words: TextValue, lettering: Lettering) -> Caption | None:
    return next(iter(lettering.captions(words)), None)


def _put(board: bytes, frame: Frame, width: int) -> Collage:
    drawn = Collage.within(board, (width, 2 * width))
    whole = Collage.blank((width, drawn.size[1] + HEADING), GROUND)
    whole.put(drawn, (0, HEADING))
    if frame.caption is not None:
        canvas = Canvas(width, HEADING, GROUND)
        canvas.write((width / 2, HEADING / 2), frame.caption, INK, size=22, within=width - 16)
        whole.put(canvas.collage(), (0, 0))
    return whole
