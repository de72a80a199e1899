"""Texts that players read: messages of the catalogues by key, and what fills their placeholders.

Emoji are plain data: those that every client has, and Parlour's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import TypeAlias

from bot.table.seats import FORMER_PLAYERS, Absent, Computer, Human, Invited, Occupant, PersonId


@dataclass(frozen=True, slots=True)
class Sprite:
    """An emoji of Parlour's own, by its name; `fallback` stands for it where there is none.

    On a control the fallback may be empty, which shows nothing.
    """

    name: str
    fallback: str


@dataclass(frozen=True, slots=True)
class Sign:
    """An emoji of Parlour's own in the words of a label, which show common signs alone.

    `shape` is the one most like it; where its fallback stands on the board, so it does here.
    """

    sprite: Sprite
    shape: str


Cell: TypeAlias = str | Sprite
"""An emoji, which fills one cell of a board."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A person, named so that the reader's client shows the name it knows."""

    person: PersonId


@dataclass(frozen=True, slots=True)
class ChannelMention:
    """A channel, named so that the reader's client shows its name as a link."""

    channel: int


@dataclass(frozen=True, slots=True)
class RoleMention:
    """A role of a server, named by the reader's client."""

    role: int


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time as the reader's client shows it: how far off, or as the time `of_day`.

    One that is `dated` has its day of the week, its date and its time.
    """

    at: datetime
    of_day: bool = False
    dated: bool = False


@dataclass(frozen=True, slots=True)
class Month:
    """The month of a day, written with its year."""

    day: date


@dataclass(frozen=True, slots=True)
class Weekday:
    """A day of the week, where 0 is Monday, by its name."""

    day: int


@dataclass(frozen=True, slots=True)
class Percent:
    """A share of 1 in whole percent; a change of one is `signed`."""

    share: float
    signed: bool = False


@dataclass(frozen=True, slots=True)
class CommandMention:
    """A slash command by its name, shown so that it can be pressed where that is possible.

    Unless it is `brief` the name that the reader's language gives it stands beside.
    """

    command: str
    brief: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A message of the catalogues, by its key, with the values for its placeholders."""

    key: str
    values: Mapping[str, TextValue] = field(default_factory=dict)


class Separator(StrEnum):
    """The separators of lists: words or commas of the language, and signs."""

    AND = "and"
    COMMA = "comma"
    SEMICOLON = "semicolon"
    DOT = " · "
    ARROW = " → "
    SPACE = " "
    NOTHING = ""


@dataclass(frozen=True, slots=True)
class TextList:
    """A list of at least one item."""

    items: tuple[TextValue, ...]
    separator: Separator


TextValue: TypeAlias = (
    str
    | int
    | float
    | Percent
    | Month
    | Weekday
    | date
    | timedelta
    | Text
    | TextList
    | Sprite
    | Sign
    | Mention
    | ChannelMention
    | RoleMention
    | Moment
    | CommandMention
)
"""Numbers, shares, days and durations are written by the reader's language.

Fractions have one decimal, and a duration its largest unit. Digits that name something, such as the
number of a game or a rating, are a string.
"""


def text(key: str, /, **values: TextValue) -> Text:
    """The message `key`, with its placeholders' values."""
    return Text(key, values)


def joined(items: Iterable[TextValue], separator: Separator = Separator.COMMA) -> TextList:
    """At least one item, as a list."""
    return TextList(tuple(items), separator)


def named(person: PersonId) -> Mention | Text:
    """Mention a stored person, or name them a former player once forgotten."""
    return text("player.former") if person in FORMER_PLAYERS else Mention(person)


def player(occupant: Occupant) -> TextValue:
    """Name the holder of a seat."""
    match occupant:
        case Human(person) | Invited(person):
            return named(person)
        case Absent(person):
            return text("player.absent", person=named(person))
        case Computer(level):
            return text("player.computer", level=text(f"choice.level.{level}"))
        case _:
            return text("player.vacant")
