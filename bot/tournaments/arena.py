"""Arena: free entries are paired at once, until the clock ends it.

An entry is paired with the one nearest in points that it has not just met. Two entries meet twice
in a row only if there are no others in the arena, or if both have rested and nobody else is free.
They meet a third time in a row only if there are no others, so that two accounts cannot feed each
other points. With an odd number of free entries, the one that played last waits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, TypeAlias

from bot.tournaments.matching import perfect
from bot.tournaments.scores import TournamentScores, head_to_head, ordered, points, wins
from bot.tournaments.tournament import EntryNumber, Leg, Pairing, Tournament

CRITERIA: Final = (points, wins, head_to_head)

HaveMet: TypeAlias = Callable[[EntryNumber, EntryNumber], bool]


def pairings(tournament: Tournament, rested: Collection[EntryNumber] = ()) -> Sequence[Pairing]:
    """The matches that begin now; `rested` are free entries whose pause after a game is over."""
    field, last = free(tournament), last_legs(tournament)

    def met(one: EntryNumber, other: EntryNumber) -> bool:
        legs = [last[each] for each in (one, other) if each in last]
        return any({one, other} <= {*leg.entries} for leg in legs)

    pairs = _paired(_seatable(field, last, met), TournamentScores(tournament).points, met)
    left = [each for each in field if not any(each in pair for pair in pairs)]
    duel = len(tournament.there) == 2
    again = [each for each in left if duel or (each in rested and not _repeats(tournament, each))]
    pairs += zip(again[::2], again[1::2], strict=False)
    first = 1 + max((leg.match for leg in tournament.legs), default=-1)
    firsts = Counter(leg.entries[0] for leg in tournament.legs if not leg.void)
    return [*enumerate((_seated(pair, firsts, last) for pair in pairs), first)]


def free(tournament: Tournament) -> Sequence[EntryNumber]:
    """The entries that wait for an opponent, those with most points first."""
    scores = TournamentScores(tournament).points
    busy = {number for leg in tournament.open_legs() for number in leg.entries}
    waiting = [entry.number for entry in tournament.there if entry.number not in busy]
    return sorted(waiting, key=lambda number: (-scores[number], tournament.seed(number)))


def last_legs(tournament: Tournament) -> Mapping[EntryNumber, Leg]:
    """The last leg of each entry that has had one."""
    counted = (leg for leg in tournament.legs if not leg.void)
    return {number: leg for leg in counted for number in leg.entries}


def _repeats(tournament: Tournament, number: EntryNumber) -> bool:
    """Whether an entry has met the same opponent in its last two games."""
    own = [leg.entries for leg in tournament.legs if number in leg.entries and not leg.void]
    return len(own) > 1 and {*own[-1]} == {*own[-2]}


def order(tournament: Tournament) -> Sequence[EntryNumber]:
    """The entries from the first place to the last; those who have left come behind the others."""
    found = ordered(tournament, CRITERIA)
    return sorted(found, key=lambda number: tournament.by_number[number].left)


def _seatable(
    field: Sequence[EntryNumber], last: Mapping[EntryNumber, Leg], met: HaveMet
) -> Sequence[EntryNumber]:
    """The entries to pair now: those that played last are left out until all can be paired."""
    rest = [*field]

    def can(those: Sequence[EntryNumber]) -> bool:
        return perfect(len(those), lambda a, b: not met(those[a], those[b]))

    while not can(rest):
        since = {each: last[each].number if each in last else 0 for each in rest}
        late = sorted(rest, key=lambda each: (-since[each], -rest.index(each)))
        without = ([each for each in rest if each != out] for out in late)
        found = next((those for those in without if can(those)), None)
        rest = [each for each in rest if each != late[0]] if found is None else found
    return rest


def _paired(
    rest: Sequence[EntryNumber], scores: Mapping[EntryNumber, float], met: HaveMet
) -> list[tuple[EntryNumber, EntryNumber]]:
    """Pairs from the top down, each with the nearest opponent that leaves the rest pairable."""
    pairs = []
    while rest:
        first, *others = rest
        near = sorted(others, key=lambda other: abs(scores[other] - scores[first]))
        for other in near:
            left = [each for each in others if each != other]
            if not met(first, other) and perfect(
                len(left),
                lambda a, b, left=left: not met(left[a], left[b]),  # type: ignore[misc]
            ):
                pairs.append((first, other))
                rest = left
                break
    return pairs


def _seated(
    pair: tuple[EntryNumber, EntryNumber],
    firsts: Mapping[EntryNumber, int],
    last: Mapping[EntryNumber, Leg],
) -> tuple[EntryNumber, ...]:
    """A pair by seat: first the one that was first less often, or else not in its last game."""

    def had(entry: EntryNumber) -> tuple[int, bool]:
        return firsts.get(entry, 0), entry in last and last[entry].entries[0] == entry

    return tuple(sorted(pair, key=had))
