"""Texts that players read: messages of the catalogues by key, and values for placeholders.

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
    """An emoji of Parlour's own by its name; `fallback` is shown while it is not uploaded.

    On a control the fallback may be empty, which shows nothing.
    """

    name: str
    fallback: str


@dataclass(frozen=True, slots=True)
class Sign:
    """An emoji of Parlour's own in a label, where Discord only shows common characters.

    `shape` is the most similar one. While the board shows the sprite's fallback, so does the label.
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
    """A point in time as shown by the reader's client, such as "in 5 minutes".

    With `of_day` as the time of day; with `dated` as day of the week, date and time.
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
    """A share in [0, 1] in whole percent, or with `signed` a change of one in [-1, 1]."""

    share: float
    signed: bool = False


@dataclass(frozen=True, slots=True)
class CommandMention:
    """A slash command by its name, shown as a clickable mention if possible.

    Unless `brief`, its name in the reader's language is added.
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
"""Numbers, shares, days and durations are formatted for the reader's language.

Fractions have one decimal, and durations their largest unit. Digits that identify something, such
as the number of a game, or a rating, are passed as a string.
"""


def text(key: str, /, **values: TextValue) -> Text:
    """The message `key`, with its placeholders' values."""
    return Text(key, values)


def joined(items: Iterable[TextValue], separator: Separator = Separator.COMMA) -> TextList:
    """At least one item, as a list."""
    return TextList(tuple(items), separator)


def named(person: PersonId) -> Mention | Text:
    """The mention of a person, or "a former player" if forgotten."""
    return text("player.former") if person in FORMER_PLAYERS else Mention(person)


def player(occupant: Occupant) -> TextValue:
    """The name of the occupant of a seat."""
    match occupant:
        case Human(person) | Invited(person):
            return named(person)
        case Absent(person):
            return text("player.absent", person=named(person))
        case Computer(level):
            return text("player.computer", level=text(f"choice.level.{level}"))
        case _:
            return text("player.vacant")
