"""The review of a finished game: the course of the chances, the turning points, and the luck.

The picture is a dark card like that of `/stats`: a curve of each seat's winning chance in the
seat's colour, the turning points on it by their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.games.catalogue import CATALOGUE, explainer_of
from bot.message.blocks import (
    Choice,
    Control,
    FormQuestion,
    FormScreen,
    OneFile,
    OneOf,
    Picture,
    Prose,
    Screen,
    Tone,
    id_kind,
    rows,
)
from bot.message.canvas import Canvas, Point
from bot.message.fonts import Lettering
from bot.message.text import Percent, Text, text
from bot.records.reviewed import ReviewedGame, TurningPoint
from bot.screens.buttons import control
from bot.screens.lobby import emblem, who
from bot.screens.tree import last_moves
from bot.table.actions import Action, numbered
from bot.table.seats import Pace, PersonId, Vacant, player_of
from bot.table.session import Ending, Phase, Session, SessionId
from bot.table.table import DISCORD_EPOCH, NO_CHANNEL, Place, Table
from engine.files.record import Record
from engine.game import CHANCE, Seat
from engine.review import calibrated

PICTURE: Final = "review.png"
WIDTH, HEIGHT = 720, 330
GROUND: Final = "#1f2229"
GRID: Final = "#484d59"
INK: Final = "#f2f3f5"
LETTERS: Final = 26
MARK: Final = 15
TOLD_AT_LENGTH: Final = 2
"""The most players with two lines each, so that they fit a phone."""
CAPTION: Final = 36
"""The height of a line of words."""


UNKEPT: Final = SessionId(0)
"""The number of a game that is not stored, but only in a file."""


@id_kind("u1")
@dataclass(frozen=True, slots=True)
class ReviewForm:
    """The form in which a person hands in a game as a file."""

    def form(self) -> FormScreen:
        """The form."""
        games = [key for key, entry in CATALOGUE.items() if entry.explainer is not None]
        choices = (Choice(key, text(f"game.{key}"), chosen=key == games[0]) for key in games)
        return FormScreen(
            self,
            text("control.review_file"),
            (
                FormQuestion("file", text("review.file"), OneFile(), text("review.file.about")),
                FormQuestion(
                    "game",
                    text("review.file.game"),
                    OneOf(tuple(choices)),
                    text("review.file.game.about"),
                ),
            ),
        )


def of_file(record: Record, locale: str) -> Table:
    """The table of a game in a file, with unknown players."""
    session = Session(
        record.game,
        record.options,
        Pace.RELAXED,
        PersonId(0),
        (Vacant(),) * record.seats,
        Phase.FINISHED,
        record.moves,
        record.game.replay(record.seats, record.options, record.moves),
        ending=Ending.PLAYED,
        payoff=tuple(map(float, record.result)),
    )
    nowhere = Place(None, NO_CHANNEL)
    return Table(UNKEPT, 0, session, nowhere, locale, moved_at=DISCORD_EPOCH, due=None)


@dataclass(frozen=True, slots=True)
class Plot:
    """The place of curves in a picture, in pixels; the numbers of the axis are left of it."""

    left: float
    right: float
    top: float
    bottom: float

    def at(self, found: ReviewedGame, step: int, chance: float) -> Point:
        """The point of a chance after a number of reviewed plies."""
        x = self.left + (self.right - self.left) * step / max(1, len(found.chances) - 1)
        return x, self.bottom - (self.bottom - self.top) * chance


PLOT: Final = Plot(76.0, 676.0, 24.0, 300.0)
SIGN: Final = 32
"""The side of the sign of a seat, right of its curve's end."""


def review(table: Table, found: ReviewedGame, reader: PersonId | None) -> Screen:
    """The review for one reader; for all if `reader` is None, without controls.

    A game that is not stored has no controls either, since they lead to its boards.
    """
    seats = range(len(table.session.seats))
    summary = (line for seat in seats for line in _summary(table, found, Seat(seat)))
    points = [*_points(table, found, reader)]
    if not calibrated(table.session.game, table.session.options):
        points.append(text("review.about"))
    unkept = table.id == UNKEPT
    title = (
        text("review.file.title", game=text(f"game.{table.session.game.key}"))
        if unkept
        else text("review.title", number=str(table.id))
    )
    blocks = (
        Prose((title,)),
        Picture(PICTURE, tuple(curves_in_words(table, found))),
        Prose((*summary, *points)),
    )
    if reader is None or unkept:
        return Screen(blocks, Tone.OVER)
    return Screen((*blocks, *rows(_controls(table, found))), Tone.OVER)


def _controls(table: Table, found: ReviewedGame) -> Iterator[Control]:
    for number, point in enumerate(found.turning_points, 1):
        yield Control(numbered(Action.SHOW, point.ply + 1), text("control.show", number=number))
    if last_moves(table.session) is not None:
        yield control(Action.TREE)
    yield control(Action.SHARE_REVIEW)


def _summary(table: Table, found: ReviewedGame, seat: Seat) -> Iterator[Text]:
    played = found.seats[seat]
    accuracy = Percent(1.0 if played.accuracy is None else played.accuracy)
    yield text("review.seat", accuracy=accuracy, **who(table.session, seat))
    luck = Percent(played.luck, signed=True)
    if len(found.seats) > TOLD_AT_LENGTH:
        yield text("review.brief", count=played.slips, luck=luck)
        return
    yield text("review.play", count=played.slips)
    if table.session.game.dice:
        yield text("review.luck", share=luck, chance=Percent(played.adjusted))


def _points(table: Table, found: ReviewedGame, reader: PersonId | None) -> Iterator[Text]:
    explainer = explainer_of(table.session)
    for number, (point, told) in enumerate(
        zip(found.turning_points, points_in_words(table, found, reader), strict=True), 1
    ):
        line = text("review.point", number=number, told=told)
        if point.best is None or point.best == point.move:
            yield line
        else:
            position = table.session.at(point.ply).position
            yield text("review.point.better", point=line, best=explainer.move(position, point.best))


def points_in_words(table: Table, found: ReviewedGame, reader: PersonId | None) -> Iterator[Text]:
    """A sentence for each turning point: who did what, and how much their chance changed.

    If the reader lost tokens by it, the change of the reader's chance is told instead.
    """
    session, explainer = table.session, explainer_of(table.session)
    for point in found.turning_points:
        sign, change = emblem(session, point.seat), point.change
        if point.best is not None:
            move = explainer.move(session.at(point.ply).position, point.move)
            changed = Percent(change, signed=True)
            key = "review.moved.about" if point.about else "review.moved"
            yield text(key, emblem=sign, move=move, change=changed)
            continue
        lost = _lost(session, point.ply, reader)
        if lost is not None:
            before, after = found.chances[point.ply - found.first :][:2]
            change = after[lost] - before[lost]
        told = {"emblem": sign, "change": Percent(change, signed=True)}
        yield explainer.rolled(session, point.ply, yours=lost is not None, **told)


def _lost(session: Session, roll: int, reader: PersonId | None) -> Seat | None:
    """The seat of the reader, if its tokens were captured by the move after a roll."""
    if reader is None or roll + 1 >= session.ply:
        return None
    after = session.at(roll + 1).position
    if after.turn == CHANCE:
        return None
    victims = explainer_of(session).victims(after, session.moves[roll + 1])
    return next((seat for seat in victims if player_of(session.seats[seat]) == reader), None)


def curves_in_words(table: Table, found: ReviewedGame) -> Iterator[Text]:
    """A line for each seat's curve."""
    for seat in range(len(table.session.seats)):
        chances = [each[seat] for each in found.chances]
        yield text(
            "review.curve",
            emblem=emblem(table.session, seat),
            first=Percent(chances[0]),
            last=Percent(chances[-1]),
            lowest=Percent(min(chances)),
            highest=Percent(max(chances)),
        )


def review_picture(table: Table, found: ReviewedGame, lettering: Lettering) -> bytes:
    """The curves as PNG, with a caption below if this machine has a font for it."""
    captions = lettering.captions(text("picture.chance"))
    canvas = Canvas(WIDTH, HEIGHT + CAPTION * len(captions), GROUND)
    for caption in captions:
        centre = (PLOT.left + PLOT.right) / 2, HEIGHT + CAPTION / 4
        canvas.write(centre, caption, INK, size=LETTERS)
    draw_curves(canvas, PLOT, table, found, lettering)
    for number, (point, at) in enumerate(marks(found), 1):
        _mark(canvas, point, at, number)
    return canvas.png()


def draw_curves(
    canvas: Canvas, plot: Plot, table: Table, found: ReviewedGame, lettering: Lettering
) -> None:
    """Draw each seat's chances in its colour, over the lines of the axis."""
    for share in (0.0, 0.5, 1.0):
        (left, y), (right, _) = (
            plot.at(found, step, share) for step in (0, len(found.chances) - 1)
        )
        canvas.line(((left, y), (right, y)), GRID, width=1.5)
        canvas.write((plot.left - 38, y), lettering.spelled(Percent(share)), INK, size=LETTERS)
    explainer, seats = explainer_of(table.session), len(table.session.seats)
    for seat in reversed(range(seats)):
        line = [plot.at(found, ply, each[seat]) for ply, each in enumerate(found.chances)]
        canvas.line(line, explainer.paint(seats, Seat(seat)), width=4)
    for seat, y in ends(plot, found):
        explainer.draw(seats, seat, canvas, (plot.right + SIGN * 0.6, y), SIGN)


def ends(plot: Plot, found: ReviewedGame) -> list[tuple[Seat, float]]:
    """The heights of the seats' signs, at the ends of their curves but not overlapping."""
    last = len(found.chances) - 1
    heights = sorted((plot.at(found, last, c)[1], seat) for seat, c in enumerate(found.chances[-1]))
    lowest = plot.bottom - SIGN * (len(heights) - 1)
    placed: list[tuple[Seat, float]] = []
    for number, (y, seat) in enumerate(heights):
        above = placed[-1][1] + SIGN if placed else y
        placed.append((Seat(seat), min(max(y, above), lowest + SIGN * number)))
    return placed


def marks(found: ReviewedGame) -> list[tuple[TurningPoint, Point]]:
    """The turning points, and positions of their numbers on the curves that do not overlap."""
    placed: list[tuple[TurningPoint, Point]] = []
    for point in found.turning_points:
        after = point.ply - found.first + 1
        x, y = PLOT.at(found, after, found.chances[after][point.seat])
        x = min(max(x, PLOT.left + MARK), PLOT.right - MARK)
        y = min(max(y, PLOT.top + MARK), PLOT.bottom - MARK)
        inwards = 1 if y < (PLOT.top + PLOT.bottom) / 2 else -1
        while any(max(abs(x - left), abs(y - top)) < 2 * MARK for _, (left, top) in placed):
            y += inwards
        placed.append((point, (x, y)))
    return placed


def _mark(canvas: Canvas, point: TurningPoint, at: Point, number: int) -> None:
    x, y = at
    if point.best is None:
        canvas.circle((x, y), MARK, INK)
    else:
        canvas.rectangle((x - MARK, y - MARK), (x + MARK, y + MARK), INK, radius=4)
    canvas.write((x, y), str(number), GROUND, size=LETTERS)
