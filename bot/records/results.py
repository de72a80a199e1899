"""The result of a finished game for its people.

- The side with the best payoff wins; equal payoffs are a draw. Partners are one side. A person who
  left their seat to the computer has lost, whatever the seat won afterwards.
- With people on two sides or more it is a game between people. They are ranked without the
  computers: by payoff, and behind the others if they left. If a computer won, all people have lost,
  although some of them rank before others.
- With all people on one side it is a game against computers, at the level of the strongest rival.
  Games with hints or with moves taken back have levels of their own.
- A closed table does not count.

In a game between people each person is rated by the rank of their side; a person who left a partner
behind is rated as if their side had come last. Games with unequal numbers of people on the sides
are not rated, because their results depend on computers. Games that are given up, or run out of
time, before every seat has made two plies are remembered, and count for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import Final, TypeAlias, TypeGuard

from bot.records.rating import Rating, rated
from bot.table.seats import Absent, Computer, Human, Level, Occupant, PersonId
from bot.table.session import Ending, Phase, Session
from engine.game import Seat


class Outcome(StrEnum):
    """The end of a game for one person."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A person's result; `rank` is their rank among the people, 0 being the best."""

    person: PersonId
    seat: Seat
    side: int
    outcome: Outcome
    rank: int

    def against(self, other: Verdict) -> Outcome:
        """The outcome of the meeting with another person."""
        if self.rank == other.rank:
            return Outcome.DRAW
        return Outcome.WIN if self.rank < other.rank else Outcome.LOSS


@dataclass(frozen=True, slots=True)
class AmongPeople:
    """A game between people, in the order of their seats.

    It is `short` if it was given up or ran out of time before every seat had made two plies.
    """

    verdicts: tuple[Verdict, ...]
    short: bool = False

    @property
    def sides(self) -> tuple[tuple[Verdict, ...], ...]:
        """The people of each side."""
        found: dict[int, tuple[Verdict, ...]] = {}
        for verdict in self.verdicts:
            found[verdict.side] = (*found.get(verdict.side, ()), verdict)
        return tuple(found.values())

    @property
    def is_rated(self) -> bool:
        """Whether it changes ratings: it is not short, and all sides have equally many people."""
        return not self.short and len({len(side) for side in self.sides}) == 1

    def opponents(self, of: Verdict) -> tuple[Verdict, ...]:
        """The people of the other sides."""
        return tuple(each for each in self.verdicts if each.side != of.side)

    def ratings(
        self, before: Mapping[PersonId, Rating], weights: Mapping[PersonId, float]
    ) -> dict[PersonId, Rating]:
        """The ratings of its people after the game; `weights` are its weight in each rating."""
        if not self.is_rated:
            return dict(before)
        return {
            person: before[person].towards(after, weights[person])
            for person, after in self._new_ratings(before)
        }

    def _new_ratings(self, before: Mapping[PersonId, Rating]) -> Iterator[tuple[PersonId, Rating]]:
        teams = [[before[member.person] for member in side] for side in self.sides]
        ranks = tuple(min(member.rank for member in side) for side in self.sides)
        known = {ranks: rated(teams, ranks)}
        for index, side in enumerate(self.sides):
            for place, member in enumerate(side):
                own = (*ranks[:index], member.rank, *ranks[index + 1 :])
                if own not in known:
                    known[own] = rated(teams, own)
                yield member.person, known[own][index][place]


@dataclass(frozen=True, slots=True)
class AgainstComputers:
    """A game of people on one side against computers, the strongest of which plays at `level`.

    A `short` one counts, but earns no badges: moves were taken back in it, or it was resigned in a
    version in which it could not be cancelled.
    """

    verdicts: tuple[Verdict, ...]
    level: Level
    short: bool = False


Result: TypeAlias = AmongPeople | AgainstComputers

RATED_PLIES: Final = 2
"""The plies that every seat must have made for a game between people to count."""

STRENGTH: Final = tuple(Level)
"""The levels, the weakest first."""


def result(session: Session) -> Result | None:
    """The result of a finished session; None for any other."""
    if session.phase is not Phase.FINISHED or session.payoff is None:
        return None
    sides = session.game.sides(len(session.seats), session.options)
    ended_early = session.ending is not Ending.PLAYED
    short = ended_early and not session.all_have_moved(RATED_PLIES)
    apart = level_apart(hints=session.hints, tried=session.tried)
    return judged(session.seats, sides, session.payoff, short=short, apart=apart)


def level_apart(*, hints: bool, tried: bool) -> Level | None:
    """The level at which a game against computers with help counts, instead of theirs."""
    if tried:
        return Level.TRIED
    return Level.HINTS if hints else None


def judged(
    occupants: Sequence[Occupant],
    sides: Sequence[int],
    payoff: Sequence[float],
    *,
    short: bool = False,
    apart: Level | None = None,
) -> Result | None:
    """The result of a finished game, by seat; None without people.

    A game against computers counts at the level `apart`, or else at the computers' own.
    """
    people = {Seat(index): who for index, who in enumerate(occupants) if _is_person(who)}
    standing = {seat: _standing(who, payoff[seat]) for seat, who in people.items()}
    verdicts = tuple(
        Verdict(
            who.person,
            seat,
            sides[seat],
            _outcome(who, payoff[seat], payoff),
            rank=sum(other > standing[seat] for other in standing.values()),
        )
        for seat, who in people.items()
    )
    met = {verdict.side for verdict in verdicts}
    if len(met) > 1:
        return AmongPeople(verdicts, short)
    levels = [
        who.level
        for who, side in zip(occupants, sides, strict=True)
        if isinstance(who, Computer) and side not in met
    ]
    if not levels:
        return None
    return AgainstComputers(verdicts, apart or max(levels, key=STRENGTH.index), short)


def _is_person(occupant: Occupant) -> TypeGuard[Human | Absent]:
    return isinstance(occupant, Human | Absent)


def _standing(occupant: Human | Absent, payoff: float) -> float:
    """The payoff; for a person who has left, less than any payoff."""
    return payoff if isinstance(occupant, Human) else -inf


def _outcome(occupant: Human | Absent, own: float, payoff: Sequence[float]) -> Outcome:
    if isinstance(occupant, Absent) or own < max(payoff):
        return Outcome.LOSS
    return Outcome.WIN if own > min(payoff) else Outcome.DRAW
