"""What a message shows, as plain data: texts by key, blocks, controls; and who draws a game.

Nothing here knows Discord or a language. Texts are looked up and written out at the edge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, auto
from random import Random
from typing import Any, Protocol, TypeAlias

from bot.command import Command
from bot.seats import Absent, Computer, Human, Invited, Level, Occupant, PersonId, is_former
from bot.session import Session
from engine.game import Game, Seat
from engine.search.agent import Agent


@dataclass(frozen=True, slots=True)
class Mention:
    """A person, named so that the reader's client shows the name it knows."""

    person: PersonId


@dataclass(frozen=True, slots=True)
class Room:
    """A channel, named so that the reader's client shows its name as a link."""

    channel: int


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time, shown as how far off it is."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Typed:
    """A slash command by its name, shown so that it can be pressed where that is possible."""

    command: str


@dataclass(frozen=True, slots=True)
class Text:
    """A message of the catalogues, by its key, with the values for its placeholders."""

    key: str
    values: Mapping[str, TextValue] = field(default_factory=dict)


TextValue: TypeAlias = str | int | float | Text | Mention | Room | Moment | Typed
"""Fractions are shown with one decimal."""


def text(key: str, /, **values: TextValue) -> Text:
    """The message `key`, with its placeholders' values."""
    return Text(key, values)


def named(person: PersonId) -> Mention | Text:
    """How a sentence names a person who is stored: by a mention, unless they are forgotten."""
    return text("player.former") if is_former(person) else Mention(person)


def player(occupant: Occupant) -> TextValue:
    """How a sentence names whoever holds a seat."""
    match occupant:
        case Human(person) | Invited(person):
            return named(person)
        case Absent(person):
            return text("player.absent", person=named(person))
        case Computer(level):
            return text("player.computer", level=text(f"choice.level.{level}"))
        case _:
            return text("player.vacant")


@dataclass(frozen=True, slots=True)
class Sprite:
    """An emoji of Parlour's own, by its name; `fallback` stands for it where there is none."""

    name: str
    fallback: str


Cell: TypeAlias = str | Sprite
"""What takes the place of one character on a board: an emoji."""


class Style(Enum):
    """What a control looks like."""

    PLAIN = auto()
    PROMINENT = auto()
    GOOD = auto()
    DANGEROUS = auto()


class Tone(Enum):
    """The colour at a message's side: what the table is doing."""

    WAITING = auto()
    RUNNING = auto()
    OVER = auto()


@dataclass(frozen=True, slots=True)
class Control:
    """A button. `action` is what it does when pressed; `label` may be empty where `emoji` speaks.

    A control without label and emoji is a blank square.
    """

    action: str
    label: Text | None = None
    emoji: Cell | None = None
    style: Style = Style.PLAIN
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Prose:
    """Lines of text, one message each."""

    lines: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A board drawn with emoji, row by row from the top."""

    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One to five controls side by side."""

    controls: tuple[Control, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the things a menu offers; `value` is what its choice says."""

    value: str
    label: Text
    description: Text | None = None
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Menu:
    """One to 25 things to choose one of; `title` is read as long as none of them is chosen."""

    action: str
    title: Text
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, by the name of the file that goes with the message, and told in words."""

    file: str
    words: tuple[Text, ...]


Block: TypeAlias = Prose | Grid | Row | Menu | Picture


@dataclass(frozen=True, slots=True)
class Screen:
    """A whole message: its blocks from the top, its tone, and whom it may notify."""

    blocks: tuple[Block, ...]
    tone: Tone = Tone.RUNNING
    notifies: tuple[PersonId, ...] = ()


class Presenter(Protocol):
    """How one game looks."""

    def emblem(self, session: Session, seat: Seat) -> str:
        """The sign of a seat, one emoji."""

    def rules(self, session: Session) -> Text:
        """What is played, with its options, in a few words."""

    def board(self, session: Session) -> tuple[Block, ...]:
        """The board of a running or finished session; while it runs, with the moves as controls."""

    def words(self, session: Session) -> tuple[Text, ...]:
        """The position of a session that has begun, for a screen reader, in a fixed short order."""

    def picture(self, session: Session) -> bytes:
        """The board of a session that has begun, as PNG."""


@dataclass(frozen=True, slots=True)
class Strength:
    """What a level is: the agent that plays it, and the seconds it may think about a move.

    `inline` marks agents known to take well under a millisecond: they need no process of their own.
    """

    agent: Callable[[Random], Agent[Any]]
    seconds: float = 1.0
    inline: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A game as Parlour hosts it: its rules, its looks, its levels and its slash command.

    `sprites` has what paints each emoji that its boards need, as PNG, by the emoji's name.
    """

    game: Game[Any]
    presenter: Presenter
    levels: Mapping[Level, Strength]
    command: Command
    sprites: Mapping[str, Callable[[], bytes]] = field(default_factory=dict)
