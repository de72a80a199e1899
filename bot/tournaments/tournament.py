"""A tournament's state as a value: its entries, and the legs that are played, round by round.

A match is between the same entries in one round; it has one to three legs, each at one table. Legs
are never removed, so that points and places can be computed from them at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from typing import Final, NewType, TypeAlias

from bot.table.seats import Pace, PersonId
from bot.table.session import SessionId
from engine.game import Options

TournamentId = NewType("TournamentId", int)
"""The id of the interaction that opened the tournament, or one made like it."""

EntryNumber = NewType("EntryNumber", int)
"""An entry's place in the order of joining, from 1."""


THE_SERVER: Final = PersonId(0)
"""The host of a weekly arena, which nobody has opened."""

Pairing: TypeAlias = tuple[int, tuple[EntryNumber, ...]]
"""A match by its number in the round, and its entries by seat."""


class Format(StrEnum):
    """The formats of tournaments."""

    KNOCKOUT = "knockout"
    SWISS = "swiss"
    ALL_PLAY_ALL = "all_play_all"
    HEATS = "heats"
    ARENA = "arena"

    @property
    def fewest(self) -> int:
        """The fewest entries; an arena starts at its time with any number."""
        return {Format.ALL_PLAY_ALL: 3, Format.ARENA: 0}.get(self, 4)

    @property
    def fewest_met(self) -> int:
        """The fewest opponents a champion must have really met; an arena of two has no champion."""
        return 2 if self is Format.ARENA else 1

    @property
    def most(self) -> int:
        """The most entries."""
        return 8 if self is Format.ALL_PLAY_ALL else 64


class Stage(StrEnum):
    """The stages of a tournament's life."""

    SIGN_UP = "sign_up"
    RUNNING = "running"
    OVER = "over"
    CALLED_OFF = "called_off"


class CalledOff(StrEnum):
    """The reasons why a tournament was called off."""

    BY_HAND = "by_hand"
    """By its host or a manager."""
    TOO_FEW = "too_few"
    NOT_STARTED = "not_started"
    """Nobody started it in time."""
    HOST_LEFT = "host_left"
    UNSEEN = "unseen"
    """Its message was deleted again and again, or could not be sent."""
    CHANNEL_LOST = "channel_lost"
    NOBODY_CAME = "nobody_came"
    """An arena was over before anybody had joined it."""
    BOT_AWAY = "bot_away"
    """The bot was away until after its end."""


@dataclass(frozen=True, slots=True)
class Competitor:
    """A person in a tournament.

    `seed` is the rank at the start, from 1, and None before and for late joiners. The person plays
    from round `since` on until they have `left`, and has a `place` once the tournament is over. In
    an arena a person who is `away` is not paired until they are back.
    """

    number: EntryNumber
    person: PersonId
    seed: int | None = None
    since: int = 1
    left: bool = False
    place: int | None = None
    away: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """An entry's part in a leg: its points once it is decided, and the seconds of thinking.

    A person is `present` if they pressed something before their first move, `absent` if they never
    came. They have `played` if they stayed to the end of a game with two plies of every seat.
    """

    entry: EntryNumber
    points: float | None = None
    thought: float = 0.0
    present: bool = False
    absent: bool = False
    played: bool = False


@dataclass(frozen=True, slots=True)
class Leg:
    """One game of a match, with its parts by seat; a bye has a single part.

    Byes and legs decided without playing have no `table`. A `void` leg does not count.
    """

    number: int
    round: int
    match: int
    parts: tuple[Part, ...]
    table: SessionId | None = None
    void: bool = False

    @property
    def open(self) -> bool:
        """Whether it is still to be decided."""
        return not self.void and any(part.points is None for part in self.parts)

    @property
    def entries(self) -> tuple[EntryNumber, ...]:
        """The entries, by seat."""
        return tuple(part.entry for part in self.parts)

    def met_by(self, entry: EntryNumber) -> tuple[EntryNumber, ...]:
        """The opponents of an entry in this leg, if it counts and both have `played`."""
        playing = [part.entry for part in self.parts if part.played]
        there = not self.void and entry in playing
        return tuple(other for other in playing if other != entry) if there else ()


@dataclass(frozen=True)
class Tournament:
    """A tournament: the game with its options, its entries, its legs.

    `round` is the present round, from 1, and `rounds` the number of all; before the start it is the
    chosen number, or None. An arena has one round of as many matches as there is time for, and
    `rounds` is None. `cut` means that it was ended early; `why` says why it was called off. Entries
    `removed` before the start (`since` is 0) cannot join again, and do not count. Derived values
    are cached, hence no `slots`.
    """

    game: str
    options: Options
    format: Format
    pace: Pace
    places: int
    host: PersonId
    stage: Stage = Stage.SIGN_UP
    paused: bool = False
    cut: bool = False
    why: CalledOff | None = None
    round: int = 0
    rounds: int | None = None
    entries: tuple[Competitor, ...] = ()
    legs: tuple[Leg, ...] = ()
    removed: tuple[Competitor, ...] = ()

    @cached_property
    def by_number(self) -> Mapping[EntryNumber, Competitor]:
        """The entries by their numbers."""
        return {entry.number: entry for entry in self.entries}

    @property
    def known(self) -> tuple[Competitor, ...]:
        """The entries, and those removed before the start."""
        return (*self.entries, *self.removed)

    @property
    def there(self) -> tuple[Competitor, ...]:
        """The entries that play or can be paired: active and not away."""
        return tuple(entry for entry in self.active if not entry.away)

    @property
    def active(self) -> tuple[Competitor, ...]:
        """The entries that have not left."""
        return tuple(entry for entry in self.entries if not entry.left)

    @cached_property
    def matches(self) -> Sequence[Sequence[Leg]]:
        """The legs of each match that are not void, ordered by round and match."""
        counted = [leg for leg in self.legs if not leg.void]
        counted.sort(key=lambda leg: (leg.round, leg.match, leg.number))
        return [[*legs] for _, legs in groupby(counted, lambda leg: (leg.round, leg.match))]

    @property
    def full(self) -> bool:
        """Whether every place is taken."""
        return len(self.entries) >= self.places

    @property
    def complete(self) -> bool:
        """Whether it is over, and was not ended before its last round, or its final."""
        last = self.round == self.rounds
        if self.format is Format.KNOCKOUT:
            finals = (leg for leg in self.legs if leg.round == self.round and leg.match == 0)
            last = last and not all(leg.void for leg in finals)
        return self.stage is Stage.OVER and (last or not self.cut)

    @property
    def champion(self) -> Competitor | None:
        """The winner, if complete and enough opponents were really met; else None."""
        first = next((entry for entry in self.entries if entry.place == 1), None)
        if first is None or not self.complete:
            return None
        met = {other for leg in self.legs for other in leg.met_by(first.number)}
        if self.format is Format.ARENA:  # a person forgotten who joins again would count twice
            met -= {entry.number for entry in self.entries if entry.left}
        return first if len(met) >= self.format.fewest_met else None

    @property
    def played(self) -> bool:
        """Whether any two of its entries have really met."""
        return any(leg.met_by(number) for leg in self.legs for number in leg.entries)

    def round_of(self, number: int) -> Sequence[Sequence[Leg]]:
        """The matches of a round."""
        return [legs for legs in self.matches if legs[0].round == number]

    def entry_of(self, person: PersonId) -> Competitor | None:
        """The entry of a person, also of one who has left."""
        return next((entry for entry in self.entries if entry.person == person), None)

    def seed(self, number: EntryNumber) -> int:
        """The seed of an entry; late joiners come after all others, in the order of joining."""
        return self.by_number[number].seed or len(self.entries) + number

    def leg(self, number: int) -> Leg:
        """The leg of that number."""
        return self.legs[number - 1]

    def open_legs(self) -> Iterator[Leg]:
        """The legs that are still to be decided."""
        return (leg for leg in self.legs if leg.open)

    def with_entry(self, entry: Competitor) -> Tournament:
        """The tournament with an entry changed, or added with the next number."""
        kept = [entry if each.number == entry.number else each for each in self.entries]
        added = () if entry.number in self.by_number else (entry,)
        return replace(self, entries=(*kept, *added))

    def with_leg(self, leg: Leg) -> Tournament:
        """The tournament with a leg changed."""
        return replace(
            self, legs=tuple(leg if each.number == leg.number else each for each in self.legs)
        )

    def with_legs(self, matches: Iterable[Pairing], *, round_: int) -> Tournament:
        """The tournament with new legs of matches in a round, by match and seat."""
        legs = [*self.legs]
        for match, seats in matches:
            parts = tuple(Part(entry, 1.0 if len(seats) == 1 else None) for entry in seats)
            legs.append(Leg(len(legs) + 1, round_, match, parts))
        return replace(self, legs=tuple(legs))


POINTS: Final = (3.0, 2.0, 1.0, 0.0)
"""The points for each place of a heat."""


def points(format_: Format, ranks: Sequence[int], *, short: bool = False) -> tuple[float, ...]:
    """The points of a leg's parts by their ranks, 0 being the best; equal ranks share points.

    A `short` game, without two plies of every seat, gives no points in an arena.
    """
    if short and format_ is Format.ARENA:
        return (0.0,) * len(ranks)
    worth = POINTS if format_ is Format.HEATS else (1.0, 0.0)
    shared: dict[int, float] = {}
    for rank in {*ranks}:
        above, alike = sum(other < rank for other in ranks), ranks.count(rank)
        shared[rank] = sum(worth[above : above + alike]) / alike
    return tuple(shared[rank] for rank in ranks)
