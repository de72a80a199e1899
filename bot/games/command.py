"""A game's slash command as plain data: its fields, a person's request, the table asked for.

Several games share the fields defined here; a game adds its own. Names and descriptions are in the
message catalogues, under `command.<command>` and `field.<field>`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from random import Random
from typing import Final, TypeAlias

from bot.table.refusals import Refusal
from bot.table.seat_log import BoardLook
from bot.table.seats import Level, Pace, PersonId
from bot.table.session import Session


class Kind(Enum):
    """The kind of value that a field takes."""

    PERSON = auto()
    FLAG = auto()
    CHOICE = auto()
    NUMBER = auto()


@dataclass(frozen=True, slots=True)
class Field:
    """One option of a slash command.

    `choices` are for CHOICE, `least` and `most` for NUMBER.
    """

    key: str
    kind: Kind
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0


@dataclass(frozen=True, slots=True)
class Named:
    """A person named in a command; `robot` marks bots other than Parlour itself."""

    person: PersonId
    robot: bool = False


Filled: TypeAlias = Named | bool | int | str


@dataclass(frozen=True, slots=True)
class Request:
    """A typed command: the person, the bot, and the fields that were filled in.

    A `private` table is visible only to the person who asked.
    """

    by: PersonId
    bot: PersonId
    values: Mapping[str, Filled]
    private: bool = False

    def named(self, key: str) -> Named | None:
        """The person in a field."""
        value = self.values.get(key)
        return value if isinstance(value, Named) else None

    def choice(self, key: str, usual: str) -> str:
        """The choice made in a field, or `usual` if it is empty."""
        return str(self.values.get(key, usual))


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command that opens a table.

    `propose` gives the session that a request asks for, or raises a `Refusal`.
    """

    name: str
    fields: tuple[Field, ...]
    propose: Callable[[Request, Random], Session]

    def encoded(self, request: Request) -> str:
        """The filled-in fields as letters and digits, one for each field of the command.

        Of people named, only the bot is kept, so that nobody is invited in another person's name.
        """
        code = ""
        for field in self.fields:
            letters, given = _letters(field, request.bot), request.values.get(field.key)
            code += next((letter for letter, value in letters.items() if value == given), UNFILLED)
        return code

    def decoded(self, code: str, bot: PersonId) -> Mapping[str, Filled] | None:
        """The fields that a code stands for; None if it is not a code of this command."""
        if len(code) != len(self.fields):
            return None
        values: dict[str, Filled] = {}
        for field, letter in zip(self.fields, code, strict=True):
            letters = _letters(field, bot)
            if letter in letters:
                values[field.key] = letters[letter]
            elif letter != UNFILLED:
                return None
        return values


UNFILLED: Final = "-"
"""Stands for a field that is not filled in."""


def _letters(field: Field, bot: PersonId) -> Mapping[str, Filled]:
    match field.kind:
        case Kind.PERSON:
            return {"0": Named(bot)}
        case Kind.FLAG:
            return {"0": False, "1": True}
        case Kind.CHOICE:
            return {str(place): choice for place, choice in enumerate(field.choices)}
        case Kind.NUMBER:
            return {str(number): number for number in range(field.least, field.most + 1)}


OPPONENT: Final = Field("opponent", Kind.PERSON)
ANYONE: Final = Field("anyone", Kind.FLAG)
PACE: Final = Field("pace", Kind.CHOICE, choices=(Pace.LIVE, Pace.CORRESPONDENCE, Pace.RELAXED))
BOARD: Final = Field("board", Kind.CHOICE, choices=tuple(BoardLook))


def level_field(*levels: Level) -> Field:
    """The field that chooses among a game's levels."""
    return Field("level", Kind.CHOICE, choices=levels)


def invitable(request: Request, named: Named) -> PersonId:
    """A person named in a request who can be asked to play.

    Raises:
        Refusal: The person is the asker or a bot.
    """
    if named.person == request.by:
        raise Refusal("opponent_is_self")
    if named.robot:
        raise Refusal("opponent_is_bot")
    return named.person
