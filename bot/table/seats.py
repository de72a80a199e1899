"""The seats of a table, the levels of computers, and the paces of a game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from random import Random
from typing import Final, NewType, Self, TypeAlias

from bot.table.word import Word

PersonId = NewType("PersonId", int)
"""Discord's id of a person; negative for a former player, who has been forgotten."""

FORMER_PLAYERS: Final = range(1 - (1 << 63), 0)
"""The ids of former players."""


def former_player(rng: Random) -> PersonId:
    """A new former player, linked to nothing: what a person becomes who is forgotten."""
    return PersonId(-rng.randrange(1, 1 << 63))


class Pace(StrEnum):
    """The pace of a game: `turn` is the time for one turn, None for no limit.

    `BLITZ` is that of arenas, where nobody should wait for one who has gone.
    """

    turn: timedelta | None

    BLITZ = "blitz", timedelta(minutes=1)
    LIVE = "live", timedelta(minutes=5)
    CORRESPONDENCE = "correspondence", timedelta(days=3)
    RELAXED = "relaxed"

    def __new__(cls, value: str, turn: timedelta | None = None) -> Self:
        """A pace that is stored as `value`."""
        pace = str.__new__(cls, value)
        pace._value_ = value
        pace.turn = turn
        return pace


class Level(StrEnum):
    """The strength of a computer; each game says which levels it has and what they are.

    Two are levels of the records alone, of games against any computer: `tried`, in which moves were
    taken back, and `hints`, in which hints were given.
    """

    TRIED = "tried"
    HINTS = "hints"
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    PERFECT = "perfect"
    EXPERT = "expert"

    @property
    def helped(self) -> bool:
        """Whether it stands for games with help, against any computer."""
        return self in {Level.TRIED, Level.HINTS}


@dataclass(frozen=True, slots=True)
class Human:
    """A seat taken by a person, with the person's word for the dice."""

    person: PersonId
    word: Word | None = None


@dataclass(frozen=True, slots=True)
class Computer:
    """A seat taken by the computer."""

    level: Level


@dataclass(frozen=True, slots=True)
class Absent:
    """A seat that the computer plays until its person comes back."""

    person: PersonId
    level: Level
    word: Word | None = None


@dataclass(frozen=True, slots=True)
class Invited:
    """A seat kept for a person who has not answered yet."""

    person: PersonId


@dataclass(frozen=True, slots=True)
class Vacant:
    """A seat for the first who joins."""


Occupant: TypeAlias = Human | Computer | Absent | Invited | Vacant


def player_of(occupant: Occupant) -> PersonId | None:
    """The person whose seat it is, though the computer may play it for them; None if nobody's."""
    return occupant.person if isinstance(occupant, Human | Absent) else None


def asked_person(occupant: Occupant) -> PersonId | None:
    """The person whose seat it is or is kept for; None if nobody's."""
    return occupant.person if isinstance(occupant, Human | Absent | Invited) else None


def word_of(occupant: Occupant) -> Word | None:
    """The word of the person whose seat it is."""
    return occupant.word if isinstance(occupant, Human | Absent) else None


def reseated(seats: tuple[Occupant, ...], seat: int, occupant: Occupant) -> tuple[Occupant, ...]:
    """The seats with another occupant on one of them."""
    return (*seats[:seat], occupant, *seats[seat + 1 :])
