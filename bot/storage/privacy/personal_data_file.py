"""A person's data, and the file of it: JSON, compressed where it would be too large.

The file explains its own keys. Ids are text: JavaScript's numbers are too small for them.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from typing import Any, Final

from bot.records.puzzle_record import PuzzleAnswer
from bot.storage.people import Choices
from bot.table.seats import FORMER_PLAYERS, PersonId

FORMAT: Final = "Parlour person"
VERSION: Final = 1

PARTS: Final = frozenset({"choices", "statistics", "games", "puzzles", "tournaments"})
"""The parts of the file that are put together; the others are rows as they are stored."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PersonalData:
    """Everything that is stored about a person.

    `statistics` by game and guild, `games` and `tournaments`, the oldest first, are as in the file.
    `rows` has the parts of the file that are rows as they are stored. Dice still to come are no
    part of it.
    """

    person: PersonId
    choices: Choices
    statistics: Sequence[Json]
    games: Sequence[Json]
    puzzles: Mapping[date, PuzzleAnswer]
    rows: Mapping[str, Sequence[Json]] = field(default_factory=dict)
    tournaments: Sequence[Json] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is stored."""
        kept = (self.games, self.statistics, self.puzzles, *self.rows.values(), self.tournaments)
        return not any(kept) and self.choices == Choices()


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file with its name."""

    name: str
    content: bytes


def written(
    data: PersonalData, at: datetime, about: Mapping[str, str], *, most: int
) -> Attachment | None:
    """The file, in `most` bytes or fewer; None if it does not fit even when compressed.

    `about` explains the file to its reader.
    """
    told = _told(data, at, about)
    content = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    name = f"parlour-{at:%Y-%m-%d}.json"
    if len(content) > most:
        name, content = f"{name}.gz", gzip.compress(content, mtime=0)
    return Attachment(name, content) if len(content) <= most else None


def _told(data: PersonalData, at: datetime, about: Mapping[str, str]) -> Json:
    return {
        "format": FORMAT,
        "version": VERSION,
        "about": dict(about),
        "made_at": moment_told(at),
        "person": person_told(data.person),
        "choices": _choices(data.choices),
        "statistics": data.statistics,
        "games": data.games,
        "puzzles": [_puzzle(day, answer) for day, answer in data.puzzles.items()],
        **data.rows,
        "tournaments": data.tournaments,
    }


def _puzzle(day: date, answer: PuzzleAnswer) -> Json:
    return {
        "day": day.isoformat(),
        "solved": answer.solved,
        "tried": [*answer.tried],
        "at": None if answer.at is None else moment_told(answer.at),
    }


def _choices(choices: Choices) -> Json:
    told: Json = {each.name: getattr(choices, each.name) for each in fields(choices)}
    blocked = [person_told(other) for other in sorted(choices.blocked)]
    return {"board": told.pop("form"), **told, "blocked": blocked}


def person_told(person: PersonId) -> str | None:
    """A person by their id; None for a former player."""
    return None if person in FORMER_PLAYERS else str(person)


def id_told(number: int | None) -> str | None:
    """An id of Discord's, if there is one."""
    return None if number is None else str(number)


def moment_told(at: datetime) -> str:
    """A moment in UTC, to the millisecond."""
    return at.isoformat(timespec="milliseconds")
