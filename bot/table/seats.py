"""The seats of a table, the levels of computers, the paces of a game, and players' own words.

Rolls depend on players' words. Dice use a word's SHA-256, so that rolls can be checked even after
the player is forgotten and the word itself deleted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from hashlib import sha256
from operator import attrgetter
from random import Random
from typing import Final, NewType, Self, TypeAlias
from unicodedata import category, normalize
from urllib.parse import quote

LONGEST: Final = 32
"""The most characters of a word."""

_HASHED: Final = "sha256:"
"""The prefix for the hash of a forgotten word; quoted words contain no colon."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word by its SHA-256 in hexadecimal; `text` is None once it is forgotten."""

    digest: str
    text: str | None = None

    @classmethod
    def of(cls, text: str) -> Self:
        """The word of a text that is not empty."""
        return cls(sha256(text.encode()).hexdigest(), text)

    @classmethod
    def typed(cls, text: str) -> Self | None:
        """A typed text as a word that reads the same everywhere; None if nothing is left.

        Invisible characters are removed, white space becomes one space, and backticks become
        apostrophes, so that a message can show the word unchanged.
        """
        seen = "".join(" " if each.isspace() else each for each in text)
        seen = normalize("NFC", "".join(c for c in seen if not category(c).startswith("C")))
        word = " ".join(seen.replace("`", "'").split())[:LONGEST].rstrip()
        return cls.of(word) if word else None


def by_digest(words: Iterable[Word | None]) -> list[Word]:
    """The words given, in an order that does not reveal the seats."""
    return sorted((word for word in words if word is not None), key=attrgetter("digest"))


def digests(words: Iterable[Word | None]) -> str:
    """The digests of words as dice hash them, joined by commas; empty for a missing word."""
    return ",".join("" if word is None else word.digest for word in words)


def shown_words(words: Iterable[Word | None]) -> str:
    """Words as shown in a proof: `apple,,caf%C3%A9,sha256:5b4b…`."""
    return ",".join(map(_quoted, words))


def _quoted(word: Word | None) -> str:
    if word is None:
        return ""
    return f"{_HASHED}{word.digest}" if word.text is None else quote(word.text, safe="")


PersonId = NewType("PersonId", int)
"""Discord's id of a person; negative for a former player, who has been forgotten."""

FORMER_PLAYERS: Final = range(1 - (1 << 63), 0)
"""The ids of former players."""


def former_player(rng: Random) -> PersonId:
    """A new random id for a former player, with which a forgotten person is replaced."""
    return PersonId(-rng.randrange(1, 1 << 63))


class Pace(StrEnum):
    """The pace of a game: `turn` is the time for one turn, None for no limit.

    `BLITZ` is for arenas, where nobody should have to wait for a player who is gone.
    """

    turn: timedelta | None

    BLITZ = "blitz", timedelta(minutes=1)
    LIVE = "live", timedelta(minutes=5)
    CORRESPONDENCE = "correspondence", timedelta(days=3)
    RELAXED = "relaxed"

    def __new__(cls, value: str, turn: timedelta | None = None) -> Self:
        """Make a pace that is stored as `value`."""
        pace = str.__new__(cls, value)
        pace._value_ = value
        pace.turn = turn
        return pace


class Level(StrEnum):
    """The strength of a computer; each game defines its levels.

    Two levels exist only in records, for games against any computer: `tried` for games with moves
    taken back, and `hints` for games with hints.
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
        """Whether it stands for games with help instead of a strength."""
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
    """A seat for the first person to join."""


Occupant: TypeAlias = Human | Computer | Absent | Invited | Vacant


def player_of(occupant: Occupant) -> PersonId | None:
    """The person who has a seat, even if the computer plays it for them; None if nobody has."""
    return occupant.person if isinstance(occupant, Human | Absent) else None


def asked_person(occupant: Occupant) -> PersonId | None:
    """The person who has a seat or is invited to it; None if there is none."""
    return occupant.person if isinstance(occupant, Human | Absent | Invited) else None


def word_of(occupant: Occupant) -> Word | None:
    """The word for the dice of the person who has a seat."""
    return occupant.word if isinstance(occupant, Human | Absent) else None


def reseated(seats: tuple[Occupant, ...], seat: int, occupant: Occupant) -> tuple[Occupant, ...]:
    """The seats with another occupant on one of them."""
    return (*seats[:seat], occupant, *seats[seat + 1 :])
