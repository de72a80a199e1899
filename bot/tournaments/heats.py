"""Heats: tables of four and three, of which the first two go on, until a final of up to four."""

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
    """The tables of the next round; none after the final, or if only one entry is left.

    They are seeded across. Of five entries left the first seed has a bye, and the others one table.
    """
    if tournament.round and len(tournament.round_of(tournament.round)) == 1:
        return []
    left = sorted(_left(tournament), key=lambda entry: tournament.seed(entry.number))
    if len(left) < 2:
        return []
    bye = left[:1] if len(left) == AT_A_TABLE + 1 else []
    playing = left[len(bye) :]
    tables = -(-len(playing) // AT_A_TABLE)
    dealt: list[list[EntryNumber]] = [[] for _ in range(tables)]
    for index, entry in enumerate(playing):
        lap, place = divmod(index, tables)
        dealt[place if lap % 2 == 0 else tables - 1 - place].append(entry.number)
    return [*enumerate(tuple(seats) for seats in (*([e.number] for e in bye), *dealt))]


def _left(tournament: Tournament) -> list[Competitor]:
    """The entries still in: everybody at first, then the first two of each table who came to it."""
    if not tournament.round:
        return [*tournament.active]
    last = [legs[-1] for legs in tournament.round_of(tournament.round)]
    through = {number for leg in last for number in ranked(tournament, leg)[:GO_ON]}
    through -= {part.entry for leg in last for part in leg.parts if part.absent}
    return [entry for entry in tournament.active if entry.number in through]


def ranked(tournament: Tournament, leg: Leg) -> Sequence[EntryNumber]:
    """The entries of a table by points, then by seed; those who have left come last."""
    made = {part.entry: part.points or 0 for part in leg.parts}
    return sorted(
        leg.entries,
        key=lambda n: (tournament.by_number[n].left, -made[n], tournament.seed(n)),
    )


def order(tournament: Tournament) -> Sequence[EntryNumber]:
    """The entries from the first place to the last: by round reached, points there, all points."""
    reached: dict[EntryNumber, tuple[float, ...]] = {}
    for leg in tournament.legs:
        if not leg.void and not leg.open:
            for place, number in enumerate(ranked(tournament, leg)):
                made = next(part.points or 0 for part in leg.parts if part.entry == number)
                reached[number] = (leg.round, not tournament.by_number[number].left, made, -place)
    total = TournamentScores(tournament).points
    return sorted(
        (entry.number for entry in tournament.entries),
        key=lambda n: (
            *(-each for each in reached.get(n, (0.0,) * 4)),
            -total[n],
            tournament.seed(n),
        ),
    )
