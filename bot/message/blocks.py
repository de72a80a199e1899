"""Blocks and their controls as plain data, from the top of a message, and the kinds of ids.

The id of a control is a prefix and the fields of a type, its kind. The grammar of a kind follows
from the types of its fields; a StrEnum is one of its members. Ids stay on messages in channels for
months: a prefix is never reused for other fields, and a new field must have a default, which older
ids lack.
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
"""The kinds by their prefixes. Kinds may share a prefix if no id fits two of them."""

PREFIXES: Final[dict[type[Any], str]] = {}

Kind = TypeVar("Kind", bound=type[Any])


def id_kind(prefix: str) -> Callable[[Kind], Kind]:
    """Declare a class as a kind of ids with this prefix."""

    def declared(of: Kind) -> Kind:
        KINDS.setdefault(prefix, []).append(of)
        PREFIXES[of] = prefix
        return of

    return declared


BESIDE: Final = 5
"""The most controls in a row."""
WITH_WORDS: Final = 3
"""The most controls with labels in a row that fit on a phone."""


PAIR: Final = 2
"""The controls with labels that fit in a row on a phone in every language."""


class Style(Enum):
    """The looks of controls."""

    PLAIN = auto()
    PROMINENT = auto()
    GOOD = auto()
    DANGEROUS = auto()


class Tone(Enum):
    """The colour at a message's side, by the state of its table."""

    WAITING = auto()
    RUNNING = auto()
    OVER = auto()
    WON = auto()


@dataclass(frozen=True, slots=True)
class Control:
    """A button; `action` is a word, or the id (an instance of a kind) that it leads to.

    With an `emoji` it needs no label. Without both it is a blank square.
    """

    action: object
    label: Text | None = None
    emoji: Cell | None = None
    style: Style = Style.PLAIN
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Brief:
    """Several short items on a fixed number of lines of a phone.

    Items without room are left out, except the first `kept`; lines left over stay empty.
    """

    items: tuple[TextValue, ...]
    lines: int
    kept: int = 1


@dataclass(frozen=True, slots=True)
class Prose:
    """Lines of text, each a text or a `Brief`."""

    lines: tuple[Text | Brief, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A board drawn with emoji, row by row from the top, and a caption right below it."""

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
    """Blocks with `change` applied to each control in their rows."""
    for block in blocks:
        if isinstance(block, Row):
            yield replace(block, controls=tuple(map(change, block.controls)))
        else:
            yield block


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the options of a menu; `value` is sent when it is chosen."""

    value: str
    label: Text
    description: Text | None = None
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu of 1 to 25 options to choose one of; `title` is shown while none is chosen."""

    action: object
    title: Text
    choices: tuple[Choice, ...]


class Entities(Enum):
    """The kinds of things that Discord itself lists in a menu."""

    PEOPLE = auto()
    CHANNELS = auto()
    ONE_CHANNEL = auto()


@dataclass(frozen=True, slots=True)
class Picker:
    """A menu that Discord fills, to choose up to 25 entries, or only one of `ONE_CHANNEL`.

    `chosen` are ids; `title` is shown while nothing is chosen.
    """

    action: object
    title: Text
    entities: Entities
    chosen: tuple[int, ...]


BOARD_FILE: Final = "board.png"
"""The name of the file with a board's picture."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture by the name of its attached file, and in words for those who cannot see it.

    A `spoiler` is hidden until the reader clicks on it.
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
        """Whether a single picture, not one of `Pictures`, goes with the message."""
        return Picture in map(type, self.blocks)

    @property
    def unpictured(self) -> Screen:
        """The message without its pictures."""
        kept = (each for each in self.blocks if not isinstance(each, Picture | Pictures))
        return replace(self, blocks=tuple(kept))


@dataclass(frozen=True, slots=True)
class OneLine:
    """An optional line of at most `most` characters; `value` is filled in already."""

    most: int
    value: str = ""


RADIOS: Final = 6
"""The most radio buttons of a question, so that a phone has room for other questions."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """Two or more options of which one is chosen: radio buttons, or a menu if there are many."""

    choices: tuple[Choice, ...]

    @property
    def menu(self) -> bool:
        """Whether there are too many options for radio buttons."""
        return len(self.choices) > RADIOS


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At most ten checkboxes."""

    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class OneFile:
    """One file to upload."""


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
    """A form of one to five questions; `action` is its id."""

    action: object
    title: Text
    questions: tuple[FormQuestion, ...]


@runtime_checkable
class FormIds(Protocol):
    """The id of a form, which defines its questions: other answers are refused."""

    def form(self) -> FormScreen:
        """The form."""
