"""All that is stored about a person, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from bot.records.queries import LevelResult, Opponent
from bot.records.rating import Rating
from bot.records.results import Outcome
from bot.records.standings import Standing
from bot.service.people import Choices
from bot.table.seats import Level, Occupant, Pace, PersonId
from bot.table.session import Ending, Phase, SessionId
from bot.table.table import Place
from engine.game import Move, Options


@dataclass(frozen=True, slots=True)
class Summary:
    """What is counted in a game, in one server or, where `guild` is None, everywhere.

    `standing` is among people, None before the first such game; `levels` are those of computers.
    """

    game: str
    guild: int | None
    standing: Standing | None
    levels: tuple[LevelResult, ...]
    opponents: tuple[Opponent, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """What a finished game meant for the person, with the ratings after it if it was rated."""

    at: datetime
    outcome: Outcome
    level: Level | None
    everywhere: Rating | None
    here: Rating | None


@dataclass(frozen=True, slots=True)
class Kept:
    """A table as it is stored; `moments` are those of its moves, `payoff` is there at the end.

    `taken_back` are moves that were taken back: the number of the time, the ply, and the move.

    Neither the dice that are still to come are part of it, nor what others look at it.
    """

    number: SessionId
    game: str
    options: Options
    pace: Pace
    auto_roll: bool
    host: PersonId
    place: Place
    locale: str
    phase: Phase
    ending: Ending | None
    opened_at: datetime
    moved_at: datetime
    seats: tuple[Occupant, ...]
    payoff: tuple[float, ...] | None
    moves: tuple[Move, ...]
    moments: tuple[datetime, ...]
    taken_back: tuple[tuple[int, int, Move], ...]
    mark: Mark | None


@dataclass(frozen=True, slots=True)
class PersonalData:
    """Everything about a person, the oldest game first; of puzzles the days, and if solved."""

    person: PersonId
    choices: Choices
    summaries: tuple[Summary, ...]
    games: tuple[Kept, ...]
    puzzles: Mapping[date, bool]

    @property
    def empty(self) -> bool:
        """Whether there is nothing."""
        played = self.games or self.summaries or self.puzzles
        return not played and self.choices == Choices()
