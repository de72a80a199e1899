"""Scores of entries, and the criteria that order those with equal ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from bot.tournaments.tournament import EntryNumber, Leg, Tournament

MISSED: Final = 0.5
"""The points for a round before a late joiner came."""


@dataclass(frozen=True)
class TournamentScores:
    """The points of a tournament's entries, and the opponents that they came from."""

    tournament: Tournament

    @cached_property
    def points(self) -> Mapping[EntryNumber, float]:
        """The points of each entry."""
        found = {e.number: MISSED * (e.since - 1) for e in self.tournament.entries}
        for leg in self.tournament.legs:
            for part in () if leg.void else leg.parts:
                found[part.entry] += part.points or 0
        return found

    @cached_property
    def met(self) -> Mapping[EntryNumber, Sequence[tuple[EntryNumber, float]]]:
        """The opponents of each entry in legs that are decided, with the points made there."""
        found: defaultdict[EntryNumber, list[tuple[EntryNumber, float]]] = defaultdict(list)
        for leg in self.tournament.legs:
            if leg.open or leg.void:
                continue
            for own in leg.parts:
                others = (part.entry for part in leg.parts if part is not own)
                found[own.entry] += ((other, own.points or 0) for other in others)
        return found


def match_points(legs: Sequence[Leg]) -> Mapping[EntryNumber, float]:
    """The points that the entries of a match have made in its legs so far."""
    made = dict.fromkeys(legs[0].entries, 0.0)
    for part in (part for leg in legs for part in leg.parts):
        made[part.entry] += part.points or 0
    return made


Criterion: TypeAlias = Callable[[TournamentScores, Sequence[EntryNumber], EntryNumber], float]
"""A number that orders an entry among others that are alike so far; more is better."""


def points(scores: TournamentScores, _alike: Sequence[EntryNumber], number: EntryNumber) -> float:
    """The points."""
    return scores.points[number]


def buchholz(scores: TournamentScores, _alike: Sequence[EntryNumber], number: EntryNumber) -> float:
    """The points of the opponents, less the worst."""
    found = sorted(scores.points[other] for other, _ in scores.met[number])
    return sum(found[1:])


def sonneborn_berger(
    scores: TournamentScores, _alike: Sequence[EntryNumber], number: EntryNumber
) -> float:
    """The points of each opponent, times those made against them."""
    return sum(scores.points[other] * made for other, made in scores.met[number])


def head_to_head(
    scores: TournamentScores, alike: Sequence[EntryNumber], number: EntryNumber
) -> float:
    """The points made against the others with equal scores."""
    return sum(made for other, made in scores.met[number] if other in alike)


def wins(scores: TournamentScores, _alike: Sequence[EntryNumber], number: EntryNumber) -> float:
    """The number of wins."""
    return sum(made == 1 for _, made in scores.met[number])


def ordered(tournament: Tournament, criteria: Iterable[Criterion]) -> Sequence[EntryNumber]:
    """The entries from the best to the worst, by one criterion after the other and then by seed."""
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
