"""Heats: tables of four and three, whose first two advance, until a final of up to four."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.tournaments.scores import TournamentScores
from bot.tournaments.tournament import Competitor, EntryNumber, Leg, Pairing, Tournament

AT_A_TABLE: Final = 4
GO_ON: Final = 2


def rounds(entries: int) -> int:
    """The number of rounds for a number of entries, if nobody leaves."""
    count = 1
    while entries > AT_A_TABLE:
        entries = GO_ON + 1 if entries == AT_A_TABLE + 1 else GO_ON * -(-entries // AT_A_TABLE)
        count += 1
    return count


def pairings(tournament: Tournament) -> Sequence[Pairing]:
    """The tables of the next round; none after the final.

    Seeds are dealt back and forth across the tables. With five entries left, the first seed has a
    bye and the others share a table. A single entry left has a bye, and so the first place.
    """
    if tournament.round and len(tournament.round_of(tournament.round)) == 1:
        return []
    left = sorted(_left(tournament), key=lambda entry: tournament.seed(entry.number))
    bye = left[:1] if len(left) in {1, AT_A_TABLE + 1} else []
    playing = left[len(bye) :]
    tables = -(-len(playing) // AT_A_TABLE)
    dealt: list[list[EntryNumber]] = [[] for _ in range(tables)]
    for index, entry in enumerate(playing):
        lap, place = divmod(index, tables)
        dealt[place if lap % 2 == 0 else tables - 1 - place].append(entry.number)
    return [*enumerate(tuple(seats) for seats in (*([e.number] for e in bye), *dealt))]


def _left(tournament: Tournament) -> Sequence[Competitor]:
    """The entries still in: all active ones at first, then those who advance from their tables.

    If all of these have left, the others of the tables are in again.
    """
    if not tournament.round:
        return tournament.active
    last = [legs[-1] for legs in tournament.round_of(tournament.round)]
    first, all_ = (
        {number for leg in last for number in going_on(tournament, leg, places)}
        for places in (GO_ON, AT_A_TABLE)
    )
    return [entry for entry in tournament.active if entry.number in (first or all_)]


def going_on(tournament: Tournament, leg: Leg, places: int = GO_ON) -> Sequence[EntryNumber]:
    """Those who advance from a decided table: the first two, unless they never came or have left.

    Nobody moves up for them.
    """
    away = {part.entry for part in leg.parts if part.absent}
    away |= {number for number in leg.entries if tournament.by_number[number].left}
    return [number for number in ranked(tournament, leg)[:places] if number not in away]


def ranked(tournament: Tournament, leg: Leg) -> Sequence[EntryNumber]:
    """The entries of a table by points, then by seed, even if they have left."""
    made = {part.entry: part.points or 0 for part in leg.parts}
    return sorted(leg.entries, key=lambda n: (-made[n], tournament.seed(n)))


def order(tournament: Tournament) -> Sequence[EntryNumber]:
    """The entries from first to last place: by round reached, points there, then all points."""
    reached: dict[EntryNumber, tuple[float, ...]] = {}
    for leg in tournament.legs:
        if not leg.void and not leg.open:
            for place, number in enumerate(ranked(tournament, leg)):
                made = next(part.points or 0 for part in leg.parts if part.entry == number)
                reached[number] = (leg.round, made, -place)
    total = TournamentScores(tournament).points
    return sorted(
        (entry.number for entry in tournament.entries),
        key=lambda n: (
            *(-each for each in reached.get(n, (0.0,) * 3)),
            -total[n],
            tournament.seed(n),
        ),
    )
