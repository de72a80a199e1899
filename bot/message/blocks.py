"""Blocks and their controls as plain data, from the top of a message, and the kinds of ids.

By its id a control is found again: a prefix, and a type for what follows it. The grammar of a kind
follows from the types of its fields; a StrEnum is one of its members. Ids stand on messages in
channels for months: a prefix is never given to other parts, and a field that is added has a usual
value, since older ids end before it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any, Final, Protocol, TypeAlias, TypeVar, runtime_checkable

from bot.message.canvas import Paint
from bot.message.text import Cell, Text, TextValue
from bot.table.seats import PersonId

KINDS: Final[dict[str, list[type[Any]]]] = {}
"""The kinds by their prefixes. Two may share one if their grammars do not."""

PREFIXES: Final[dict[type[Any], str]] = {}

Kind = TypeVar("Kind", bound=type[Any])


def id_kind(prefix: str) -> Callable[[Kind], Kind]:
    """Have the instances of a type written into ids, and read from those with a prefix."""

    def declared(of: Kind) -> Kind:
        KINDS.setdefault(prefix, []).append(of)
        PREFIXES[of] = prefix
        return of

    return declared


BESIDE: Final = 5
"""Controls in a row, at most."""
WITH_WORDS: Final = 3
"""Controls with words in a row, at most: a phone has no room for more."""


PAIR: Final = 2
"""Controls with words that fit a line of a phone in every language; three fit if they are short."""


class Style(Enum):
    """The looks of controls."""

    PLAIN = auto()
    PROMINENT = auto()
    GOOD = auto()
    DANGEROUS = auto()


class Tone(Enum):
    """The colour at a message's side: what the table is doing."""

    WAITING = auto()
    RUNNING = auto()
    OVER = auto()
    WON = auto()


@dataclass(frozen=True, slots=True)
class Control:
    """A button. `action` is what it does when pressed; `label` may be empty where `emoji` speaks.

    An action is a word, or the page that it leads to. A control without label and emoji is a blank
    square.
    """

    action: object
    label: Text | None = None
    emoji: Cell | None = None
    style: Style = Style.PLAIN
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Brief:
    """A few words on each of several things, on a fixed number of lines of a phone.

    What finds no room is left out, but for the first `kept` things; lines left over stay empty.
    """

    items: tuple[TextValue, ...]
    lines: int
    kept: int = 1


@dataclass(frozen=True, slots=True)
class Prose:
    """Lines of text, one message each."""

    lines: tuple[Text | Brief, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A board drawn with emoji, row by row from the top, and what stands right below it."""

    rows: tuple[tuple[Cell, ...], ...]
    caption: Brief | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One to five controls side by side; `wide` rows have the message's whole width."""

    controls: tuple[Control, ...]
    wide: bool = False


def rows(controls: Iterable[Control], beside: int = BESIDE) -> Iterator[Row]:
    """Controls in as few rows as possible, with at most `beside` controls in a row."""
    left = list(controls)
    worded = sum([each.label is not None for each in left])
    fewest = max(math.ceil(len(left) / beside), math.ceil(worded / WITH_WORDS))
    for number in range(fewest, 0, -1):
        size = math.ceil(len(left) / number)
        yield Row(tuple(left[:size]))
        del left[:size]


def with_controls(blocks: Iterable[Block], change: Callable[[Control], Control]) -> Iterator[Block]:
    """Blocks with each control in their rows changed."""
    for block in blocks:
        if isinstance(block, Row):
            yield replace(block, controls=tuple(map(change, block.controls)))
        else:
            yield block


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

    action: object
    title: Text
    choices: tuple[Choice, ...]


class Entities(Enum):
    """The things that Discord itself lists in a menu."""

    PEOPLE = auto()
    CHANNELS = auto()
    ONE_CHANNEL = auto()


@dataclass(frozen=True, slots=True)
class Picker:
    """A menu that Discord fills, of which any number up to 25 is chosen, or one of `ONE_CHANNEL`.

    `title` is read as long as nothing is `chosen`, which are ids.
    """

    action: object
    title: Text
    entities: Entities
    chosen: tuple[int, ...]


BOARD_FILE: Final = "board.png"
"""The name of the file with a board's picture."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, by the name of the file that goes with the message, and told in words.

    A `spoiler` is hidden until its reader wants to see it.
    """

    file: str
    words: tuple[Text, ...]
    spoiler: bool = False


@dataclass(frozen=True, slots=True)
class Pictures:
    """Pictures side by side."""

    pictures: tuple[Picture, ...]


Block: TypeAlias = Prose | Grid | Row | Menu | Picker | Picture | Pictures


@dataclass(frozen=True, slots=True)
class Screen:
    """A whole message: its blocks from the top, its tone or a colour, and whom it may notify."""

    blocks: tuple[Block, ...]
    tone: Tone | Paint = Tone.RUNNING
    notifies: tuple[PersonId, ...] = ()

    @property
    def pictured(self) -> bool:
        """Whether a picture goes with the message."""
        return Picture in map(type, self.blocks)

    @property
    def unpictured(self) -> Screen:
        """The message without its pictures."""
        kept = (each for each in self.blocks if not isinstance(each, Picture | Pictures))
        return replace(self, blocks=tuple(kept))


@dataclass(frozen=True, slots=True)
class OneLine:
    """A line to write or to leave empty, of at most `most` characters; `value` stands there."""

    most: int
    value: str = ""


RADIOS: Final = 6
"""The most radio buttons below a question: more of them leave a phone no room for the others."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """Two or more things of which one is chosen: radio buttons, or a menu if they are many."""

    choices: tuple[Choice, ...]

    @property
    def menu(self) -> bool:
        """Whether they are too many for radio buttons."""
        return len(self.choices) > RADIOS


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Things of which each is chosen or not: checkboxes, ten at most."""

    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class OneFile:
    """One file to hand in."""


Answer: TypeAlias = OneLine | OneOf | AnyOf | OneFile


@dataclass(frozen=True, slots=True)
class FormQuestion:
    """A question of a form: the name of its answer, what is asked, and how it is answered."""

    name: str
    label: Text
    answer: Answer
    about: Text | None = None


@dataclass(frozen=True, slots=True)
class FormScreen:
    """A form of one to five questions; `action` is what is done with the answers."""

    action: object
    title: Text
    questions: tuple[FormQuestion, ...]


@runtime_checkable
class FormIds(Protocol):
    """The ids of a form, which say what it asks: answers to anything else are refused."""

    def form(self) -> FormScreen:
        """The form."""
