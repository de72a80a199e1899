"""A finished game, one turn at a time for one reader, and as an animation for everybody.

It stops after every turn; the rolls for who begins are one stop together. The controls' ids have
the ply of the stop, so that nothing has to be stored about readers.

The animation shows every move, or in a game with dice the turning points. It lasts at most 20
seconds, then repeats, and has at most 2 MB, so that every client shows it. Its words are the names
of sides and winning chances.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.games.catalogue import CATALOGUE, explainer_of, presenter_of
from bot.message.blocks import Block, Choice, Control, Menu, Picture, Prose, Row, Screen, Tone, rows
from bot.message.canvas import Canvas, Collage, animation
from bot.message.fonts import Caption, Lettering
from bot.message.text import Percent, Separator, Text, TextValue, joined, text
from bot.records.reviewed import ReviewedGame
from bot.screens.board import CROWDED, below
from bot.screens.buttons import control, for_all
from bot.screens.dice import small_line
from bot.screens.in_words import happened, outcome, tone, victory
from bot.screens.lobby import what, who
from bot.screens.review import GROUND, INK, points_in_words
from bot.screens.table_views import board_words
from bot.table.actions import Action
from bot.table.session import Phase, Session
from bot.table.table import Table
from engine.files import json_text
from engine.files import text as plain_text
from engine.files.record import Record, exact
from engine.files.text import Turn, turns
from engine.game import State
from engine.notation import notation

FEW: Final = 20
"""The most stops of a replay that has buttons only; longer ones have a menu."""

MOST_CHOICES: Final = 25
"""The most lines of a menu."""

MOST_SQUARES: Final = 9
"""The most squares of a board of buttons, so that a replay's buttons fit below it."""

LEARNT: Final = (Action.WHY, Action.WHAT_IF, Action.REVIEW)
"""The buttons about a game that the computer explains."""

TAKEN_ALONG: Final = (Action.AS_FILES, Action.PROOF)
"""The buttons for a game's files, the last one only with dice."""

IN_MENU: Final = (*LEARNT[1:], *TAKEN_ALONG)
"""The actions at the end of a long game's menu, as far as the game has them."""

OF_A_MOVE: Final = frozenset({Action.WHY, Action.WHAT_IF})
"""The actions about the last move, which are not possible before the first."""


class Replay:
    """A finished game with its stops: 0 is the position before the first turn, n that after turn n.

    With a `ply` inside a turn, that turn ends there, so that its stop shows exactly this ply.
    """

    def __init__(self, table: Table, ply: int | None = None) -> None:
        session = table.session
        played = turns(session.game, len(session.seats), session.options, session.moves)
        self._table = table
        self._played = tuple(played)
        self._turns = _together(self._played)
        if ply is not None:
            position = session.at(ply).position
            self._turns = tuple(_until(turn, ply, position) for turn in self._turns)

    def led(self, action: str, ply: int, value: str = "") -> int:
        """The stop to which a control leads from the board of `ply`; `value` is a menu's choice."""
        ends = [turn.end for turn in self._turns]
        match action:
            case Action.PREVIOUS:
                return sum(end < ply for end in ends)
            case Action.NEXT:
                return min(sum(end <= ply for end in ends) + 1, len(ends))
            case Action.LAST:
                return len(ends)
            case Action.GO_TO if value.isdecimal():
                return min(int(value), len(ends))
            case _:
                return 0

    def stop_at(self, ply: int) -> int:
        """The stop that a board of `ply` shows."""
        return sum(turn.end <= ply for turn in self._turns)

    def board(self, stop: int) -> Table:
        """The table as it was at a stop, but over, so that nobody can move there."""
        session = self._table.session
        if stop:
            turn = self._turns[stop - 1]
            position, moves = turn.after, session.moves[: turn.end]
        else:
            position, moves = session.game.start(len(session.seats), session.options), ()
        return replace(self._table, session=replace(session, moves=moves, position=position))

    def screen(self, stop: int, *, in_words: bool = False) -> Screen:
        """The board at a stop, who moved, and the way to the other stops."""
        table = self.board(stop)
        news = Prose((*self._news(stop),))
        board = self._words(stop) if in_words else _drawn(table.session)
        ways: tuple[Block, ...] = (
            *rows(self._ways(stop)),
            *self._leaps(stop),
            *rows(self._about(stop)),
        )
        told = happened(table.session, self._begin(stop)) if 0 < stop < len(self._turns) else ()
        few = table.session.has_lobby  # its board leaves no characters for the players
        small = (small_line(table),) if few else below(table, CROWDED)
        return Screen((news, *board, *ways, Prose((*told, *small))), Tone.OVER)

    def _words(self, stop: int) -> tuple[Block, ...]:
        """The position at a stop in words, before the end as it was while the game ran."""
        session = self.board(stop).session
        if not self._ended(stop):
            session = replace(session, phase=Phase.RUNNING)
        return (Prose(presenter_of(session).words(session)),)

    def _news(self, stop: int) -> Iterator[Text]:
        session, of = self._table.session, len(self._turns)
        if not stop:
            yield text("replay.start", of=of)
        else:
            turn = self._turns[stop - 1]
            told, since = self._turn(turn, number=stop), self._begin(stop)
            rolled = [
                str(pips)
                for each in self._played
                for ply, pips in each.rolls
                if since <= ply < turn.end
            ]
            yield text("replay.rolls", turn=told, rolls=" ".join(rolled)) if rolled else told
        if self._ended(stop):
            yield from outcome(session)

    def _ended(self, stop: int) -> bool:
        """Whether a stop shows the end of the game."""
        end = self._turns[stop - 1].end if stop else 0
        return end == self._table.session.ply

    def _begin(self, stop: int) -> int:
        return self._turns[stop - 2].end if stop > 1 else 0

    def _turn(self, turn: Turn, *, number: int) -> Text:
        session, of = self._table.session, len(self._turns)
        if not session.game.dice:
            move = turn.named(notation(session.game))
            seat = who(session, turn.seat)
            return text("replay.move", number=number, of=of, move=move, **seat)
        if turn.opening:
            return text("replay.roll_off", number=number, of=of)
        return text("replay.turn", number=number, of=of, **who(session, turn.seat))

    def _ways(self, stop: int) -> Iterator[Control]:
        before, after = stop > 0, not self._ended(stop)
        if not self._long:
            yield control(Action.FIRST, enabled=before)
        yield control(Action.PREVIOUS, enabled=before)
        yield control(Action.NEXT, enabled=after)
        if not self._long:
            yield control(Action.LAST, enabled=after)

    @property
    def _long(self) -> bool:
        """Whether a menu leads to the stops and to more: a phone has no room for all buttons."""
        return len(self._turns) > FEW

    def _leaps(self, stop: int) -> Iterator[Menu]:
        if not self._long:
            return
        of = len(self._turns)
        more = [each for each in self._more if each in IN_MENU and (stop or each not in OF_A_MOVE)]
        steps = MOST_CHOICES - len(more) - 1
        ends = {0: text("control.first"), of: text("control.last")}
        there = (
            Choice(
                str(number),
                ends.get(number, text("replay.stop", number=number, of=of)),
                chosen=number == stop,
            )
            for number in sorted({of * step // steps for step in range(steps + 1)})
        )
        others = (Choice(each, text(each.button.label)) for each in more)
        yield Menu(Action.GO_TO, text("menu.go_to"), (*there, *others))

    def _about(self, stop: int) -> Iterator[Control]:
        """The ways to learn about the game, and to share it and take it along."""
        for each in self._more:
            if not (self._long and each in IN_MENU):
                yield control(each, enabled=stop > 0 or each not in OF_A_MOVE)

    @property
    def _more(self) -> tuple[Action, ...]:
        explained = CATALOGUE[self._table.session.game.key].explainer is not None
        taken = TAKEN_ALONG if self._table.dice is not None else TAKEN_ALONG[:-1]
        return (*(LEARNT if explained else ()), Action.SHARE_REPLAY, *taken)


def as_text(table: Table) -> str:
    """A finished game as a file for people; it names nobody."""
    return plain_text.written(_record(table))


def as_json(table: Table) -> str:
    """A finished game as a JSON file for programs."""
    return json_text.written(_record(table))


def _record(table: Table) -> Record:
    session = table.session
    assert session.payoff is not None, "a finished game has a result"
    assert session.ending is not None, "a finished game has an ending"
    return Record(
        game=session.game,
        seats=len(session.seats),
        options=session.options,
        moves=session.moves,
        ending=session.ending.value,
        result=exact(session.payoff),
        number=table.id,
    )


def _until(turn: Turn, ply: int, position: State) -> Turn:
    """A turn up to a ply within it; any other turn as it is."""
    if not turn.ply < ply < turn.end:
        return turn
    rolls = tuple(roll for roll in turn.rolls if roll[0] < ply)
    return replace(turn, moves=turn.moves[: ply - turn.ply], rolls=rolls, after=position)


def _together(played: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns without the rolls for who begins, except the last of these."""
    following = (*played, None)[1:]
    return tuple(
        turn
        for turn, after in zip(played, following, strict=True)
        if not (turn.opening and after is not None and after.opening)
    )


def _drawn(session: Session) -> tuple[Block, ...]:
    """The board of buttons if a replay has room for it, else its drawing."""
    presenter = presenter_of(session)
    board = presenter.board(session)
    squares = sum(len(block.controls) for block in board if isinstance(block, Row))
    return board if 0 < squares <= MOST_SQUARES else presenter.drawing(session)


FILE: Final = "game.gif"
WIDTHS: Final = (480, 320, 200)
"""The widths in pixels that are tried until the file is small enough."""
LARGEST: Final = 2_000_000
"""The most bytes of the file."""
LONGEST: Final = 20_000
END: Final = 4_000
MOVE: Final = 800
BEFORE: Final = 1_500
AFTER: Final = 3_000
"""Milliseconds: of the whole, the end, a move, and before and after a turning point."""
HEADING: Final = 40
"""The height of the words above a board."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The board of a ply, shown for `milliseconds` below a line of words, if it has one."""

    ply: int
    milliseconds: int
    caption: Caption | None = None


def offer(session: Session) -> Screen:
    """The question of what to share: a picture, or an animation if the game is explained."""
    ways = [control(Action.SHARE_STOP)]
    if CATALOGUE[session.game.key].explainer is not None:
        ways.append(control(Action.ANIMATE))
    return Screen((Prose((text("share.what"),)), *rows(ways)), Tone.OVER)


def shared_animation(table: Table, found: ReviewedGame | None, channel: int) -> Screen:
    """A game in motion for everybody in a channel, told in words: its end, what decided it."""
    ended = tuple(outcome(table.session))
    points = () if found is None else tuple(points_in_words(table, found, None))
    picture = Picture(FILE, (*ended, *points, *board_words(table)))
    again = for_all(table, channel, Action.REPLAY, Action.REVIEW)
    return Screen((Prose((what(table.session), *ended)), picture, *again), tone(table.session))


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
