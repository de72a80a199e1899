"""The reasons for a tournament's order: how a match was decided, and what broke a tie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final

from bot.tournaments import all_play_all, arena, swiss
from bot.tournaments.knockout import strength, winner
from bot.tournaments.progress import standings
from bot.tournaments.scores import Criterion, TournamentScores, match_points
from bot.tournaments.tournament import EntryNumber, Format, Leg, Tournament


class Decider(StrEnum):
    """The reasons for which one entry is placed before another."""

    PRESENCE = "presence"
    POINTS = "points"
    TIME = "time"
    """Less thinking time."""
    BUCHHOLZ = "buchholz"
    SONNEBORN_BERGER = "sonneborn_berger"
    HEAD_TO_HEAD = "head_to_head"
    WINS = "wins"
    SEED = "seed"


OF_MATCHES: Final = (Decider.PRESENCE, Decider.POINTS, Decider.TIME, Decider.SEED)
"""What decides a match of a knockout, in this order."""

CRITERIA: Final = {
    Format.SWISS: swiss.CRITERIA,
    Format.ALL_PLAY_ALL: all_play_all.CRITERIA,
    Format.ARENA: arena.CRITERIA,
}
"""The criteria of formats that are ordered by scores."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Why entry `first` is before `second`: the ground, with the numbers of both, or zeros."""

    first: EntryNumber
    second: EntryNumber
    ground: Decider
    own: float = 0.0
    other: float = 0.0


def of_match(tournament: Tournament, legs: Sequence[Leg]) -> Decision | None:
    """The decision of a knockout's match between two; None if nobody has won it."""
    won = winner(tournament, legs)
    others = [number for number in legs[0].entries if number != won]
    if won is None or not others:
        return None
    own, other = (strength(tournament, legs, number) for number in (won, others[0]))
    compared = zip(OF_MATCHES, own, other, strict=True)
    ground, mine, theirs = next(each for each in compared if each[1] != each[2])
    return Decision(won, others[0], ground, abs(mine), abs(theirs))


def tie_breaks(tournament: Tournament) -> Iterator[Decision]:
    """The decisions between neighbours in the standings with equal points, from the top.

    In a knockout, those of drawn matches in the last round.
    """
    if tournament.format is Format.KNOCKOUT:
        for legs in tournament.round_of(tournament.rounds or 0):
            level = len({*match_points(legs).values()}) == 1
            found = of_match(tournament, legs) if level else None
            if found is not None and found.ground in {Decider.TIME, Decider.SEED}:
                yield found
    elif tournament.format in CRITERIA:
        ordered = [entry.number for entry in standings(tournament)]
        scores = TournamentScores(tournament)
        for first, second in pairwise(ordered):
            left = tournament.format is Format.ARENA and tournament.by_number[second].left
            if scores.points[first] == scores.points[second] and not left:
                yield _between(scores, CRITERIA[tournament.format], first, second)


def _between(
    scores: TournamentScores,
    criteria: Sequence[Criterion],
    first: EntryNumber,
    second: EntryNumber,
) -> Decision:
    for ground, values in _compared(scores, criteria, first):
        if values[first] != values[second]:
            return Decision(first, second, ground, values[first], values[second])
    return Decision(first, second, Decider.SEED)


def numbers(scores: TournamentScores, number: EntryNumber) -> Sequence[tuple[Decider, float]]:
    """The criteria after points that were needed to order an entry, with its numbers.

    They are empty if no other entry has the same points, and for an arena, whose picture leaves no
    room for them.
    """
    format_ = scores.tournament.format
    criteria = () if format_ is Format.ARENA else CRITERIA.get(format_, ())
    found = [(ground, values[number]) for ground, values in _compared(scores, criteria, number)]
    return found[1:]


def _compared(
    scores: TournamentScores, criteria: Sequence[Criterion], number: EntryNumber
) -> Iterator[tuple[Decider, Mapping[EntryNumber, float]]]:
    """Each criterion with the numbers of those entries that equal `number` in all before it.

    It stops once no other entry is left.
    """
    alike: Sequence[EntryNumber] = [*scores.points]
    for criterion in criteria:
        values = {each: criterion(scores, alike, each) for each in alike}
        yield Decider(criterion.__name__), values
        alike = [each for each in alike if values[each] == values[number]]
        if len(alike) == 1:
            return
