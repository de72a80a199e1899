"""Scores of entries, and the criteria that order those with equal ones.

In a Swiss tournament rounds without play count as in the FIDE Handbook, C.07, Tie-Break
Regulations of 2023, Article 16: against a dummy opponent with as many points as the entry itself.

In an arena points are made as on lichess (lichess.org/tournament/help, and `ArenaSheet` of
lichess-org/lila): 2 for a win, 1 for a draw, both doubled after two wins in a row until a game is
not won.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Final, NamedTuple, TypeAlias

from bot.tournaments.tournament import Competitor, EntryNumber, Format, Leg, Tournament

MISSED: Final = 0.5
"""The points of a late joiner for each round before they joined."""

DRAW: Final = 0.5

WIN: Final = 2
"""The points for a win in an arena."""

DOUBLED_AFTER: Final = 2
"""The wins in a row after which games of an arena count double."""


class Round(NamedTuple):
    """A round of an entry: its opponent (None without play) and the points made.

    `choice` marks a round missed by choice: before joining, after leaving, or by not coming.
    """

    opponent: EntryNumber | None
    made: float
    choice: bool = False


class Sheet(NamedTuple):
    """The games of an entry in an arena as (result, points), and its present wins in a row.

    A result is 1 for a win and 0.5 for a draw.
    """

    games: tuple[tuple[float, float], ...] = ()
    row: int = 0

    @property
    def points(self) -> float:
        """The points of all games."""
        return sum(worth for _, worth in self.games)

    @property
    def doubled(self) -> bool:
        """Whether the next game counts double."""
        return self.row >= DOUBLED_AFTER

    def after(self, made: float) -> Sheet:
        """The sheet after a game with the result `made`."""
        worth = WIN * made * (2 if self.doubled else 1)
        return Sheet((*self.games, (made, worth)), self.row + 1 if made == 1 else 0)


@dataclass(frozen=True)
class TournamentScores:
    """The points of a tournament's entries, and against whom they were made."""

    tournament: Tournament

    @cached_property
    def points(self) -> Mapping[EntryNumber, float]:
        """The points of each entry."""
        if self.tournament.format is Format.ARENA:
            return {number: sheet.points for number, sheet in self.sheets.items()}
        found = {e.number: MISSED * (e.since - 1) for e in self.tournament.entries}
        for leg in self.tournament.legs:
            for part in () if leg.void else leg.parts:
                found[part.entry] += part.points or 0
        return found

    @cached_property
    def sheets(self) -> Mapping[EntryNumber, Sheet]:
        """The sheet of each entry in an arena.

        A game without points for anybody only counts, as a loss, for those who did not come.
        """
        found = {entry.number: Sheet() for entry in self.tournament.entries}
        for leg in self.tournament.legs:
            if leg.void or leg.open:
                continue
            counts = any(part.points for part in leg.parts)
            for part in leg.parts:
                if counts or part.absent:
                    found[part.entry] = found[part.entry].after(part.points or 0)
        return found

    @cached_property
    def met(self) -> Mapping[EntryNumber, Sequence[tuple[EntryNumber, float]]]:
        """The opponents of each entry in decided legs, with the points made against them."""
        found: defaultdict[EntryNumber, list[tuple[EntryNumber, float]]] = defaultdict(list)
        for leg in self.tournament.legs:
            if leg.open or leg.void:
                continue
            for own in leg.parts:
                others = (part.entry for part in leg.parts if part is not own)
                found[own.entry] += ((other, own.points or 0) for other in others)
        return found

    @cached_property
    def rounds(self) -> Mapping[EntryNumber, Sequence[Round]]:
        """The decided rounds of each entry, in order."""
        legs = {
            (leg.round, number): leg
            for leg in self.tournament.legs
            if not leg.void
            for number in leg.entries
        }
        past = range(1, self.tournament.round + 1)
        return {
            entry.number: [
                found
                for round_ in past
                if (
                    found := _round(
                        self.tournament, entry, round_, legs.get((round_, entry.number))
                    )
                )
            ]
            for entry in self.tournament.entries
        }

    @cached_property
    def adjusted(self) -> Mapping[EntryNumber, float]:
        """Each entry's points as they count for its opponents' tie-breaks.

        Rounds at the end that it missed by choice count as draws there.
        """
        return {
            number: sum(each.made for each in rounds)
            + sum(DRAW - each.made for each in takewhile(lambda each: each.choice, rounds[::-1]))
            for number, rounds in self.rounds.items()
        }

    def met_in(self, number: EntryNumber) -> Sequence[tuple[Round, float]]:
        """The decided rounds of an entry, each with the points of its opponent or the dummy."""
        own = self.points[number]
        return [
            (each, own if each.opponent is None else self.adjusted[each.opponent])
            for each in self.rounds[number]
        ]


def _round(tournament: Tournament, entry: Competitor, number: int, leg: Leg | None) -> Round | None:
    """A round of an entry; None if it is still open, or the entry had no part in it."""
    if number < entry.since:
        return Round(None, MISSED, choice=True)
    if leg is None:  # it has left, or rests
        missing = entry.left and tournament.format is Format.SWISS
        return Round(None, 0.0, choice=True) if missing else None
    if leg.open:
        return None
    (own,) = (part for part in leg.parts if part.entry == entry.number)
    others = [part for part in leg.parts if part is not own]
    missed = tournament.format is Format.SWISS and any(part.absent for part in leg.parts)
    opponent = None if missed or not others else others[0].entry
    return Round(opponent, own.points or 0.0, choice=missed and own.absent)


def match_points(legs: Sequence[Leg]) -> Mapping[EntryNumber, float]:
    """The points that the entries of a match have made in its legs so far."""
    made = dict.fromkeys(legs[0].entries, 0.0)
    for part in (part for leg in legs for part in leg.parts):
        made[part.entry] += part.points or 0
    return made


Criterion: TypeAlias = Callable[[TournamentScores, Sequence[EntryNumber], EntryNumber], float]
"""Computes a number that orders an entry among those equal so far; more is better."""


def points(scores: TournamentScores, _alike: Sequence[EntryNumber], number: EntryNumber) -> float:
    """The points."""
    return scores.points[number]


def buchholz(scores: TournamentScores, _alike: Sequence[EntryNumber], number: EntryNumber) -> float:
    """The sum of the opponents' points without the worst one, or one missed by choice first."""
    found = sorted((not each.choice, theirs) for each, theirs in scores.met_in(number))
    return sum(theirs for _, theirs in found[1:])


def sonneborn_berger(
    scores: TournamentScores, _alike: Sequence[EntryNumber], number: EntryNumber
) -> float:
    """The sum of each opponent's points times those made against them."""
    return sum(theirs * each.made for each, theirs in scores.met_in(number))


def head_to_head(
    scores: TournamentScores, alike: Sequence[EntryNumber], number: EntryNumber
) -> float:
    """The points made against the others with equal scores."""
    return sum(made for other, made in scores.met[number] if other in alike)


def wins(scores: TournamentScores, _alike: Sequence[EntryNumber], number: EntryNumber) -> float:
    """The number of wins."""
    return sum(made == 1 for _, made in scores.met[number])


def ordered(tournament: Tournament, criteria: Iterable[Criterion]) -> Sequence[EntryNumber]:
    """The entries from best to worst, by one criterion after the other, then by seed."""
    scores = TournamentScores(tournament)
    groups = [sorted((entry.number for entry in tournament.entries), key=tournament.seed)]
    for criterion in criteria:
        groups = [part for group in groups for part in _split(scores, group, criterion)]
    return [number for group in groups for number in group]


def _split(
    scores: TournamentScores, group: Sequence[EntryNumber], criterion: Criterion
) -> Iterable[list[EntryNumber]]:
    values = {number: criterion(scores, group, number) for number in group}
    for value in sorted({*values.values()}, reverse=True):
        yield [number for number in group if values[number] == value]
