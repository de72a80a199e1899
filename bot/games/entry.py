"""A game as the catalogue lists it: its rules, its looks, its levels, its slash command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any, Protocol

from bot.cache import Budgeted
from bot.games.command import Command
from bot.message.blocks import Block, Control
from bot.message.canvas import Canvas, Paint, Point
from bot.message.text import Cell, Text, TextValue
from bot.records.badges import Badge
from bot.table.seat_log import BoardLook
from bot.table.seats import Level
from bot.table.session import Session
from engine.game import Game, Move, Options, Reason, Seat
from engine.review import WeighedMove
from engine.search.agent import Agent


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened in a game, in a few words, and the plies it tells.

    A roll and the move made with it count as one ply, that of the roll. A `grave` happening is
    shown even where there is little room.
    """

    told: TextValue
    plies: frozenset[int]
    grave: bool = False


@dataclass(frozen=True, slots=True)
class Thrown:
    """The latest roll of the person to move; `playable` if a token is to be chosen for it."""

    die: Cell
    playable: bool


class Presenter(Protocol):
    """Draws one game and tells what happens in it."""

    def emblem(self, seats: int, seat: Seat) -> Cell:
        """The sign of a seat at a table of `seats`, one emoji."""

    def rules(self, session: Session) -> Text:
        """The game's options in words."""

    def rules_in_brief(self, session: Session) -> Text:
        """The same in a few words."""

    def board(self, session: Session) -> tuple[Block, ...]:
        """The board of a session that has begun, in its look, and with the controls on it."""

    def drawing(self, session: Session) -> tuple[Block, ...]:
        """The board without controls, as a replay shows it."""

    def choices(self, session: Session) -> tuple[Control, ...]:
        """The moves of a running session as controls, apart from those of its board."""

    def thrown(self, session: Session) -> Thrown | None:
        """The roll to show to the person to move: one to play, or their last, which moved nothing.

        None where there is neither, and in games without dice.
        """

    def story(self, session: Session) -> tuple[Text, ...]:
        """The turns since the reader's last decision, a line each, oldest first."""

    def since(self, session: Session, ply: int, reader: Seat | None) -> Sequence[Happening]:
        """Everything that happened from a ply on, the most important to the reader first.

        Without a reader it is worded for everybody.
        """

    def sentence(self, session: Session) -> Text | None:
        """A finished game in one sentence, such as how close it was."""

    def words(self, session: Session) -> tuple[Text, ...]:
        """The position of a session that has begun, for a screen reader, in a fixed short order."""

    def picture(self, session: Session) -> bytes:
        """The board of a session that has begun, as PNG."""


class Explainer(Protocol):
    """Tells the moves of one game in a review."""

    def move(self, position: Any, move: Move) -> Text:  # noqa: ANN401 - any game's position
        """A move, or a roll where dice are next, in words."""

    @property
    def costs(self) -> frozenset[StrEnum]:
        """The kinds of reasons that speak against a move."""

    def reasons(self, position: Any, choice: WeighedMove, other: Move) -> Iterable[Reason]:  # noqa: ANN401 - any game's position
        """The reasons for a choice, compared with another move."""

    def reason(self, position: Any, reason: Reason) -> Text:  # noqa: ANN401 - any game's position
        """A reason for a move, in a few words."""

    def rolled(self, session: Session, ply: int, *, yours: bool, **told: TextValue) -> Text:
        """The roll of a ply and its effect in words; `yours` if it captured the reader's tokens.

        `told` has more values for the text: the roller, and the change of the chances.
        """

    def victims(self, position: Any, move: Move) -> Sequence[Seat]:  # noqa: ANN401 - any game's
        """The seats whose tokens a move captures."""

    def name(self, seats: int, seat: Seat) -> Text:
        """The word for a seat: its mark, or its colour."""

    def paint(self, seats: int, seat: Seat) -> Paint:
        """The colour of a seat, on dark ground."""

    def draw(self, seats: int, seat: Seat, canvas: Canvas, centre: Point, side: float) -> None:
        """Draw the sign of a seat, on dark ground."""


def nowhere(_position: object) -> bool:
    """No position."""
    return False


def everywhere(_position: object) -> bool:
    """Any position."""
    return True


@dataclass(frozen=True, slots=True)
class Strength:
    """The agent that plays a level, and the seconds it may think about a move.

    `inline` tells whether the agent takes well under a millisecond in a position, and so needs no
    other process.
    """

    agent: Callable[[Random], Agent[Any]]
    seconds: float = 1.0
    inline: Callable[[Any], bool] = nowhere


@dataclass(frozen=True, slots=True)
class Entry:
    """A game as Parlour hosts it: its rules, its looks, its levels and its slash command.

    `medium` is always among the `levels`: it plays for people who leave.

    A game with an `explainer` has hints and reviews. `sprites` maps the name of each emoji of its
    boards to the function that paints it as PNG. With the options `all_places`, play goes on after
    the winner is known. A game with a `tree` shows how its last moves were searched: its boards are
    square, and a move is a cell. `feats` finds the feats of each seat from the positions of a game
    that is over; `badges` are the game's own, shown before those of every game. `caches` are those
    of its pictures and rules. `illegal` is the refusal of an illegal move on its board. Options
    that are `often_drawn` lead good players to draws; tournaments offer others first. `look` is the
    boards' default look.
    """

    game: Game[Any]
    presenter: Presenter
    levels: Mapping[Level, Strength]
    command: Command
    explainer: Explainer | None = None
    sprites: Mapping[str, Callable[[], bytes]] = field(default_factory=dict)
    all_places: Options = field(default_factory=dict)
    tree: bool = False
    badges: Sequence[Badge] = ()
    illegal: str = "illegal_move"
    feats: Callable[[Sequence[Any]], Sequence[frozenset[str]]] | None = None
    often_drawn: Callable[[Options], bool] = nowhere
    caches: Sequence[Budgeted] = ()
    look: BoardLook = BoardLook.EMOJI
